"""Looks for the rows of a worker in the database, and does what RQ's job would: so that nothing
waits for Redis, which may be away, empty or wrong.

It runs in the thread of RQ's worker, while that has no job or no Redis: never beside a job. RQ is
the faster way, since nobody waits for the next look.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from service.context import Context
from service.store.database import reason_of
from workers.tasks import ProcessWork
from workers.throttle import LogThrottle

PULSE_SECONDS: Final = 5.0
"""From one job for a heartbeat to the next, where that cannot beat, as without a mail server."""
PATIENCE: Final = timedelta(seconds=2)
"""The age from which a turn counts as missed by its own job, while Redis answers."""

_log = structlog.get_logger("workers")


@dataclass(slots=True)
class Poller:
    """The polling of one worker process."""

    work: ProcessWork
    context: Context = field(init=False)
    _throttle: LogThrottle = field(init=False)
    _pulse_at: float = field(init=False)

    def __post_init__(self) -> None:
        self.context = self.work.context
        self._throttle = LogThrottle(self.context.timer)
        self._pulse_at = self.context.timer()

    def poll(self, alone: bool) -> None:
        """Does the job if rows wait for it, or a heartbeat is due; nothing during a maintenance.
        ``alone``: Redis is away, so nobody else is woken for them.
        """
        try:
            if self._is_wanted(timedelta(0) if alone else PATIENCE):
                self.work.do()
        except SQLAlchemyError as error:
            if self._throttle.allows("database"):
                _log.warning("worker.cannot_poll", error=reason_of(error))
        except Exception:
            if self._throttle.allows("failed"):
                _log.exception("worker.poll_failed")
        else:
            self._throttle.reset("database")

    def _is_wanted(self, age: timedelta) -> bool:
        if self.context.maintenance() is not None:
            return False
        pulse = self.work.pulse
        if pulse is not None and pulse.is_due and self.context.timer() >= self._pulse_at:
            self._pulse_at = self.context.timer() + PULSE_SECONDS
            return True
        with self.context.database.read() as connection:
            return self.work.waits(connection, self.context.clock(), age)
