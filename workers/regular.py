"""The parts that nobody has to wake: the sweeper (``service.sweeps``), and the caller of webhooks
(``service.webhooks.delivery``), whose news waits half a minute anyway. Several of each may run, on
several machines.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from service.children import ForkServer, Role
from service.context import Context
from service.guard import ChildGuard
from service.heartbeats import MAILBOX, SWEEPER, Pulse
from service.mailbox_url import is_mailbox
from service.parts import Part
from service.store import heartbeats
from service.store.database import reason_of
from service.sweeps import prompt, sweep
from service.vitals import SWEEPERS
from service.webhooks.delivery import call_due
from workers.stop import StopRequest
from workers.throttle import LogThrottle

CALLERS: Final = Part.WEBHOOKS.value
CALL_SECONDS: Final = 5.0
SELDOM_SECONDS: Final = 60.0
"""From one sweep of every kind to the next; those between are of the prompt kinds."""
_log = structlog.get_logger("workers")


def sweep_until(context: Context, stop: StopRequest) -> None:
    """Sweeps until the stop is requested: what somebody waits for every ``sweep_seconds``, and all
    every ``SELDOM_SECONDS``.
    """
    pulse, whole = Pulse(context, SWEEPER), None

    def swept() -> None:
        nonlocal whole
        if whole is None and not is_mailbox(context.settings.mail_in):
            with context.database.write() as connection:
                heartbeats.forget(connection, MAILBOX)  # else it would be out, and no time up any more
        now = context.timer()
        if whole is None or now - whole >= SELDOM_SECONDS:
            sweep(context, whole is None)
            whole = now
        else:
            sweep(context, False, prompt(context))

    def beat() -> None:
        pulse.beat()
        context.vitals.beat(SWEEPERS)

    _do_every(context.settings.sweep_seconds, SWEEPERS, context, stop, swept, beat)


def call_until(context: Context, server: ForkServer, stop: StopRequest) -> None:
    """Tells webhooks what is due every ``CALL_SECONDS`` until the stop is requested."""
    guard = ChildGuard(server, Role.CALLING, context.timer)
    _do_every(CALL_SECONDS, CALLERS, context, stop, lambda: call_due(context, guard, lambda: not stop))
    guard.close()


def _do_every(
    seconds: float,
    part: str,
    context: Context,
    stop: StopRequest,
    do: Callable[[], object],
    beat: Callable[[], object] = lambda: None,
) -> None:
    """Does it again and again until the stop is requested; nothing during a maintenance. An error
    does not prevent the next time.
    """
    throttle = LogThrottle(context.timer)
    _log.info(f"{part}.started", every_seconds=seconds)
    while not stop:
        beat()
        try:
            if context.maintenance() is None:
                do()
            throttle.reset("database")
        except SQLAlchemyError as error:
            if throttle.allows("database"):
                _log.warning(f"{part}.unavailable", error=reason_of(error))
        except Exception:
            _log.exception(f"{part}.failed")
        stop.wait(seconds)
    _log.info(f"{part}.stopped")
