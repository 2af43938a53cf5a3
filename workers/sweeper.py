"""The sweeper: sweeps regularly (``service.sweeps``). Several may run, on several machines."""

from __future__ import annotations

import structlog
from sqlalchemy.exc import SQLAlchemyError

from service.context import Context
from service.heartbeats import SWEEPER, Pulse
from service.store.database import reason_of
from service.sweeps import sweep
from service.vitals import SWEEPERS
from workers.stop import StopRequest
from workers.throttle import LogThrottle

_log = structlog.get_logger("workers.sweeper")


def sweep_until(context: Context, stop: StopRequest) -> None:
    """Sweeps every ``sweep_seconds`` until the stop is requested; nothing during a maintenance. An
    error in one sweep does not prevent the next.
    """
    throttle, pulse, first = LogThrottle(context.timer), Pulse(context, SWEEPER), True
    _log.info("sweeper.started", every_seconds=context.settings.sweep_seconds)
    while not stop:
        pulse.beat()
        context.vitals.beat(SWEEPERS)
        try:
            if context.maintenance() is None:
                sweep(context, first)
                first = False
            throttle.reset("database")
        except SQLAlchemyError as error:
            if throttle.allows("database"):
                _log.warning("sweeper.cannot_sweep", error=reason_of(error))
        except Exception:
            _log.exception("sweeper.failed")
        stop.wait(context.settings.sweep_seconds)
    _log.info("sweeper.stopped")
