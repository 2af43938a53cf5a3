"""Waits for a verdict: the request is woken by its announcement instead of polling the database.

An announcement may be lost with Redis, or go to another process of an earlier request, so the row
is also read every ``LONGEST_SILENCE`` seconds.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Final

from service.announcements import Waiter
from service.context import Context
from service.store.matches import StoredMatch
from service.store.turns import StoredTurn
from service.turns.lookup import as_told, looked_up, queued
from service.turns.types import Turn

LONGEST_SILENCE: Final = 1.5
"""Seconds after which the row is read without an announcement."""


def expecting(context: Context, turn: StoredTurn, seconds: float) -> AbstractContextManager[Waiter]:
    """The waiter for ``until_judged``; to a request that does not wait nothing is announced."""
    return context.queue.expecting(turn.id) if seconds > 0 else nullcontext(Waiter())


def until_judged(context: Context, match: StoredMatch, turn: StoredTurn, waiter: Waiter, seconds: float) -> Turn:
    """Returns the queued turn as soon as its verdict is announced or found, or as it is after
    ``seconds``.
    """
    shown, deadline = queued(turn), context.timer() + seconds
    while shown.status == "queued" and (left := deadline - context.timer()) > 0:
        handed = waiter.wait(min(left, LONGEST_SILENCE))
        shown = looked_up(context, match, turn) if handed is None else as_told(turn, handed)
    return shown
