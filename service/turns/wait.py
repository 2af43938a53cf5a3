"""Waits for a verdict: the thread is woken by its announcement instead of polling the database.

An announcement may be lost with Redis, so the row is also read every ``LONGEST_SILENCE`` seconds.
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
"""Seconds after which the row is read without an announcement."""


def until_judged(context: Submitting, match: StoredMatch, turn: StoredTurn, announced: Event, seconds: float) -> Turn:
    """Gives the queued turn as soon as it is judged, or as it is after ``seconds``; ``announced``
    is set when its verdict is committed.
    """
    shown, deadline = shown_with(context, match, turn, None), context.timer() + seconds
    while shown.status == "queued" and (left := deadline - context.timer()) > 0:
        announced.wait(min(left, LONGEST_SILENCE))
        announced.clear()
        shown = looked_up(context, match, turn)
    return shown


def looked_up(context: Submitting, match: StoredMatch, turn: StoredTurn) -> Turn:
    """The turn with its present status and verdict."""
    return shown_with(context, match, turn, context.batched.verdict(context.database, turn.id))
