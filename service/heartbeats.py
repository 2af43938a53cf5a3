"""Heartbeats of the parts of the service without which nobody can play. Their gaps are outages,
which stop the clocks of all matches; an operator adds those that no part has noticed, such as of a
proxy. During a maintenance no part beats.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog
from sqlalchemy import Connection

from service import parts
from service.clocks.recorded import followed
from service.clocks.rule import read_rule
from service.clocks.spans import Span, instant, moment, union
from service.context import Context
from service.errors import Conflict
from service.store import audit, clocks, heartbeats, matches
from service.store.audit import Operator
from service.store.heartbeats import OPERATOR, Outage

API, JUDGE, MAIL, MAILBOX, SWEEPER = heartbeats.PARTS
EVERY_SECONDS: Final = 30.0  # a part that beats as often as that is far from ``heartbeats.OUTAGE_AFTER``

LONGEST_ADDED: Final = timedelta(days=7)  # for an outage
OLDEST_ADDED: Final = timedelta(days=30)  # so long ago it may have begun

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
        """Beats where it is due. What goes wrong, such as an outage, is logged; the next one tries
        again.
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


@dataclass(frozen=True, slots=True)
class ActedUpon:
    """What followed, for which seat and when, from time that was up by what was known then, and
    would not have been up.
    """

    match_id: str
    seat: int
    followed: str
    at: datetime


def add_outage(context: Context, start: datetime, end: datetime, by: Operator) -> tuple[ActedUpon, ...]:
    """Credits an outage that the service could not see to every clock that runs since before its
    end. Returns what was done about clocks that ran in it, and cannot be undone. Raises
    ``Conflict``.
    """
    with context.database.write() as connection:
        now = context.clock()
        if (sentence := _refusal(connection, start, end, now)) is not None:
            raise Conflict(sentence)
        heartbeats.add_outage(connection, Outage(OPERATOR, start, end))
        audit.note(connection, by, "outage_added", now, subject=f"{start.isoformat()} to {end.isoformat()}")
        return _acted_upon(connection, start, end)


def _refusal(connection: Connection, start: datetime, end: datetime, now: datetime) -> str | None:
    if end <= start:
        return "It has to end after it began."
    if end > now:
        return f"It ends in the future: it is {now:%Y-%m-%d %H:%M:%S} UTC. Add it when it is over."
    if end - start > LONGEST_ADDED:
        return f"It is longer than {LONGEST_ADDED.days} days. Add a shorter one."
    if now - start > OLDEST_ADDED:
        return f"It began more than {OLDEST_ADDED.days} days ago: the clocks of then have run out since."
    known = heartbeats.outages_after(connection, start)
    spans = union(Span(instant(each.start_at), instant(each.end_at)) for each in known)
    if any(span.start <= instant(start) and span.end >= instant(end) for span in spans):
        return "All of that time is known as an outage already, and credited."
    if any(each.part == OPERATOR and each.start_at == start for each in known):
        return "An outage that begins then was added before: add what is missing, from its end on."
    return None


def _acted_upon(connection: Connection, start: datetime, end: datetime) -> tuple[ActedUpon, ...]:
    """What followed since ``start`` from time that was up of runs that began before ``end``."""
    found = []
    for match_id, number in clocks.late_since(connection, start):
        match, steps = matches.find(connection, match_id), clocks.steps_of(connection, match_id)
        step, rule = steps[number], None if match is None or match.clock is None else read_rule(match.clock)
        if match is None or rule is None or step.seat is None:
            continue
        since = followed(rule, len(match.seats), match.bots, steps[:number]).seats[step.seat].since
        if since is not None and moment(since) < end:
            found.append(ActedUpon(match_id, step.seat, step.kind, moment(step.at)))
    return tuple(found)
