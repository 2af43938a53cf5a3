"""Matches whose log cannot be read: they are marked by whoever finds that, their waiting turns are
held, and they go on when they have been mended.

A log is mended by the host, by hand or with a backup; ``overland matches check`` finds that it can
be read again. Where only the version of the rules is missing, the sweeper sees it come back.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

import structlog
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from service.context import Marking, Stored
from service.errors import Overloaded
from service.matches import replays
from service.matches.replays import MatchUnreadable
from service.store import maintenance, matches, turns
from service.waits import apart

MISSING_RULES: Final = "rules_version_missing"
AT_ONCE: Final = 1000
_log = structlog.get_logger(__name__)


def report(context: Marking, error: MatchUnreadable) -> None:
    """Marks the match that could not be read, unless it is marked already or there is a
    maintenance. Call it outside of any transaction.

    Where the database cannot be written, the match stays unmarked until it is read again.
    """
    if not error.reason:
        return
    try:
        apart(lambda: _report(context, error))
    except (SQLAlchemyError, Overloaded) as failure:
        _log.warning("match.not_marked", match=error.match_id, error=type(failure).__name__)


def _report(context: Marking, error: MatchUnreadable) -> None:
    with context.database.write() as connection:
        match = matches.find(connection, error.match_id)
        if match is None or match.unreadable_at is not None or maintenance.find(connection) is not None:
            return
        mark(connection, match.id, error.code, context.clock())
    _log.error("match.unreadable", match=match.id, reason=error.code, error=error.reason)


def mark(connection: Connection, match_id: str, reason: str, now: datetime) -> None:
    """Marks a match as unreadable, and holds its turns."""
    matches.set_unreadable(connection, match_id, reason, now)
    turns.hold(connection, match_id)


def wake(connection: Connection, match_id: str, now: datetime) -> None:
    """Lets a match that can be read again go on."""
    matches.set_unreadable(connection, match_id, None, now)
    turns.release(connection, match_id)


def wake_those_with_rules(context: Stored, now: datetime) -> tuple[str, ...]:
    """Wakes the matches whose version of the rules was missing and is installed now. Gives their
    ids.
    """
    with context.database.read() as connection:
        marked = matches.unreadable(connection, AT_ONCE)
    ready = tuple(m.id for m in marked if m.unreadable_reason == MISSING_RULES and replays.at_hand(m))
    for match_id in ready:
        with context.database.write() as connection:
            wake(connection, match_id, now)
    return ready
