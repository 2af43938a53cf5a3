"""Judges pending turns, batch by batch, and stays a while for the next ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from service import loop, parts
from service.context import Context
from service.loop import Loop
from service.queue import TURNS, Attendance, Heard
from service.turns.batch import Round, judge_oldest, judge_tried, settle_slow
from service.turns.judge import OwnRulings
from service.turns.rulings import Rulings

AT_ONCE: Final = 64
LONGEST_SECONDS: Final = 10.0
"""How long a job goes on: between jobs RQ sends its heartbeat and obeys a request to stop."""
IDLE_SECONDS: Final = 2.0
"""How long a job waits for the next turn."""
SLICE_SECONDS: Final = 0.5
"""How long it waits before it looks whether it is to stop."""
SLOW_SLICE_SECONDS: Final = 0.05
TRIED_EVERY: Final = 8
"""In one of so many batches a turn that was tried before is tried, also while others wait."""


def judge_pending(
    context: Context, rulings: Rulings | None = None, stopping: Callable[[], object] = lambda: False
) -> int:
    """Judges pending turns, oldest first, and attends to the queue until there was none for
    ``IDLE_SECONDS``, ``stopping`` is true or ``LONGEST_SECONDS`` are over. Returns their number.

    Without ``rulings`` they are ruled on in this process.
    """
    rulings = rulings or OwnRulings(context.database, context.states)
    batches, judged, more = _Batches(context, rulings), 0, False
    with context.queue.attend(TURNS) as attendance:
        began = worked = context.timer()
        woken = False  # by a note that nobody else has
        while True:
            stops, over = bool(stopping()), context.timer() - began > LONGEST_SECONDS
            if stops or (over and not woken):
                judged += _finish(context, rulings)
                if attendance.leave() or more or woken:
                    context.queue.wake_turns()
                return judged
            with parts.ended_after(loop.TERMS[Loop.TURNS].seconds):
                done, woken = batches.judge(), False
            judged, more = judged + len(done.judged), done.more
            if done.found:
                worked = context.timer()
            # A row that is written after it was looked for causes a note.
            if not more and not over:
                heard = _wait(rulings, attendance, context.timer() - worked)
                if heard is None:
                    return judged
                woken = heard == "woken"


@dataclass(slots=True)
class _Batches:
    """Judges batch by batch; ``suspects``: there may be turns that were tried before."""

    context: Context
    rulings: Rulings
    number: int = 0
    suspects: bool = True
    idle: bool = False

    def judge(self) -> Round:
        """Judges turns that were slow, waiting a moment if idle; one batch; and a turn that was
        tried before, where no other waits, or every ``TRIED_EVERY``-th time.
        """
        slow = settle_slow(self.context, self.rulings, SLOW_SLICE_SECONDS if self.idle else 0)
        batch = judge_oldest(self.context, self.rulings, AT_ONCE)
        done = [slow, batch]
        self.suspects |= slow.more or batch.more
        if self.number % TRIED_EVERY == 0 or not batch.found or (self.suspects and not batch.more):
            tried = judge_tried(self.context, self.rulings)
            self.suspects = tried.found
            done.append(tried)
        self.number += 1
        judged = tuple(turn_id for each in done for turn_id in each.judged)
        self.idle = not judged
        return Round(judged, any(each.found for each in done), any(each.more for each in done))


def _wait(rulings: Rulings, attendance: Attendance, idle: float) -> Heard | None:
    """Waits for the next turn. Returns what was heard; ``None`` where the job is to end."""
    slow = rulings.slow()
    heard = attendance.wait(SLOW_SLICE_SECONDS if slow else SLICE_SECONDS)
    if slow or heard == "woken" or (heard == "nothing" and idle < IDLE_SECONDS):
        return heard
    if not attendance.leave():
        return None
    attendance.begin()
    return "woken"


def _finish(context: Context, rulings: Rulings) -> int:
    """Waits for the turns that take longer. Returns the number of turns judged."""
    judged = 0
    while rulings.slow():
        judged += len(settle_slow(context, rulings, SLOW_SLICE_SECONDS).judged)
    return judged
