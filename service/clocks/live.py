"""What stops a clock that runs, up to its deadline, and when its player is reminded. Pure: instants
are whole seconds.

What is known of the future may change: days off and pauses come and end, and an outage that goes on
is known up to the present. What has happened is recorded with the step that ends the run. A
reminder is never a condition of anything: what happens at a deadline does not depend on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from service.clocks.days_off import MOST_IN_A_MATCH
from service.clocks.history import Stop, Stops, deadline, main_until, stops_within
from service.clocks.rule import ClockRule
from service.clocks.seat import SeatClock
from service.clocks.spans import DAY, HOUR, LocalHours, moment_after, quiet_spans, union, weekend_spans

Reminders: TypeAlias = Literal["both", "last", "none"]
LAST_BEFORE: Final = 12 * HOUR
"""So long before time is up, or earlier because of quiet hours, the last reminder of it comes."""
APART: Final = 6 * HOUR
"""Two reminders are at least so far apart; the earlier is left out otherwise."""
_AHEAD: Final = 30 * DAY


@dataclass(frozen=True, slots=True)
class Ground:
    """What may stop a clock: ``hours`` are the quiet hours that the player had when its run began,
    ``declared`` days off and pauses, ``outages`` those of the service, the one that goes on up to
    the present.
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
    stops = _allowed(ground.declared, since, MOST_IN_A_MATCH - clock.off)
    if rule.weekends is not None:
        stops += [Stop("weekend", *span) for span in weekend_spans(rule.weekends, since, horizon)]
    if ground.hours is not None and rule.quiet_hours:
        stops += [Stop("quiet", *span) for span in quiet_spans(ground.hours, since, horizon)]
    for start, end in union(outage.span for outage in ground.outages):
        due = deadline(clock, tuple(stops))
        assert due is not None
        if end > since and start <= due:  # one before the run or after its deadline stops nothing
            stops.append(Stop("outage", start, end))
    return tuple(stops)


def _allowed(declared: Stops, since: int, left: int) -> list[Stop]:
    """The stops declared, days off for at most ``left`` seconds from ``since`` on."""
    allowed = [stop for stop in declared if stop.kind != "days_off"]
    for start, end in union(stop.span for stop in declared if stop.kind == "days_off"):
        until = min(end, max(start, since) + left)
        if until > max(start, since):
            left -= until - max(start, since)
            allowed.append(Stop("days_off", start, until))
    return allowed


def reminders(clock: SeatClock, stops: Stops, hours: LocalHours | None, wanted: Reminders = "both") -> tuple[int, ...]:
    """The instants at which the player of a running clock is to be reminded, in order: at half of
    the main time, where it is a day or more; once in the last 12 to 24 hours of the main time; and
    once in the last 12 to 24 hours before the reserve is up, too. Ahead of quiet hours.
    """
    due, until, since = deadline(clock, stops), main_until(clock, stops), clock.since
    if due is None or until is None or since is None or wanted == "none":
        return ()
    found = [until - LAST_BEFORE, due - LAST_BEFORE]
    if wanted == "both" and clock.main >= DAY:
        found.append(moment_after(union(stop.span for stop in stops), since, clock.main // 2))
    kept: list[int] = []
    for at in sorted({_ahead(at, hours) for at in found}):
        if kept and at < kept[-1] + APART:
            kept.pop()
        if at > since:
            kept.append(at)
    return tuple(kept)


def next_reminder(found: Sequence[int], after: int) -> int | None:
    """The first of these instants after that one."""
    return next((at for at in found if at > after), None)


def _ahead(at: int, hours: LocalHours | None) -> int:
    """That instant, or the beginning of the quiet hours that it is in."""
    if hours is None:
        return at
    return next((start for start, end in quiet_spans(hours, at - DAY, at + DAY) if start <= at < end), at)
