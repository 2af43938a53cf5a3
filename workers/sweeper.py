"""The sweeper: wakes workers for rows whose jobs are lost.

Jobs get lost when Redis is wiped, while it is away, or when a worker is killed during a job. The
rows are still there: turns without a verdict, notices that are due. At an interval the sweeper
looks for such rows, and wakes a worker if there are any. It has no state that matters: several may
run, on several machines, and a wake-up for a job that was not lost does no harm, for wake-ups are
coalesced, and the second job finds nothing to do.
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
"""How long a new turn is left to the job that was queued with it."""
QUIET_SECONDS: Final = 60.0
"""How long the same message is not logged again."""

_log = structlog.get_logger("workers.sweeper")


@dataclass(frozen=True, slots=True)
class Swept:
    """Whether a sweep found turns that wait for longer than ``PATIENCE``, and due notices."""

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
    """Sweeps every ``sweep_seconds`` until the stop is requested; an error in one sweep does not
    prevent the next.
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
