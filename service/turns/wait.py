"""Waits for a verdict without polling the database: the thread is woken when it is announced.

An announcement may get lost with Redis, so the row is read every ``LONGEST_SILENCE`` seconds in any
case.
"""

from __future__ import annotations

from threading import Event
from typing import Final

from service.context import Submitting
from service.store.matches import StoredMatch
from service.store.turns import StoredTurn
from service.turns.lookup import shown_with
from service.turns.types import Turn

LONGEST_SILENCE: Final = 1.5
"""Seconds after which the row is read, announced or not."""


def until_judged(context: Submitting, match: StoredMatch, turn: StoredTurn, announced: Event, seconds: float) -> Turn:
    """The queued turn of that match, as soon as it is judged, or as it is after so many seconds;
    ``announced`` is set when its verdict is there.
    """
    shown, deadline = shown_with(context, match, turn, None), context.timer() + seconds
    while shown.status == "queued" and (left := deadline - context.timer()) > 0:
        announced.wait(min(left, LONGEST_SILENCE))
        announced.clear()
        shown = looked_up(context, match, turn)
    return shown


def looked_up(context: Submitting, match: StoredMatch, turn: StoredTurn) -> Turn:
    """The turn of that match as the database has it now."""
    return shown_with(context, match, turn, context.batched.verdict(context.database, turn.id))
