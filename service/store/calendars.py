"""The calendars of players: of their secret addresses only the SHA-256 is stored, and of what they
show what subscribers were shown last.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from service.store import players as player_rows
from service.store.players import Player
from service.store.tables import calendar_entries, calendars


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """A deadline as subscribers know it: ``sequence`` is raised when it moves or is gone."""

    uid: str
    match_id: str
    summary: str
    due_at: datetime
    sequence: int
    changed_at: datetime
    is_gone: bool = False


def set_secret(connection: Connection, player_id: str, secret_hash: str | None) -> None:
    """Replaces the secret of a player's calendar; ``None`` for no calendar."""
    connection.execute(delete(calendars).where(calendars.c.player_id == player_id))
    if secret_hash is not None:
        connection.execute(insert(calendars).values(player_id=player_id, secret_hash=secret_hash))


def owner(connection: Connection, secret_hash: str) -> Player | None:
    """The player whose calendar has that secret."""
    found = connection.execute(select(calendars.c.player_id).where(calendars.c.secret_hash == secret_hash)).scalar()
    return None if found is None else player_rows.find(connection, found)


def lock(connection: Connection, player_id: str) -> None:
    """Locks what the calendar of a player has shown until the end of the transaction."""
    connection.execute(select(calendars.c.player_id).where(calendars.c.player_id == player_id).with_for_update())


def entries_of(connection: Connection, player_id: str) -> tuple[StoredEntry, ...]:
    """What the calendar of a player has shown."""
    wanted = select(calendar_entries).where(calendar_entries.c.player_id == player_id)
    names = StoredEntry.__slots__
    return tuple(
        StoredEntry(**{name: getattr(row, name) for name in names})
        for row in connection.execute(wanted.order_by(calendar_entries.c.due_at, calendar_entries.c.uid))
    )


def replace(connection: Connection, player_id: str, gone: Collection[str], changed: Sequence[StoredEntry]) -> None:
    """Removes entries, and writes others."""
    uids = [*gone, *(entry.uid for entry in changed)]
    if uids:
        mine = (calendar_entries.c.player_id == player_id) & calendar_entries.c.uid.in_(uids)
        connection.execute(delete(calendar_entries).where(mine))
    if changed:
        connection.execute(
            insert(calendar_entries),
            [
                {"player_id": player_id} | {name: getattr(entry, name) for name in StoredEntry.__slots__}
                for entry in changed
            ],
        )
