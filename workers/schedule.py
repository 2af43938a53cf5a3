"""The sweeper: wakes workers for what the database knows and the queue has lost.

Jobs get lost when Redis is wiped, when it was away, or when a worker is killed with a job in its
hand. The rows are still there: turns that nobody judged, notices that are due. Every so many
seconds the sweeper looks, and wakes a worker if there are any. It remembers nothing that matters:
several may run, on several machines, and a job that was not lost after all does no harm. Wake-ups
are coalesced, and whoever comes second finds nothing to do.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from service.context import Context, Timer
from service.store import outbox, survey
from service.vitals import SWEEPERS
from workers.listen import Stop

PATIENCE: Final = timedelta(seconds=2)
"""How long a fresh turn is left to the job that was queued with it."""
QUIET_SECONDS: Final = 60.0
"""How long the same message is not logged again."""

_log = structlog.get_logger("workers.sweeper")


@dataclass(frozen=True, slots=True)
class Swept:
    """Whether one sweep found turns that wait for longer than they should, and notices that are
    due.
    """

    turns: bool
    notices: bool


@dataclass(slots=True)
class LogThrottle:
    """Allows the same message once in ``QUIET_SECONDS``: a long outage must not fill the log."""

    timer: Timer
    _logged: dict[str, float] = field(default_factory=dict)

    def allows(self, message: str) -> bool:
        """Whether the message may be logged now, for the first time or again; counts as logging
        it.
        """
        now = self.timer()
        if message in self._logged and now - self._logged[message] < QUIET_SECONDS:
            return False
        self._logged[message] = now
        return True

    def reset(self, message: str) -> None:
        """What the message is about is over: the next time it is logged at once."""
        self._logged.pop(message, None)


def sweep(context: Context) -> Swept:
    """One sweep."""
    now = context.clock()
    with context.database.read() as connection:
        swept = Swept(survey.turns_wait(connection, now, PATIENCE), bool(outbox.due(connection, now, 1)))
    context.vitals.beat(SWEEPERS)
    if swept.turns:
        context.queue.wake_turns()
    if swept.notices:
        context.queue.wake_notices()
    return swept


def sweep_until(context: Context, stop: Stop) -> None:
    """Sweeps again and again until the end is asked for.

    Nothing that goes wrong in one sweep ends the next.
    """
    throttle = LogThrottle(context.timer)
    _log.info("sweeping", every_seconds=context.settings.sweep_seconds)
    while not stop:
        try:
            _log_result(throttle, sweep(context))
        except SQLAlchemyError as error:
            if throttle.allows("database"):
                _log.warning("cannot sweep", error=str(getattr(error, "orig", None) or error).strip().splitlines()[0])
        except Exception:
            _log.exception("sweep failed")
        stop.wait(context.settings.sweep_seconds)
    _log.info("stopped")


def _log_result(throttle: LogThrottle, swept: Swept) -> None:
    throttle.reset("database")
    for queue, found in (("turns", swept.turns), ("notices", swept.notices)):
        if not found:
            throttle.reset(queue)
        elif throttle.allows(queue):
            _log.info("woke workers", queue=queue)
