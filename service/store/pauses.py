"""The pauses that the players of a match agree on, in the database."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from service.store.tables import pauses


@dataclass(frozen=True, slots=True)
class StoredPause:
    """A row of pauses."""

    id: str
    match_id: str
    start_at: datetime
    end_at: datetime


def add(connection: Connection, pause: StoredPause) -> None:
    """Adds a pause to a locked match."""
    connection.execute(
        insert(pauses).values(id=pause.id, match_id=pause.match_id, start_at=pause.start_at, end_at=pause.end_at)
    )


def pause_at(connection: Connection, match_id: str, now: datetime) -> StoredPause | None:
    """The pause of a match that goes on at ``now``."""
    wanted = select(pauses).where(pauses.c.match_id == match_id, pauses.c.start_at <= now, pauses.c.end_at > now)
    row = connection.execute(wanted.order_by(pauses.c.end_at.desc()).limit(1)).one_or_none()
    return None if row is None else StoredPause(row.id, row.match_id, row.start_at, row.end_at)


def shorten(connection: Connection, pause: StoredPause, end_at: datetime) -> None:
    """Ends a pause of a locked match earlier."""
    connection.execute(update(pauses).where(pauses.c.id == pause.id).values(end_at=end_at))
