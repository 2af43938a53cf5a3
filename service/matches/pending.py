"""The pending turns, worked off: what a worker does when it is woken."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Final

import structlog

from service.matches.judging import judge
from service.store import turns as rows

if TYPE_CHECKING:
    from service.wiring import Overland

AT_ONCE: Final = 64
LONGEST_SECONDS: Final = 0.8
"""After so long a worker lets RQ breathe: its heartbeat, its wish to stop. Whatever is left, it wakes the next job for."""

log = structlog.get_logger(__name__)


def judge_pending(overland: Overland) -> int:
    """Judges pending turns, oldest first, until there is none or the time is up; answers how many.

    A turn that cannot be judged, because the database or the rules fail, takes no other along: it stays pending, is noted, and is tried with the next job.
    """
    began, judged, failed = monotonic(), 0, set[str]()
    while True:
        with overland.database.read() as connection:
            found = [turn_id for turn_id in rows.pending(connection, AT_ONCE + len(failed)) if turn_id not in failed]
        if not found:
            return judged
        for turn_id in found:
            if monotonic() - began > LONGEST_SECONDS:
                overland.queue.wake_turns()
                return judged
            try:
                judge(overland, turn_id)
                judged += 1
            except Exception:
                failed.add(turn_id)
                log.exception("turn.not_judged", turn=turn_id)
