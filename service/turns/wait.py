"""Waits for a verdict: the request is woken by its announcement instead of polling the database.

An announcement may be lost with Redis, so the row is also read every ``LONGEST_SILENCE`` seconds.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Final

from service.context import Context
from service.store.matches import StoredMatch
from service.store.turns import StoredTurn
from service.turns.lookup import looked_up, queued
from service.turns.types import Turn
from service.waits import Signal, signal

LONGEST_SILENCE: Final = 1.5
"""Seconds after which the row is read without an announcement."""


def expecting(context: Context, turn: StoredTurn, seconds: float) -> AbstractContextManager[Signal]:
    """The signal for ``until_judged``; a request that does not wait subscribes to nothing."""
    return context.queue.expecting(turn.match_id, turn.id) if seconds > 0 else nullcontext(signal())


def until_judged(context: Context, match: StoredMatch, turn: StoredTurn, announced: Signal, seconds: float) -> Turn:
    """Returns the queued turn as soon as it is judged, or as it is after ``seconds``; ``announced``
    is set when its verdict is committed.
    """
    shown, deadline = queued(turn), context.timer() + seconds
    while shown.status == "queued" and (left := deadline - context.timer()) > 0:
        announced.wait(min(left, LONGEST_SILENCE))
        announced.clear()
        shown = looked_up(context, match, turn)
    return shown
