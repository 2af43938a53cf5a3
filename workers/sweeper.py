"""The sweeper: acts on clocks whose time is up, settles offers, reminds players, looks after the
archive, and keeps the database small. Several sweepers may run, on several machines.
"""

from __future__ import annotations

import structlog
from sqlalchemy.exc import SQLAlchemyError

from service import upkeep
from service.context import Context
from service.matches import archive, mending, reminding
from service.offers import settling
from service.turns import time_up
from service.turns.time_up import Acted
from service.vitals import SWEEPERS
from workers.stop import Stop
from workers.throttle import LogThrottle

_log = structlog.get_logger("workers.sweeper")


def sweep(context: Context) -> Acted:
    """Does once what is due, and gives what was done about clocks; nothing during a maintenance."""
    if context.maintenance() is not None:
        context.vitals.beat(SWEEPERS)
        return Acted()
    woken = mending.wake_those_with_rules(context, context.clock())
    context.vitals.beat(SWEEPERS)
    if woken:
        _log.info("matches.readable_again", matches=woken)
        context.queue.wake_turns()
    acted = time_up.act_on_due(context)
    settling.settle_due(context)
    reminding.remind(context)
    archive.look_after(context)
    return acted


def sweep_until(context: Context, stop: Stop) -> None:
    """Sweeps every ``sweep_seconds`` until the stop is requested; an error in one sweep does not
    prevent the next.
    """
    throttle = LogThrottle(context.timer)
    _log.info("sweeper.started", every_seconds=context.settings.sweep_seconds)
    while not stop:
        try:
            sweep(context)
            throttle.reset("database")
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
