"""The seats of bots that are awaited, in the database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, exists, func, select

from service.house import HOUSE
from service.store.tables import matches, seats, turns

_AWAITED: Final = (
    select(seats.c.match_id, seats.c.seat, seats.c.player_id, matches.c.ply)
    .join(matches, matches.c.id == seats.c.match_id)
    .where(
        seats.c.player_id.in_(sorted(HOUSE)),
        seats.c.to_act,
        seats.c.resigned_at.is_(None),
        matches.c.status == "running",
        matches.c.unreadable_at.is_(None),
        ~exists().where(
            turns.c.match_id == seats.c.match_id,
            turns.c.player_id == seats.c.player_id,
            turns.c.seat == seats.c.seat,
            turns.c.judged_at.is_(None),
        ),
    )
    .order_by(seats.c.match_id, seats.c.seat)
)


@dataclass(frozen=True, slots=True)
class AwaitedBot:
    """A bot that a match awaits, and has no turn of which waits for its verdict; ``ply`` is that of
    the match.
    """

    match_id: str
    seat: int
    player_id: str
    ply: int


def count(connection: Connection) -> int:
    """How many there are."""
    return connection.execute(select(func.count()).select_from(_AWAITED.order_by(None).subquery())).scalar_one()


def awaited(connection: Connection, limit: int | None = None) -> tuple[AwaitedBot, ...]:
    """Those of them, at most ``limit``, by match and seat."""
    return tuple(AwaitedBot(*row) for row in connection.execute(_AWAITED.limit(limit)))


def awaited_at(connection: Connection, match_id: str, seat: int) -> AwaitedBot | None:
    """The one at a seat of a match."""
    row = connection.execute(_AWAITED.where(seats.c.match_id == match_id, seats.c.seat == seat)).one_or_none()
    return None if row is None else AwaitedBot(*row)
