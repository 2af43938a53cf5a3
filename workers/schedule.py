"""The sweeper: wakes workers for what the database knows and the queue has lost.

Jobs get lost when Redis is wiped, when it was away, or when a worker is killed with a job in its hand. The rows are still there: turns that
nobody judged, notices that are due. Every so many seconds the sweeper wakes a worker for each. Two sweepers, or a job that was not lost
after all, do no harm: whoever comes second finds nothing to do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

import structlog

from service.store import outbox, turns
from service.wiring import Overland
from workers.listen import Stop

PATIENCE: Final = timedelta(seconds=3)
"""How long a fresh row is left to the job that was queued with it."""
LONGEST_PAUSE: Final = timedelta(seconds=60)
AT_ONCE: Final = 500

_log = structlog.get_logger("workers.sweeper")


@dataclass(slots=True)
class Reminders:
    """What was woken for, and when it may be again: each time twice as long, so that a long queue is not made longer with every sweep."""

    first_pause: timedelta
    _pauses: dict[str, tuple[datetime, timedelta]] = field(default_factory=dict)

    def due(self, ids: Iterable[str], now: datetime) -> list[str]:
        """Those of the ids to wake for now. Ids that are no longer pending are forgotten."""
        chosen, kept = [], {}
        for item in ids:
            again, pause = self._pauses.get(item, (now, self.first_pause))
            if again <= now:
                chosen.append(item)
                again, pause = now + pause, min(pause * 2, LONGEST_PAUSE)
            kept[item] = (again, pause)
        self._pauses = kept
        return chosen


@dataclass(frozen=True, slots=True)
class Swept:
    """What one sweep woke workers for."""

    turns: tuple[str, ...]
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sweeper:
    """Remembers between sweeps what it woke for."""

    overland: Overland
    turns: Reminders
    notices: Reminders

    def sweep(self) -> Swept:
        """One sweep."""
        now = self.overland.clock()
        with self.overland.database.read() as connection:
            lost_turns = turns.pending(connection, now - PATIENCE, AT_ONCE)
            due_notices = outbox.due(connection, now, AT_ONCE)
        swept = Swept(tuple(self.turns.due(lost_turns, now)), tuple(self.notices.due(due_notices, now)))
        for turn_id in swept.turns:
            self.overland.queue.wake_turn(turn_id)
        for notice_id in swept.notices:
            self.overland.queue.wake_notice(notice_id)
        return swept


def sweeper(overland: Overland) -> Sweeper:
    """A sweeper that remembers nothing yet."""
    pause = timedelta(seconds=overland.settings.sweep_seconds)
    return Sweeper(overland, Reminders(pause), Reminders(pause))


def sweep_until(overland: Overland, stop: Stop) -> None:
    """Sweeps again and again until the end is asked for. Nothing that goes wrong in one sweep ends the next."""
    sweeping = sweeper(overland)
    _log.info("sweeping", every_seconds=overland.settings.sweep_seconds)
    while not stop:
        try:
            swept = sweeping.sweep()
            if swept.turns or swept.notices:
                _log.info("woke workers", turns=len(swept.turns), notices=len(swept.notices))
        except Exception:
            _log.exception("sweep failed")
        stop.wait(overland.settings.sweep_seconds)
    _log.info("stopped")
