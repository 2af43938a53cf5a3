"""Matches whose log cannot be read: they are marked, their waiting turns are held, and they go on
when they have been mended.

A log is mended by the host, by hand or with a backup; ``overland matches check`` finds that it can
be read again. Where only the version of the rules is missing, the sweeper sees it come back.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from service.context import Stored
from service.matches import replays
from service.store import matches, turns

MISSING_RULES: Final = "rules_version_missing"
AT_ONCE: Final = 1000


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
