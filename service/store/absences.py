"""Declared absences of players."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update

from service.store.tables import absences, matches, players, seats


@dataclass(frozen=True, slots=True)
class StoredAbsence:
    """A row of absences: ``days`` are those that it has taken from the bank, less those that were
    given back; ``automatic``: it began because the player's time would have been up.
    """

    id: str
    player_id: str
    declared_at: datetime
    start_at: datetime
    end_at: datetime
    days: int
    automatic: bool = False


def lock_player(connection: Connection, player_id: str) -> None:
    """Locks the absences of a player until the end of the transaction."""
    connection.execute(select(players.c.id).where(players.c.id == player_id).with_for_update(key_share=True))


def of_player(connection: Connection, player_id: str) -> tuple[StoredAbsence, ...]:
    """All absences of a player, in order."""
    mine = select(absences).where(absences.c.player_id == player_id).order_by(absences.c.start_at)
    return tuple(StoredAbsence(*row) for row in connection.execute(mine))


def add(connection: Connection, absence: StoredAbsence) -> None:
    """Adds an absence."""
    connection.execute(insert(absences).values(**{name: getattr(absence, name) for name in StoredAbsence.__slots__}))


def shorten(connection: Connection, absence_id: str, end_at: datetime, days: int) -> None:
    """Ends an absence early."""
    connection.execute(update(absences).where(absences.c.id == absence_id).values(end_at=end_at, days=days))


def remove(connection: Connection, absence_id: str) -> None:
    """Removes an absence that has not begun."""
    connection.execute(delete(absences).where(absences.c.id == absence_id))


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
