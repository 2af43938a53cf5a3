"""Calls webhooks regularly (``service.webhooks.delivery``): what they are told waits half a minute
anyway, so nobody has to wake it. Several may run, also in one process.
"""

from __future__ import annotations

from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from service.children import ForkServer, Role
from service.context import Context
from service.guard import ChildGuard
from service.parts import Part
from service.store.database import reason_of
from service.webhooks.delivery import call_due
from workers.stop import StopRequest
from workers.throttle import LogThrottle

CALLERS: Final = Part.WEBHOOKS.value
SECONDS: Final = 2.0
_log = structlog.get_logger("workers.caller")


def call_until(context: Context, server: ForkServer, stop: StopRequest) -> None:
    """Tells webhooks what is due every ``SECONDS`` until the stop is requested; nothing during a
    maintenance.
    """
    throttle, guard = LogThrottle(context.timer), ChildGuard(server, Role.CALLING, context.timer)
    while not stop:
        try:
            if context.maintenance() is None:
                call_due(context, guard, lambda: not stop)
            throttle.reset("database")
        except SQLAlchemyError as error:
            if throttle.allows("database"):
                _log.warning("webhooks.cannot_call", error=reason_of(error))
        stop.wait(SECONDS)
    guard.close()
