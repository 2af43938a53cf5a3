"""The sweeper: wakes workers for what the database knows and the queue has lost.

Jobs get lost when Redis is wiped, when it was away, or when a worker is killed with a job in its hand. The rows are still there: turns that
nobody judged, notices that are due. Every so many seconds the sweeper wakes a worker if there are any. Two sweepers, or a job that was not lost
after all, do no harm: wake-ups are coalesced, and whoever comes second finds nothing to do.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import structlog

from service.store import outbox, turns
from service.wiring import Overland
from workers.listen import Stop

PATIENCE: Final = timedelta(seconds=3)
"""How long a fresh row is left to the job that was queued with it."""
AT_ONCE: Final = 500

_log = structlog.get_logger("workers.sweeper")


@dataclass(frozen=True, slots=True)
class Swept:
    """How many turns and notices one sweep woke workers for."""

    turns: int
    notices: int


def sweep(overland: Overland) -> Swept:
    """One sweep."""
    now = overland.clock()
    with overland.database.read() as connection:
        swept = Swept(len(turns.pending(connection, AT_ONCE, now - PATIENCE)), len(outbox.due(connection, now, AT_ONCE)))
    if swept.turns:
        overland.queue.wake_turns()
    if swept.notices:
        overland.queue.wake_notices()
    return swept


def sweep_until(overland: Overland, stop: Stop) -> None:
    """Sweeps again and again until the end is asked for. Nothing that goes wrong in one sweep ends the next."""
    _log.info("sweeping", every_seconds=overland.settings.sweep_seconds)
    while not stop:
        try:
            swept = sweep(overland)
            if swept.turns or swept.notices:
                _log.info("woke workers", turns=swept.turns, notices=swept.notices)
        except Exception:
            _log.exception("sweep failed")
        stop.wait(overland.settings.sweep_seconds)
    _log.info("stopped")
