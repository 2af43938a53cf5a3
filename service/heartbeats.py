"""Heartbeats of the parts of the service without which nobody can play. Their gaps are outages,
which stop the clocks of all matches.

During a maintenance no part beats: nobody can play then either.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Final

import structlog

from service import parts
from service.context import Context
from service.store import heartbeats

API: Final = "api"
JUDGE: Final = "judge"
MAIL: Final = "mail"
MAILBOX: Final = "mailbox"
SWEEPER: Final = "sweeper"
EVERY_SECONDS: Final = 30.0
"""A part that beats as often as that is far from ``heartbeats.OUTAGE_AFTER``."""

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Pulse:
    """The heartbeat of one part, as one process gives it. Not thread-safe."""

    context: Context
    part: str
    _beaten: float | None = None

    @property
    def is_due(self) -> bool:
        """Whether the last one is ``EVERY_SECONDS`` ago."""
        return self._beaten is None or self.context.timer() - self._beaten >= EVERY_SECONDS

    def beat(self) -> None:
        """Beats where it is due. Whatever goes wrong is logged, and the next beat tries again: that
        the database is not available is an outage.
        """
        if not self.is_due:
            return
        try:
            if self.context.maintenance() is not None:
                return
            with self.context.database.write() as connection:
                gone = heartbeats.beat(connection, self.part, self.context.clock())
        except Exception as error:
            log.warning("heartbeat.not_written", part=self.part, error=type(error).__name__)
            return
        self._beaten = self.context.timer()
        if gone is not None:
            log.warning("outage.recorded", part=self.part, since=gone.isoformat())


def beat_beside(context: Context, part: str, stop: threading.Event) -> threading.Thread:
    """A thread that beats until it is to stop, or the process ends."""
    pulse = Pulse(context, part)

    def beats() -> None:
        pulse.beat()
        while not stop.wait(EVERY_SECONDS / 3):
            pulse.beat()

    return parts.start(parts.Part.HEARTBEAT, beats)
