"""The sweeper: wakes workers for rows whose jobs are lost, and acts on clocks whose time is up.

Jobs are lost when Redis is wiped or unavailable, or when a worker is killed during a job. Their
rows remain: turns without a verdict, notices that are due, mails that came in, bots that are
awaited. The sweeper
regularly looks for such rows and wakes a worker if there are any. Several sweepers may run, on
several machines; a wake-up too many does no harm, as wake-ups are coalesced and the second job
finds nothing to do.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from service import upkeep
from service.context import Context, Timer
from service.heartbeats import JUDGE, MAIL
from service.matches import archive, mending, reminding
from service.offers import settling
from service.store import bots, heartbeats, messages, outbox, survey
from service.turns import time_up
from service.turns.time_up import Acted
from service.vitals import SWEEPERS
from workers.stop import Stop

PATIENCE: Final = timedelta(seconds=2)
"""The age from which a turn without a verdict counts as missed by its own job."""
SILENCE: Final = timedelta(seconds=31)
"""A part that has been idle for so long is woken, so that its heart beats."""
QUIET_SECONDS: Final = 60.0
"""The shortest interval at which the same message is logged."""

_log = structlog.get_logger("workers.sweeper")


@dataclass(frozen=True, slots=True)
class Swept:
    """Whether a sweep found turns that have waited longer than ``PATIENCE``, due notices, messages
    that nobody handles, and bots that are awaited; and what was done about clocks.
    """

    turns: bool
    notices: bool
    messages: bool = False
    bots: bool = False
    clocks: Acted = field(default_factory=Acted)


@dataclass(slots=True)
class LogThrottle:
    """Allows the same message once per ``QUIET_SECONDS``, so that a long outage does not fill the
    log.
    """

    timer: Timer
    _logged: dict[str, float] = field(default_factory=dict)

    def allows(self, message: str) -> bool:
        """Whether the message may be logged now; if so, it counts as logged."""
        now = self.timer()
        if message in self._logged and now - self._logged[message] < QUIET_SECONDS:
            return False
        self._logged[message] = now
        return True

    def reset(self, message: str) -> None:
        """Allows the message at once the next time, because its cause is over."""
        self._logged.pop(message, None)


def sweep(context: Context) -> Swept:
    """Wakes workers for turns, notices, messages and bots that wait, once; nobody during a
    maintenance.
    """
    now = context.clock()
    if context.maintenance() is not None:
        context.vitals.beat(SWEEPERS)
        return Swept(turns=False, notices=False)
    with context.database.read() as connection:
        swept = Swept(
            survey.turns_wait(connection, now, PATIENCE),
            bool(outbox.due(connection, now, 1)),
            messages.any_due(connection, now),
            bool(bots.awaited(connection, 1)),
        )
        silent = heartbeats.silent(connection, now - SILENCE)
    woken = mending.wake_those_with_rules(context, now)
    if woken:
        _log.info("matches.readable_again", matches=woken)
    context.vitals.beat(SWEEPERS)
    if swept.turns or woken:
        context.queue.wake_turns(missed=True)
    if swept.notices:
        context.queue.wake_notices()
    if swept.messages:
        context.queue.wake_messages()
    if swept.bots:
        context.queue.wake_bots()
    if JUDGE in silent:
        context.queue.wake_turns(missed=True)
    if MAIL in silent:
        context.queue.wake_notices()
    swept = replace(swept, clocks=time_up.act_on_due(context))
    settling.settle_due(context)
    reminding.remind(context)
    archive.look_after(context)
    return swept


def sweep_until(context: Context, stop: Stop) -> None:
    """Sweeps every ``sweep_seconds`` until the stop is requested; an error in one sweep does not
    prevent the next.
    """
    throttle = LogThrottle(context.timer)
    _log.info("sweeper.started", every_seconds=context.settings.sweep_seconds)
    while not stop:
        try:
            _log_result(throttle, sweep(context))
            upkeep.forget_browsers(context)
            upkeep.forget_sent_texts(context)
            upkeep.forget_quotas(context)
            settings = context.settings
            upkeep.prune(
                context,
                settings.keep_notices_days,
                settings.keep_turn_details_days,
                messages_days=settings.keep_messages_days,
            )
        except SQLAlchemyError as error:
            if throttle.allows("database"):
                _log.warning(
                    "sweeper.cannot_sweep", error=str(getattr(error, "orig", None) or error).strip().splitlines()[0]
                )
        except Exception:
            _log.exception("sweeper.failed")
        stop.wait(context.settings.sweep_seconds)
    _log.info("sweeper.stopped")


def _log_result(throttle: LogThrottle, swept: Swept) -> None:
    throttle.reset("database")
    parts = {"turns": swept.turns, "notices": swept.notices, "messages": swept.messages, "bots": swept.bots}
    for queue, found in parts.items():
        if not found:
            throttle.reset(queue)
        elif throttle.allows(queue):
            _log.info("sweeper.woke_workers", queue=queue)
