"""The chat of a match, in the database: lines numbered from 1 in the order of their storing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select

from service.store.tables import chat_lines, players


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
    """Adds a line, in a transaction that holds the lock of the match. Gives its number."""
    latest = connection.execute(select(func.max(chat_lines.c.number)).where(chat_lines.c.match_id == match_id)).scalar()
    number = (latest or 0) + 1
    connection.execute(
        insert(chat_lines).values(match_id=match_id, number=number, seat=seat, player_id=player_id, at=now, text=text)
    )
    return number


def lines(connection: Connection, match_id: str, after: int, limit: int, up_to: int | None = None) -> tuple[Line, ...]:
    """Up to ``limit`` lines of a match with a number above ``after``, and at most ``up_to``, in
    order.
    """
    wanted = _LINES.where(chat_lines.c.match_id == match_id, chat_lines.c.number > after)
    if up_to is not None:
        wanted = wanted.where(chat_lines.c.number <= up_to)
    return tuple(_line(row) for row in connection.execute(wanted.order_by(chat_lines.c.number).limit(limit)))


def said_since(connection: Connection, match_id: str, player_id: str, since: datetime) -> int:
    """How many lines of a match a player has added since a time."""
    mine = (chat_lines.c.match_id == match_id) & (chat_lines.c.player_id == player_id) & (chat_lines.c.at > since)
    return connection.execute(select(func.count()).select_from(chat_lines).where(mine)).scalar_one()


_LINES = select(chat_lines, players.c.name).join(players, players.c.id == chat_lines.c.player_id)


def _line(row: Row[Any]) -> Line:
    return Line(row.number, row.seat, row.player_id, row.name, row.at, row.text)
