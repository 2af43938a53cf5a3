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
from time import monotonic
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from service.context import Context
from service.store import outbox, survey
from service.vitals import SWEEPERS
from workers.listen import Stop

PATIENCE: Final = timedelta(seconds=2)
"""How long a fresh turn is left to the job that was queued with it."""
QUIET_SECONDS: Final = 60.0
"""How long the same thing is said only once."""

_log = structlog.get_logger("workers.sweeper")


@dataclass(frozen=True, slots=True)
class Swept:
    """Whether one sweep found turns that wait for longer than they should, and notices that are
    due.
    """

    turns: bool
    notices: bool


@dataclass(slots=True)
class Voice:
    """Says the same thing once a minute, however often it is told: a long outage must not fill the
    log.
    """

    _said: dict[str, float] = field(default_factory=dict)

    def may_say(self, what: str) -> bool:
        """Whether it is time to say it, for the first time or again."""
        if what in self._said and monotonic() - self._said[what] < QUIET_SECONDS:
            return False
        self._said[what] = monotonic()
        return True

    def forget(self, what: str) -> None:
        """It is over: should it come again, that is news."""
        self._said.pop(what, None)


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
    voice = Voice()
    _log.info("sweeping", every_seconds=context.settings.sweep_seconds)
    while not stop:
        try:
            _tell(voice, sweep(context))
        except SQLAlchemyError as error:
            if voice.may_say("database"):
                _log.warning("cannot sweep", error=str(getattr(error, "orig", None) or error).strip().splitlines()[0])
        except Exception:
            _log.exception("sweep failed")
        stop.wait(context.settings.sweep_seconds)
    _log.info("stopped")


def _tell(voice: Voice, swept: Swept) -> None:
    voice.forget("database")
    for what, found in (("turns", swept.turns), ("notices", swept.notices)):
        if not found:
            voice.forget(what)
        elif voice.may_say(what):
            _log.info("woke workers", queue=what)
