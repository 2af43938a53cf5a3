"""What players say in a match and note on it, in the database. The lines of a chat are numbered
from 1 in the order of their storing.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select

from service.store.rows import insert_into
from service.store.tables import chat_lines, chat_told, notes, players


@dataclass(frozen=True, slots=True)
class Line:
    """What a seat said: ``name`` is its player's present name."""

    number: int
    seat: int
    player_id: str
    name: str
    at: datetime
    text: str


def add(connection: Connection, match_id: str, seat: int, player_id: str, text: str, now: datetime) -> int:
    """Adds a line, in a transaction that holds the lock of the match. Returns its number."""
    number = latest(connection, match_id) + 1
    connection.execute(
        insert(chat_lines).values(match_id=match_id, number=number, seat=seat, player_id=player_id, at=now, text=text)
    )
    return number


def lines(
    connection: Connection,
    match_id: str,
    after: int,
    limit: int,
    up_to: int | None = None,
    without: Collection[str] = (),
) -> tuple[Line, ...]:
    """Up to ``limit`` lines of a match with a number above ``after``, and at most ``up_to``, in
    order, leaving out those of the players ``without``.
    """
    wanted = _LINES.where(chat_lines.c.match_id == match_id, chat_lines.c.number > after)
    if up_to is not None:
        wanted = wanted.where(chat_lines.c.number <= up_to)
    if without:
        wanted = wanted.where(chat_lines.c.player_id.not_in(without))
    return tuple(_line(row) for row in connection.execute(wanted.order_by(chat_lines.c.number).limit(limit)))


def latest(connection: Connection, match_id: str) -> int:
    """The number of the latest line of a match; 0 where nothing was said."""
    of_match = chat_lines.c.match_id == match_id
    return connection.execute(select(func.max(chat_lines.c.number)).where(of_match)).scalar() or 0


@dataclass(frozen=True, slots=True)
class Told:
    """Up to which line a player was told by mail, and by which notice last."""

    number: int = 0
    notice_id: str = ""


def lock_told(connection: Connection, match_id: str, player_id: str) -> Told:
    """Up to which line of a match a player was told, or is being told, locked until the end of the
    transaction.
    """
    mine = (chat_told.c.match_id == match_id) & (chat_told.c.player_id == player_id)
    row = connection.execute(select(chat_told).where(mine).with_for_update()).one_or_none()
    return Told() if row is None else Told(row.number, row.notice_id)


def tell(connection: Connection, match_id: str, player_id: str, told: Told) -> None:
    """Records up to which line a player is told, and by which notice."""
    new = insert_into(connection, chat_told).values(
        match_id=match_id, player_id=player_id, number=told.number, notice_id=told.notice_id
    )
    connection.execute(
        new.on_conflict_do_update(
            index_elements=["match_id", "player_id"],
            set_={"number": new.excluded.number, "notice_id": new.excluded.notice_id},
        )
    )


_LINES = select(chat_lines, players.c.name).join(players, players.c.id == chat_lines.c.player_id)


def _line(row: Row[Any]) -> Line:
    return Line(row.number, row.seat, row.player_id, row.name, row.at, row.text)


@dataclass(frozen=True, slots=True)
class Note:
    """What a player has noted on a match; ``changed_at`` is ``None`` where nothing is noted."""

    text: str = ""
    changed_at: datetime | None = None


def find_note(connection: Connection, match_id: str, player_id: str) -> Note:
    """The player's note on that match."""
    mine = (notes.c.match_id == match_id) & (notes.c.player_id == player_id)
    row = connection.execute(select(notes).where(mine)).one_or_none()
    return Note() if row is None else Note(row.text, row.changed_at)


def put_note(connection: Connection, match_id: str, player_id: str, text: str, now: datetime) -> None:
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
