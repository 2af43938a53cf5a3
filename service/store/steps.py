"""Steps of matches in the database: entries, awaited seats and outcomes, written for many matches
with a few statements.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, bindparam, insert, update

from service.store.prepared import Prepared
from service.store.tables import entries, matches, seats

_APPEND: Final = Prepared(insert(entries))
_SET_PLY: Final = Prepared(
    update(matches).where(matches.c.id == bindparam("of_match")).values(ply=bindparam("new_ply"))
)
_FINISH: Final = (
    update(matches)
    .where(matches.c.id == bindparam("of_match"))
    .values(
        status=bindparam("ended"),
        finished_at=bindparam("at", type_=matches.c.finished_at.type),
        outcome=bindparam("ending", type_=matches.c.outcome.type),
        early_end=bindparam("early", type_=matches.c.early_end.type),
    )
)
_REOPEN: Final = (
    update(matches)
    .where(matches.c.id == bindparam("of_match"))
    .values(
        status="running",
        visited_at=bindparam("at", type_=matches.c.visited_at.type),
        archive_due_at=bindparam("at", type_=matches.c.archive_due_at.type),
        archive_mails=0,
    )
)
_AWAIT: Final = Prepared(
    update(seats)
    .where(seats.c.match_id == bindparam("of_match"), seats.c.seat == bindparam("of_seat"))
    .values(to_act=bindparam("awaited", type_=seats.c.to_act.type))
)


@dataclass(frozen=True, slots=True)
class StoredStep:
    """The rows of one step: (seat, action) pairs to append after the ``ply`` existing entries, the
    seats that become awaited or cease to be, and the outcome where the match is over. With an
    ``early_end`` and no outcome it is called off. A step ``reopens`` a match that was archived.
    """

    match_id: str
    ply: int
    entries: tuple[tuple[int, Mapping[str, Any]], ...]
    turn_id: str | None
    awaits: Mapping[int, bool]
    outcome: Mapping[str, Any] | None
    early_end: Mapping[str, Any] | None = None
    reopens: bool = False


def write(connection: Connection, steps: Sequence[StoredStep], now: datetime) -> None:
    """Writes the steps of locked matches, at most one per match.

    Raises ``IntegrityError`` where one of the plies has an entry already: the last guard against
    judging twice.
    """
    log = [
        {
            "match_id": step.match_id,
            "ply": step.ply + offset,
            "seat": seat,
            "action": action,
            "turn_id": step.turn_id,
            "at": now,
        }
        for step in steps
        for offset, (seat, action) in enumerate(step.entries)
    ]
    awaits = [
        {"of_match": step.match_id, "of_seat": seat, "awaited": awaited}
        for step in steps
        for seat, awaited in step.awaits.items()
    ]
    over = [
        {
            "of_match": step.match_id,
            "at": now,
            "ended": "cancelled" if step.outcome is None else "finished",
            "ending": step.outcome,
            "early": step.early_end,
        }
        for step in steps
        if step.outcome is not None or step.early_end is not None
    ]
    if log:
        _APPEND.many(connection, log)
        _SET_PLY.many(
            connection,
            [{"of_match": step.match_id, "new_ply": step.ply + len(step.entries)} for step in steps if step.entries],
        )
    if awaits:
        _AWAIT.many(connection, awaits)
    reopened = [{"of_match": step.match_id, "at": now} for step in steps if step.reopens]
    if reopened:
        connection.execute(_REOPEN, reopened)
    if over:
        connection.execute(_FINISH, over)
