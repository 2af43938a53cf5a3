"""The calendars of players: the SHA-256 of their secret addresses, and what they showed last."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, delete, insert, select

from service.store.players import PLAYERS, Player
from service.store.statements import Rows
from service.store.tables import calendar_entries, calendars, players


@dataclass(frozen=True, slots=True)
class CalendarEntry:
    """A deadline as subscribers know it: ``sequence`` is raised when it moves or is gone."""

    uid: str
    match_id: str
    summary: str
    due_at: datetime
    sequence: int
    changed_at: datetime
    is_gone: bool = False


_ENTRIES: Final = Rows(CalendarEntry, calendar_entries)


def set_secret(connection: Connection, player_id: str, secret_hash: str | None) -> None:
    """Replaces the secret of a player's calendar; ``None`` for no calendar."""
    connection.execute(delete(calendars).where(calendars.c.player_id == player_id))
    if secret_hash is not None:
        connection.execute(insert(calendars).values(player_id=player_id, secret_hash=secret_hash))


def owner(connection: Connection, secret_hash: str) -> Player | None:
    """The player whose calendar has that secret."""
    has_it = select(calendars.c.player_id).where(calendars.c.secret_hash == secret_hash).scalar_subquery()
    return PLAYERS.find(connection, players.c.id == has_it)


def lock(connection: Connection, player_id: str) -> None:
    """Locks what the calendar of a player has shown until the end of the transaction."""
    connection.execute(select(calendars.c.player_id).where(calendars.c.player_id == player_id).with_for_update())


def entries_of(connection: Connection, player_id: str) -> tuple[CalendarEntry, ...]:
    order = (calendar_entries.c.due_at, calendar_entries.c.uid)
    return _ENTRIES.all(connection, calendar_entries.c.player_id == player_id, order=order)


def replace(connection: Connection, player_id: str, gone: Collection[str], changed: Sequence[CalendarEntry]) -> None:
    """Removes entries, and writes others."""
    uids = [*gone, *(entry.uid for entry in changed)]
    if uids:
        mine = (calendar_entries.c.player_id == player_id) & calendar_entries.c.uid.in_(uids)
        connection.execute(delete(calendar_entries).where(mine))
    _ENTRIES.add(connection, *changed, player_id=player_id)
