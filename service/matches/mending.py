"""Matches whose log cannot be read: they are marked by whoever finds that, their turns are held,
and they go on when the host has mended them (``overland matches check``), or where only the version
of the rules was missing, when the sweeper sees it come back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Final, TypeVar

import structlog
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from service.clocks.spans import instant
from service.context import Context
from service.errors import Overloaded
from service.matches import replays, timekeeping
from service.matches.replays import MatchUnreadable, ruled
from service.store import clocks, maintenance, match_lists, matches, turns
from service.store.clocks import StoredPause
from service.store.matches import StoredMatch
from service.waits import apart

Made = TypeVar("Made")
MISSING_RULES: Final = "rules_version_missing"
_log = structlog.get_logger(__name__)


def report(context: Context, error: MatchUnreadable) -> None:
    """Marks the match that could not be read, as ``mark`` does; outside of any transaction. Where
    the database cannot be written, it stays unmarked until it is read again.
    """
    if not error.reason:
        return
    try:
        apart(lambda: mark(context, error.match_id, error.mended, error.code, error.reason))
    except (SQLAlchemyError, Overloaded) as failure:
        _log.warning("match.not_marked", match=error.match_id, error=type(failure).__name__)


def of_several(context: Context, match_id: str, make: Callable[[], Made]) -> Made | None:
    """What is made of one of several matches, or is one of the things that are shown of a match;
    ``None`` where it cannot be read or its rules fail at that: the rest is shown all the same.
    """
    try:
        with ruled(match_id):
            return make()
    except MatchUnreadable as error:
        report(context, error)
    return None


def mark(context: Context, match_id: str, mended: str | None, reason: str, error: str) -> None:
    """Marks a match as unreadable, holds its turns, and logs ``error``; unless there is a
    maintenance, or it was mended after it was read: ``mended`` is the ``unreadable_reason`` that
    was read. Of one that is marked already, the turns are held that were stored since: each batch
    would begin with them.
    """
    with context.database.write() as connection:
        match = matches.lock(connection, match_id)
        if match is not None and match.unreadable_at is not None:
            turns.hold(connection, match_id)
            return
        if match is None or match.unreadable_reason != mended:
            return
        if maintenance.find(connection) is not None:
            return
        matches.set_unreadable(connection, match_id, reason, context.clock())
        turns.hold(connection, match_id)
    _log.error("match.unreadable", match=match_id, reason=reason, error=error)


def wake(connection: Connection, match: StoredMatch, now: datetime) -> None:
    """Lets a locked match that can be read again go on: it was an outage of that match."""
    assert match.unreadable_at is not None
    matches.set_mended(connection, match.id, now)
    outage = StoredPause(f"{match.id} {instant(now)}", match.id, match.unreadable_at, now, "outage")
    clocks.add_pause(connection, outage)
    timekeeping.reschedule(connection, [replace(match, unreadable_at=None)], now)
    turns.release(connection, match.id)


def due(context: Context) -> tuple[str, ...]:
    """The matches whose version of the rules was missing, by id."""
    with context.database.look() as connection:
        return match_lists.unreadable_for(connection, MISSING_RULES)


def wake_one(context: Context, match_id: str) -> int:
    """Wakes a match if the version of its rules is installed now. Returns whether it is."""
    with context.database.write() as connection:
        match = matches.lock(connection, match_id)
        if match is None or match.unreadable_reason != MISSING_RULES or not replays.at_hand(match):
            return 0
        wake(connection, match, context.clock())
    _log.info("match.readable_again", match=match_id)
    context.queue.wake_turns()
    return 1
