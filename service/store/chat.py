"""What players say in a match and note on it. The lines of a chat are numbered from 1."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from engine.documents import About
from service.store.statements import Rows, replace_row
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


@dataclass(frozen=True, slots=True)
class Told:
    """Up to which line a player was told by mail, and by which notice last."""

    number: int = 0
    notice_id: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """What you have noted on a match, which nobody else sees."""

    text: Annotated[str, About("The note; empty where nothing is noted.")] = ""
    changed_at: Annotated[datetime | None, About("`null` where nothing is noted.")] = None


_LINES: Final = Rows(Line, chat_lines, {"name": players.c.name})
_TOLD: Final = Rows(Told, chat_told)
_NOTES: Final = Rows(Note, notes)


def add(connection: Connection, match_id: str, seat: int, player_id: str, text: str, now: datetime) -> int:
    """Adds a line, in a transaction that holds the lock of the match. Returns its number."""
    number = latest(connection, match_id) + 1
    row = {"match_id": match_id, "number": number, "seat": seat, "player_id": player_id, "at": now, "text": text}
    connection.execute(insert(chat_lines).values(row))
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
    wanted = _LINES.wanted.join(players, players.c.id == chat_lines.c.player_id)
    wanted = wanted.where(chat_lines.c.match_id == match_id, chat_lines.c.number > after)
    if up_to is not None:
        wanted = wanted.where(chat_lines.c.number <= up_to)
    if without:
        wanted = wanted.where(chat_lines.c.player_id.not_in(without))
    return _LINES.every(connection, wanted.order_by(chat_lines.c.number).limit(limit))


def replace_text(connection: Connection, match_id: str, number: int, text: str) -> None:
    line = (chat_lines.c.match_id == match_id) & (chat_lines.c.number == number)
    connection.execute(update(chat_lines).where(line).values(text=text))


def latest(connection: Connection, match_id: str) -> int:
    """The number of the latest line of a match; 0 where nothing was said."""
    return connection.scalar(select(func.max(chat_lines.c.number)).where(chat_lines.c.match_id == match_id)) or 0


def lock_told(connection: Connection, match_id: str, player_id: str) -> Told:
    """Up to which line of a match a player was told, or is being told, locked."""
    mine = chat_told.c.match_id == match_id, chat_told.c.player_id == player_id
    return _TOLD.find(connection, *mine, lock=True) or Told()


def tell(connection: Connection, match_id: str, player_id: str, told: Told) -> None:
    """Records up to which line a player is told, and by which notice."""
    replace_row(connection, chat_told, {"match_id": match_id, "player_id": player_id} | _TOLD.values(told))


def find_note(connection: Connection, match_id: str, player_id: str) -> Note:
    return _NOTES.find(connection, *_noted(match_id, player_id)) or Note()


def put_note(connection: Connection, match_id: str, player_id: str, text: str, now: datetime) -> None:
    """Replaces the player's note on that match; an empty text deletes it."""
    if text:
        row = {"match_id": match_id, "player_id": player_id, "text": text, "changed_at": now}
        replace_row(connection, notes, row)
    else:
        connection.execute(delete(notes).where(*_noted(match_id, player_id)))


def _noted(match_id: str, player_id: str) -> tuple[ColumnElement[bool], ...]:
    return notes.c.match_id == match_id, notes.c.player_id == player_id
