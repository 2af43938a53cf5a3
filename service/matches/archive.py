"""The archive: a match without a clock that nobody visits for 30 days waits there until one of its
players comes back. Two mails say so before. Nothing of it is changed meanwhile.

The sweeper finds the matches (``due``), and looks at each again with its match locked, so that
several sweepers, and sweeps that are missed, do nothing twice.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, Literal, TypeAlias

import structlog
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from engine.types import Seat
from service.clocks.spans import instant
from service.context import Context
from service.events.gate import tell
from service.matches.access import check_on, existing, match_seen_by, seat_in
from service.matches.progress import notice_for
from service.matches.types import Match
from service.payloads import Shelved
from service.players.admission import admitted
from service.store import match_lists as rows
from service.store import matches as match_rows
from service.store import turns as turn_rows
from service.store.events import News
from service.store.match_lists import Shelf
from service.store.matches import StoredMatch
from service.store.players import Player

ArchiveStep: TypeAlias = Literal["soon", "archived", "reopened"]
MAILS: Final = (timedelta(days=14), timedelta(days=27))
"""The mails are written when nobody has visited a match for so long."""
UNVISITED: Final = timedelta(days=30)
"""After so long a match is archived."""
NOTICE: Final = timedelta(days=3)
"""There is at least so much time after each mail."""
ONCE: Final = timedelta(days=1)
"""Visits are noted at most so often."""

log = structlog.get_logger(__name__)


def begun(connection: Connection, match: StoredMatch, now: datetime) -> None:
    """Has a match that begins, and has no clock, looked after."""
    if match.clock is None:
        rows.write_shelf(connection, match.id, _visited(now))


def visit(context: Context, player: Player, match_id: str) -> None:
    """Notes that a player has looked at a match, if they have a seat in it, and the database takes
    it; not during a maintenance, in which nothing is written.
    """
    now = context.clock()
    try:
        if context.maintenance() is not None:
            return
        with context.database.read() as connection:
            stale = rows.is_stale(connection, match_id, player.id, now - ONCE)
        if stale:
            with context.database.write() as connection:
                match = match_rows.lock(connection, match_id)
                if match is not None and match.status == "running":
                    rows.write_shelf(connection, match_id, _visited(now))
    except SQLAlchemyError as error:
        log.warning("visit.not_noted", match=match_id, error=type(error).__name__)


def due(context: Context) -> tuple[str, ...]:
    """The matches that are to be looked at, the longest due first."""
    with context.database.look() as connection:
        return rows.due_for_archive(connection, context.clock())


def look_at(context: Context, match_id: str) -> int:
    """Writes the mails that are due, or archives the match. Returns how much was done."""
    with context.database.write() as connection:
        match = existing(match_rows.lock(connection, match_id), match_id)
        done = _look_at(connection, match, context.clock())
    if done:
        context.queue.wake_notices()
    return done


def reopen(context: Context, player: Player, match_id: str) -> Match:
    """Takes a match out of the archive, if it is there. Raises as ``seat_in`` and ``check_on``."""
    now = context.clock()
    with context.database.write() as connection:
        match = admitted(connection, match_rows.lock(connection, match_id), match_id, player)
        seat = seat_in(match, player)
        check_on(match, seat)
        if match.status == "archived":
            match_rows.set_status(connection, match.id, "running", match.started_at or now)
            rows.write_shelf(connection, match.id, _visited(now))
            _tell(connection, match, "reopened", seat, None, now)
        match = existing(match_rows.find(connection, match_id), match_id)
    context.queue.wake_notices()
    context.queue.wake_bots()
    return match_seen_by(match, player.id)


def _look_at(connection: Connection, match: StoredMatch, now: datetime) -> int:
    shelf = rows.shelf_of(connection, match.id)
    if shelf is None or shelf.due_at is None or shelf.due_at > now:  # another sweeper was here
        return 0
    if match.status != "running":
        rows.write_shelf(connection, match.id, replace(shelf, due_at=None))
        return 0
    played = rows.last_turn(connection, match.id)
    if played is not None and played > shelf.visited_at:
        shelf = _visited(played)
    due = _due(shelf)
    if due > now:
        rows.write_shelf(connection, match.id, replace(shelf, due_at=due))
        return 0
    if shelf.mails < len(MAILS):
        shelf = replace(shelf, mails=shelf.mails + 1)
        shelf = replace(shelf, due_at=max(_due(shelf), now + NOTICE))
        rows.write_shelf(connection, match.id, shelf)
        ends = max(shelf.visited_at + UNVISITED, now + NOTICE * (len(MAILS) + 1 - shelf.mails))
        _tell(connection, match, "soon", None, instant(ends), now)
    elif turn_rows.waiting(connection, [match.id]):
        rows.write_shelf(connection, match.id, replace(shelf, due_at=now + ONCE))
        return 0
    else:
        rows.write_shelf(connection, match.id, replace(shelf, due_at=None))
        match_rows.set_status(connection, match.id, "archived", now)
        _tell(connection, match, "archived", None, None, now)
    return 1


def _due(shelf: Shelf) -> datetime:
    """When the next mail is due or, after the last, that the match is archived."""
    return shelf.visited_at + (*MAILS, UNVISITED)[shelf.mails]


def _visited(now: datetime) -> Shelf:
    return Shelf(now, now + MAILS[0])


def _tell(
    connection: Connection, match: StoredMatch, step: ArchiveStep, by: Seat | None, until: int | None, now: datetime
) -> None:
    """Tells all people who play but the one who did it."""
    sender = None if by is None else match.seats[by].player_id
    told = tuple(
        notice_for(match, seat.seat, "archive", Shelved(seat.seat, match.ply, step, by, until), sender)
        for seat in match.seats
        if seat.player_id is not None and seat.resigned_at is None and seat.seat != by
    )
    tell(connection, [News(match.id, "archive", "all", seat=by, ply=match.ply, notices=told)], now)
