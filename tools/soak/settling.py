"""The end of a soak or a fault: waits until no turn and no notice is pending, then checks the
ledger against what clients and mail server saw.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from service.ledger.check import ReportedTurn, check_ledger
from service.ledger.findings import Findings
from service.store.database import Database
from service.store.tables import outbox, turns
from tools.waiting import TimedOut, until

SETTLE_SECONDS: Final = 240.0


def pending(database: Database) -> int:
    """The number of pending turns and notices; 1 where the database is unavailable."""
    try:
        with database.read() as connection:
            queued = connection.execute(select(func.count()).where(turns.c.status == "queued")).scalar_one()
            unsent = connection.execute(select(func.count()).where(outbox.c.status == "pending")).scalar_one()
    except SQLAlchemyError:
        return 1
    return int(queued + unsent)


def settle(
    database: Database, seen: Sequence[ReportedTurn], received: Sequence[str], seconds: float = SETTLE_SECONDS
) -> Findings:
    """The findings once every turn is judged and every notice delivered.

    ``received`` may grow until then. Raises ``TimedOut`` where that takes longer than ``seconds``.
    """
    try:
        until(lambda: pending(database) == 0, "every turn is judged and every notice delivered", seconds)
    except TimedOut as error:
        raise TimedOut(f"{error} {_still_pending(database)}") from None
    return check_ledger(database, seen, tuple(received))


def _still_pending(database: Database) -> str:
    """The pending turns and notices, without what is secret in them."""
    columns = outbox.c
    with database.read() as connection:
        waiting = connection.execute(
            select(turns.c.id, turns.c.match_id, turns.c.submitted_at, turns.c.attempts).where(
                turns.c.status == "queued"
            )
        )
        owed = connection.execute(
            select(
                columns.id,
                columns.kind,
                columns.match_id,
                columns.attempts,
                columns.crashes,
                columns.next_attempt_at,
                columns.leased_until,
                columns.last_error,
            ).where(columns.status == "pending")
        )
        return f"Turns: {[tuple(row) for row in waiting][:10]}. Notices: {[tuple(row) for row in owed][:10]}."
