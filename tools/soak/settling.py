"""The end of a soak or a fault: wait until nothing waits any more, then hold the ledger against
everything that anybody saw.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from service.ledger.check import check_ledger
from service.ledger.findings import Findings
from service.ledger.witnesses import Seen
from service.store.database import Database
from service.store.tables import outbox, turns
from tools.soak.service import await_

QUIET_SECONDS: Final = 180.0


def waiting(database: Database) -> int:
    """How many turns and notices wait for somebody; one more than none where the database cannot be
    asked.
    """
    try:
        with database.read() as connection:
            queued = connection.execute(select(func.count()).where(turns.c.status == "queued")).scalar_one()
            pending = connection.execute(select(func.count()).where(outbox.c.status == "pending")).scalar_one()
    except SQLAlchemyError:
        return 1
    return int(queued + pending)


def settle(
    database: Database, seen: Sequence[Seen], received: Sequence[str], seconds: float = QUIET_SECONDS
) -> Findings:
    """The findings once every turn is judged and every notice delivered; ``received`` may grow
    until then. Raises NotThere where that takes too long.
    """
    await_(lambda: waiting(database) == 0, seconds, "The judging of every turn and the delivery of every notice")
    return check_ledger(database, seen, tuple(received))
