"""The private notes of players on their matches, in the database."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, select

from service.store.conflicts import insert_into
from service.store.tables import notes


@dataclass(frozen=True, slots=True)
class Note:
    """What a player has noted on a match; ``changed_at`` is ``None`` where nothing is noted."""

    text: str = ""
    changed_at: datetime | None = None


def find(connection: Connection, match_id: str, player_id: str) -> Note:
    """The player's note on that match."""
    mine = (notes.c.match_id == match_id) & (notes.c.player_id == player_id)
    row = connection.execute(select(notes).where(mine)).one_or_none()
    return Note() if row is None else Note(row.text, row.changed_at)


def put(connection: Connection, match_id: str, player_id: str, text: str, now: datetime) -> None:
    """Replaces the player's note on that match; an empty text deletes it."""
    if not text:
        connection.execute(delete(notes).where(notes.c.match_id == match_id, notes.c.player_id == player_id))
        return
    new = insert_into(connection, notes).values(match_id=match_id, player_id=player_id, text=text, changed_at=now)
    connection.execute(
        new.on_conflict_do_update(
            index_elements=["match_id", "player_id"],
            set_={"text": new.excluded.text, "changed_at": new.excluded.changed_at},
        )
    )
