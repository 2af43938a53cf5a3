"""What stops a clock that runs, up to its deadline. Pure.

What is known of the future may change: absences and pauses come and end, outages are known when
they are over. What has happened is recorded with the step that ends the run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from service.clocks.absence_bank import MOST_IN_A_MATCH
from service.clocks.durations import DAY, HOUR
from service.clocks.history import Stop, Stops, deadline, stops_within
from service.clocks.local_spans import LocalHours, quiet_spans, weekend_spans
from service.clocks.rule import ClockRule
from service.clocks.seat import SeatClock
from service.clocks.spans import moment_after, running, union

LEFT_AFTER_OUTAGE: Final = 2 * HOUR
LEFT_AFTER_LONG_OUTAGE: Final = 12 * HOUR
LONG_OUTAGE: Final = 6 * HOUR
_AHEAD: Final = 30 * DAY


@dataclass(frozen=True, slots=True)
class Ground:
    """What may stop a clock: ``hours`` are the quiet hours that the player had when its run began,
    ``declared`` absences and pauses, ``outages`` those of the service that are over.
    """

    hours: LocalHours | None = None
    declared: Stops = ()
    outages: Stops = ()


def stops_ahead(rule: ClockRule, clock: SeatClock, ground: Ground) -> Stops:
    """What stops the clock from the beginning of its run to its deadline, in order."""
    if clock.since is None:
        return ()
    horizon = clock.since + clock.budget + _AHEAD
    while True:
        stops = _stops_before(rule, clock, ground, horizon)
        due = deadline(clock, stops)
        assert due is not None
        if due < horizon:
            return stops_within(stops, clock.since, due)
        horizon = due + _AHEAD


def _stops_before(rule: ClockRule, clock: SeatClock, ground: Ground, horizon: int) -> Stops:
    since = clock.since or 0
    stops = _allowed(ground.declared, since, MOST_IN_A_MATCH - clock.absent)
    if rule.weekends is not None:
        stops += [Stop("weekend", *span) for span in weekend_spans(rule.weekends, since, horizon)]
    if ground.hours is not None and rule.quiet_hours:
        stops += [Stop("quiet", *span) for span in quiet_spans(ground.hours, since, horizon)]
    for start, end in union(outage.span for outage in ground.outages):
        stops = _credited(clock, stops, start, end)
    return tuple(stops)


def _allowed(declared: Stops, since: int, left: int) -> list[Stop]:
    """The stops declared, absences for at most ``left`` seconds from ``since`` on."""
    allowed = [stop for stop in declared if stop.kind != "absence"]
    for start, end in union(stop.span for stop in declared if stop.kind == "absence"):
        until = min(end, max(start, since) + left)
        if until > max(start, since):
            left -= until - max(start, since)
            allowed.append(Stop("absence", start, until))
    return allowed


def _credited(clock: SeatClock, stops: list[Stop], start: int, end: int) -> list[Stop]:
    """The stops with an outage, which is longer where the clock would have too little left after
    it: by so much time in which nothing else stops the clock. An outage before the run or after its
    deadline stops nothing.
    """
    before = deadline(clock, tuple(stops))
    assert before is not None
    assert clock.since is not None
    if end <= clock.since or start > before:
        return stops
    stopped = [*stops, Stop("outage", start, end)]
    spans = union(stop.span for stop in stopped)
    left = clock.budget - running(spans, clock.since, end)
    least = LEFT_AFTER_LONG_OUTAGE if end - start >= LONG_OUTAGE else LEFT_AFTER_OUTAGE
    missing = min(least, clock.budget) - left
    return stopped if missing <= 0 else [*stops, Stop("outage", start, moment_after(spans, end, missing))]
