"""Judges pending turns, batch by batch, when a worker is woken, and stays a while for the next
ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from service.attendance import Attendance
from service.context import Judging
from service.queue import TURNS
from service.turns.batch import judge_oldest, judge_tried, settle_slow
from service.turns.rulings import OwnRulings, Rulings

AT_ONCE: Final = 64
LONGEST_SECONDS: Final = 10.0
"""How long a job goes on: between jobs RQ sends its heartbeat and obeys a request to stop."""
IDLE_SECONDS: Final = 2.0
"""How long a job waits for the next turn."""
SLICE_SECONDS: Final = 0.5
"""How long it waits before it looks whether it is to stop."""
SLOW_SLICE_SECONDS: Final = 0.05
TRIED_EVERY: Final = 8
"""After how many batches a turn that was tried before is tried again, also while others wait."""


def judge_pending(
    context: Judging, rulings: Rulings | None = None, stopping: Callable[[], object] = lambda: False
) -> int:
    """Judges pending turns, oldest first, and attends to the queue until there was none for
    ``IDLE_SECONDS``, ``stopping`` is true or ``LONGEST_SECONDS`` are over. Gives their number.

    Without ``rulings`` they are ruled on in this process.
    """
    rulings = rulings or OwnRulings(context.database, context.states)
    judged, number, found, rounds = 0, 1, False, 0
    with context.queue.attend(TURNS) as attendance:
        began = worked = context.timer()
        while True:
            if stopping() or context.timer() - began > LONGEST_SECONDS:
                judged += _finish(context, rulings)
                if attendance.leave() or found:
                    context.queue.wake_turns()
                return judged
            rounds += 1
            number, found = _round(context, rulings, rounds, 0 if number else SLOW_SLICE_SECONDS)
            judged += number
            if found:
                worked = context.timer()
            elif not _waits(rulings, attendance, context.timer() - worked):
                return judged


def _round(context: Judging, rulings: Rulings, number: int, patience: float) -> tuple[int, bool]:
    """Judges one batch; and a turn that was tried before, where no other waits, or for every
    ``TRIED_EVERY``-th ``number``. Waits at most ``patience`` seconds for a turn that is slow. Gives
    the number of turns judged, and whether there was anything to do.
    """
    rounds = [settle_slow(context, rulings, patience), judge_oldest(context, rulings, AT_ONCE)]
    if not rounds[-1].found or number % TRIED_EVERY == 0:
        rounds.append(judge_tried(context, rulings))
    return sum(len(each.judged) for each in rounds), any(each.found for each in rounds)


def _waits(rulings: Rulings, attendance: Attendance, idle: float) -> bool:
    """Waits for the next turn. Gives ``False`` where the job is to end."""
    slow = rulings.slow()
    heard = attendance.wait(SLOW_SLICE_SECONDS if slow else SLICE_SECONDS)
    if slow:
        return True
    if heard == "unavailable" or (heard == "nothing" and idle >= IDLE_SECONDS):
        if not attendance.leave():
            return False
        attendance.begin()
    return True


def _finish(context: Judging, rulings: Rulings) -> int:
    """Waits for the turns that take longer. Gives the number of turns judged."""
    judged = 0
    while rulings.slow():
        judged += len(settle_slow(context, rulings, SLOW_SLICE_SECONDS).judged)
    return judged
