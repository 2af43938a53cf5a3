"""Days off of players."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update

from service.store.tables import days_off, matches, players, seats


@dataclass(frozen=True, slots=True)
class StoredDaysOff:
    """A row of days_off: ``days`` are those that it takes, less those that were given back;
    ``automatic``: they began because the player's time would have been up.
    """

    id: str
    player_id: str
    declared_at: datetime
    start_at: datetime
    end_at: datetime
    days: int
    automatic: bool = False


def lock_player(connection: Connection, player_id: str) -> None:
    """Locks the days off of a player until the end of the transaction."""
    connection.execute(select(players.c.id).where(players.c.id == player_id).with_for_update(key_share=True))


def of_player(connection: Connection, player_id: str) -> tuple[StoredDaysOff, ...]:
    """All days off of a player, in order."""
    mine = select(days_off).where(days_off.c.player_id == player_id).order_by(days_off.c.start_at)
    return tuple(StoredDaysOff(*row) for row in connection.execute(mine))


def add(connection: Connection, taken: StoredDaysOff) -> None:
    """Adds days off."""
    connection.execute(insert(days_off).values(**{name: getattr(taken, name) for name in StoredDaysOff.__slots__}))


def shorten(connection: Connection, days_off_id: str, end_at: datetime, days: int) -> None:
    """Ends days off early."""
    connection.execute(update(days_off).where(days_off.c.id == days_off_id).values(end_at=end_at, days=days))


def remove(connection: Connection, days_off_id: str) -> None:
    """Removes days off that have not begun."""
    connection.execute(delete(days_off).where(days_off.c.id == days_off_id))


def matches_awaiting(connection: Connection, player_id: str) -> tuple[str, ...]:
    """The running matches with a clock that await the player."""
    mine = (
        select(seats.c.match_id)
        .join(matches, matches.c.id == seats.c.match_id)
        .where(seats.c.player_id == player_id, seats.c.to_act, matches.c.status == "running")
        .where(matches.c.clock.is_not(None))
        .order_by(seats.c.match_id)
    )
    return tuple(connection.execute(mine).scalars())
