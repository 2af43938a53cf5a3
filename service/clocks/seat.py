"""The clock of one seat: what may happen to it, what stops it, and when its time is up. Pure:
instants are whole seconds since the epoch, spans of time are seconds.

A clock runs while its seat is awaited, from ``since`` on, except where it is stopped. What it may
use up in that run is its ``budget``: first its main time, then its ``reserve``, which is for the
whole match. Main time is ``extra``, which is lost at the end of the turn, and then ``left``, which
the seat has saved up. Where the seat is asked within the turn of another seat, it is its ``share``
of that turn's pool instead.

What stops a clock may change while it runs: days off and pauses come and end, and an outage that
goes on is known up to the present. What has happened is recorded with the step that ends the run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.record import StopKind
from engine.types import Seat
from service.clocks.rule import FIRST_TURN_LEAST, RESERVE, ClockRule
from service.clocks.spans import DAY, HOUR, LocalHours, Span, moment_after, quiet_spans, running, union, weekend_spans

MOST_IN_A_MATCH: Final = 15 * DAY
"""For so long days off stop the clock of one seat in one match, at most, in seconds."""
LEFT_AFTER_OUTAGE: Final = 2 * HOUR
"""After an outage no time is up before a clock that it stopped has run for so long: its grace."""
Reminders: TypeAlias = Literal["both", "last", "none"]
LAST_BEFORE: Final = 12 * HOUR
"""So long before time is up, or earlier because of quiet hours, the last reminder of it comes."""
APART: Final = 6 * HOUR
"""Two reminders are at least so far apart; the earlier is left out otherwise."""
_AHEAD: Final = 30 * DAY


@dataclass(frozen=True, slots=True)
class SeatClock:
    """``left``, ``extra``, ``reserve`` and ``share`` are in seconds, ``since`` is an instant.

    ``turns`` counts the turns that it has begun, ``missed`` those in a row that a bot played for
    it. ``share`` is ``None`` until the seat is asked within the turn of another; ``lent`` says that
    the present run uses it. ``since`` is ``None`` where the clock does not run. ``off`` are the
    seconds for which days off have stopped it so far. ``grace`` is what was left, when its last run
    ended, of the time that an outage has to leave.
    """

    left: int
    extra: int = 0
    reserve: int = RESERVE
    turns: int = 0
    missed: int = 0
    share: int | None = None
    lent: bool = False
    since: int | None = None
    off: int = 0
    grace: int = 0

    @property
    def main(self) -> int:
        """What the present run, or the next one, may use up before the reserve, in seconds."""
        return (self.share or 0) if self.lent else self.extra + self.left

    @property
    def budget(self) -> int:
        """What the present run, or the next one, may use up, in seconds."""
        return self.main + self.reserve

    @property
    def exhausted(self) -> bool:
        """Whether its share of the turn of another was used up before, and a bot has decided."""
        return self.lent and self.share == 0 and self.missed > 0


def begun(rule: ClockRule, clock: SeatClock) -> SeatClock:
    """A turn of the seat's own begins: the first has at least ``FIRST_TURN_LEAST``, each further
    one gains the increment, up to the most that a clock may have.
    """
    if clock.turns == 0:
        return replace(clock, turns=1, extra=max(0, FIRST_TURN_LEAST - clock.left), share=None)
    left = min(clock.left + rule.increment, max(rule.most, clock.left))
    return replace(clock, turns=clock.turns + 1, left=left, extra=0, share=None)


def started(rule: ClockRule, clock: SeatClock, at: int, asked_by: int | None) -> SeatClock:
    """The clock runs from ``at`` on; ``asked_by`` is the number of seats that share out the pool,
    where the seat is asked within the turn of another.
    """
    if asked_by is None:
        return replace(clock, since=at, lent=False)
    share = rule.unit // asked_by if clock.share is None else clock.share
    return replace(clock, since=at, lent=True, share=share)


def settled(clock: SeatClock, stops: Stops, until: int) -> SeatClock:
    """The run, which these stops stopped, has ended at ``until``."""
    assert clock.since is not None
    used = running(spans_of(stops), clock.since, until)
    start, grace = _grace(clock, clock.since, stops)
    grace = max(0, grace - running(spans_of(stops), start, until))
    over = max(0, used - clock.main)
    ended = replace(clock, since=None, lent=False, reserve=max(0, clock.reserve - over), grace=grace)
    if clock.lent:
        return replace(ended, share=max(0, clock.main - used))
    left = max(0, clock.left - max(0, used - clock.extra))
    return replace(ended, left=left, extra=max(0, clock.extra - used))


def timed_out(rule: ClockRule, clock: SeatClock) -> SeatClock:
    """A bot acts for the seat, whose time and reserve are up; its clock has ``least_after`` then. A
    share that is used up stays so until the turn that it belongs to is over; what the seat is asked
    meanwhile, the bot decides, and that counts as missed once.
    """
    missed = clock.missed + (0 if clock.exhausted else 1)
    spent = replace(clock, since=None, lent=False, reserve=0, missed=missed, grace=0)
    return replace(spent, share=0) if clock.lent else replace(spent, left=rule.least_after, extra=0)


def extended(clock: SeatClock, seconds: int) -> SeatClock:
    """The present turn, or the next one, may take that much longer."""
    if clock.lent:
        return replace(clock, share=clock.main + seconds)
    return replace(clock, extra=clock.extra + seconds)


class Stop(NamedTuple):
    """A span in which a clock was stopped, half-open, and why."""

    kind: StopKind
    start: int
    end: int

    @property
    def span(self) -> Span:
        """The span without its reason."""
        return Span(self.start, self.end)


Stops: TypeAlias = tuple[Stop, ...]
StopsOf: TypeAlias = Callable[[Seat], Stops]
"""Returns what stops the present run of the clock of a seat."""


def spans_of(stops: Stops) -> tuple[Span, ...]:
    """What the stops cover together."""
    return union(stop.span for stop in stops)


def stops_within(stops: Stops, start: int, end: int) -> Stops:
    """Those stops, cut to the span from ``start`` to ``end``, in order."""
    cut = (Stop(each.kind, max(start, each.start), min(end, each.end)) for each in stops)
    return tuple(sorted((each for each in cut if each.start < each.end), key=lambda each: (each[1], each[2], each[0])))


def deadline(clock: SeatClock, stops: Stops) -> int | None:
    """When the time and the reserve of a running clock are up; ``None`` where it does not run."""
    if clock.since is None:
        return None
    return max(moment_after(spans_of(stops), clock.since, clock.budget), not_before(clock, stops) or 0)


def main_until(clock: SeatClock, stops: Stops) -> int | None:
    """The first instant at which the main time of a running clock is used up, or its deadline where
    it has no reserve; ``None`` where it does not run.
    """
    if clock.since is None or not clock.reserve:
        return deadline(clock, stops)
    return moment_after(spans_of(stops), clock.since, clock.main - 1) + 1 if clock.main else clock.since


def not_before(clock: SeatClock, stops: Stops) -> int | None:
    """Until when a running clock has its grace after the last outage that stopped it; ``None``
    where its own time lasts as long.
    """
    if clock.since is None:
        return None
    floor = moment_after(spans_of(stops), *_grace(clock, clock.since, stops))
    return floor if floor > moment_after(spans_of(stops), clock.since, clock.budget) else None


def _grace(clock: SeatClock, since: int, stops: Stops) -> tuple[int, int]:
    """From when on a run that began at ``since`` has to last for how many more seconds."""
    ended = max((stop.end for stop in stops if stop.kind == "outage"), default=None)
    return (since, clock.grace) if ended is None else (ended, LEFT_AFTER_OUTAGE)


@dataclass(frozen=True, slots=True)
class Remaining:
    """What is left of the clock of a seat at some instant: ``seconds`` of its main time, or of what
    its next turn begins with, and of its ``reserve``; without one also what an outage has to leave.

    ``main_until`` is when the reserve begins to be used, where it has not begun, and ``deadline``
    when it is used up as well; both only where the clock runs, and where no outage goes on, whose
    end nobody knows. ``stopped`` is what stops it now.
    """

    seconds: int
    reserve: int
    main_until: int | None = None
    deadline: int | None = None
    stopped: Stop | None = None

    @property
    def is_out(self) -> bool:
        """Whether an outage of the service stops the clock."""
        return self.stopped is not None and self.stopped.kind == "outage"


def remaining(clock: SeatClock, stops: Stops, now: int) -> Remaining:
    """What is left at ``now``; never less than 0."""
    if clock.since is None:
        return Remaining(clock.main, clock.reserve)
    now, due = max(clock.since, now), deadline(clock, stops)
    assert due is not None
    used = running(spans_of(stops), clock.since, now)
    reserve = min(clock.reserve, max(0, clock.budget - used))
    main = max(0, clock.main - used) if reserve else max(0, running(spans_of(stops), now, due))
    left = Remaining(main, reserve, stopped=stopped_at(stops, now))
    if left.is_out:
        return left
    until = main_until(clock, stops) if used < clock.main else None
    return replace(left, main_until=until, deadline=due)


def stopped_at(stops: Stops, now: int) -> Stop | None:
    """What stops a clock at ``now``: of several stops an outage, or the one that lasts longest."""
    found = [stop for stop in stops if stop.start <= now < stop.end]
    return max(found, key=lambda stop: (stop.kind == "outage", stop.end), default=None)


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
    since = clock.since
    assert since is not None
    stops = _allowed(ground.declared, since, MOST_IN_A_MATCH - clock.off)
    if rule.weekends is not None:
        stops += [Stop("weekend", *span) for span in weekend_spans(rule.weekends, since, horizon)]
    if ground.hours is not None and rule.quiet_hours:
        stops += [Stop("quiet", *span) for span in quiet_spans(ground.hours, since, horizon)]
    for start, end in spans_of(ground.outages):
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
    """When the player of a running clock is to be reminded, in order: at half of the main time,
    where it is a day or more; once in the last 12 to 24 hours of the main time, and once in those
    before the reserve is up. Ahead of quiet hours. What happens at a deadline never depends on a
    reminder.
    """
    due, until, since = deadline(clock, stops), main_until(clock, stops), clock.since
    if due is None or until is None or since is None or wanted == "none":
        return ()
    found = [until - LAST_BEFORE, due - LAST_BEFORE]
    if wanted == "both" and clock.main >= DAY:
        found.append(moment_after(spans_of(stops), since, clock.main // 2))
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
