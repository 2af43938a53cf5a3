"""All clocks of a match, and how each step of the match changes them. Pure.

A step is what happened in one transaction: a turn, time that was up, an extension. Folded over the
steps of a match, ``advanced`` gives its clocks; a record has all that it needs. What stopped a
clock is part of the step that ended its run, as spans in UTC: neither a time zone nor the hours of
a player are needed to follow what has happened. At the end: clocks and what stopped them as JSON
documents, in which defaults are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, NamedTuple, TypeAlias

from engine.play import Mark
from engine.record import StepKind, StopKind
from engine.types import Seat
from service.clocks import seat as seats
from service.clocks.rule import ClockRule, IfLate
from service.clocks.seat import SeatClock
from service.clocks.spans import HOUR, Span, moment_after, running, stopped, union

BY_BOT: Final = ("time_up_bot_turn", "time_up_bot_hold", "time_up_bot_seat", "time_up_resign")
"""The steps with which a bot acts for a seat whose time was up, or the match ends."""
_FOLLOWS: Final[dict[IfLate, StepKind]] = {
    "bot_turn": "time_up_bot_turn",
    "bot_seat": "time_up_bot_seat",
    "resign": "time_up_resign",
}
_DEFAULTS: Final = asdict(SeatClock(0))
NOBODY: Final = Mark((), None)
"""The mark of a match in which nobody is awaited."""
LEFT_AFTER_OUTAGE: Final = 2 * HOUR
"""After an outage no time is up before a clock that it stopped has run for so long."""
HELD_AFTER: Final = 2
"""After so many turns in a row that a bot played, it holds the seat until the player comes back."""


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


@dataclass(frozen=True, slots=True)
class ClockStep:
    """One step of the clocks of a match, as it is stored and published.

    ``seat`` is the one that acted, ``ply`` that of the match after it. ``counts_at`` is when it
    counts: the receipt of a turn, the deadline where time was up. ``at`` is when it was written:
    from then on the clocks of the seats that are awaited next run. ``seconds`` are those of an
    extension. ``stops`` has what stopped the clock of each seat whose run ended with this step.
    ``not_before`` is set where time was up only then because of an outage before. ``marks`` are
    those of the states that it led to, in order; the end of the match is that of nobody.
    """

    kind: StepKind
    seat: Seat | None
    ply: int
    counts_at: int
    at: int
    seconds: int = 0
    stops: Mapping[Seat, Stops] = field(default_factory=dict)
    not_before: int | None = None
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchClock:
    """The clocks of a match: ``mark`` is who is awaited and whose turn it is, ``held`` are the
    seats whose clock never runs, as a bot plays them.
    """

    rule: ClockRule
    seats: tuple[SeatClock, ...]
    mark: Mark = NOBODY
    held: frozenset[Seat] = frozenset()


def fresh(rule: ClockRule, number: int, bots: Iterable[Seat] = ()) -> MatchClock:
    """The clocks of a match before its deal; ``bots`` are the seats that bots have from
    the start.
    """
    return MatchClock(rule, tuple(seats.new_clock(rule) for _ in range(number)), held=frozenset(bots))


def stops_within(stops: Stops, start: int, end: int) -> Stops:
    """Those stops, cut to the span from ``start`` to ``end``, in order."""
    cut = (Stop(each.kind, max(start, each.start), min(end, each.end)) for each in stops)
    return tuple(sorted((each for each in cut if each.start < each.end), key=lambda each: (each[1], each[2], each[0])))


def deadline(clock: SeatClock, stops: Stops) -> int | None:
    """When the time and the reserve of a running clock are up; ``None`` where it does not run."""
    if clock.since is None:
        return None
    return max(moment_after(_spans(stops), clock.since, clock.budget), not_before(clock, stops) or 0)


def main_until(clock: SeatClock, stops: Stops) -> int | None:
    """When the main time of a running clock is up, and its reserve begins to be used; ``None``
    where it does not run.
    """
    return None if clock.since is None else moment_after(_spans(stops), clock.since, clock.main)


def not_before(clock: SeatClock, stops: Stops) -> int | None:
    """Until when a running clock has at least ``LEFT_AFTER_OUTAGE`` after the last outage that
    stopped it; ``None`` where its own time lasts as long, or no outage did.
    """
    ended = max((stop.end for stop in stops if stop.kind == "outage"), default=None)
    if clock.since is None or ended is None:
        return None
    floor = moment_after(_spans(stops), ended, LEFT_AFTER_OUTAGE)
    return floor if floor > moment_after(_spans(stops), clock.since, clock.budget) else None


@dataclass(frozen=True, slots=True)
class Remaining:
    """What is left of the clock of a seat at some instant: ``seconds`` of its main time, or of what
    its next turn begins with, and of its ``reserve``.

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
    spans, now = _spans(stops), max(clock.since, now)
    used = running(spans, clock.since, now)
    left = Remaining(
        max(0, clock.main - used), min(clock.reserve, max(0, clock.budget - used)), stopped=stopped_at(stops, now)
    )
    if left.is_out:
        return left
    until = main_until(clock, stops) if used < clock.main else None
    return replace(left, main_until=until, deadline=deadline(clock, stops))


def stopped_at(stops: Stops, now: int) -> Stop | None:
    """What stops a clock at ``now``: of several stops an outage, or the one that lasts longest."""
    found = [stop for stop in stops if stop.start <= now < stop.end]
    return max(found, key=lambda stop: (stop.kind == "outage", stop.end), default=None)


def what_follows(clock: MatchClock, seat: Seat) -> StepKind:
    """What follows by the rule now that the time of a seat and its reserve are up.

    A bot that has played a turn before holds the seat, unless nobody else were left who plays.
    """
    own = clock.seats[seat]
    others = len(clock.seats) - len(clock.held | {seat})
    if clock.rule.if_late == "bot_turn" and own.missed + 1 >= HELD_AFTER and others and not own.exhausted:
        return "time_up_bot_hold"
    return _FOLLOWS[clock.rule.if_late]


def _spans(stops: Stops) -> tuple[Span, ...]:
    return union(stop.span for stop in stops)


def advanced(clock: MatchClock, step: ClockStep, stops_of: StopsOf) -> tuple[MatchClock, ClockStep]:
    """The clocks after a step, and the step with the stops of the runs that it ended."""
    change = _Change(clock, step, stops_of)
    if step.seat is not None:
        change.act(step.seat)
    for mark in step.marks:
        change.follow(mark)
    change.settle_others()
    return MatchClock(clock.rule, tuple(change.seats), change.mark, frozenset(change.held)), replace(
        step, stops=change.stopped, not_before=change.not_before
    )


def replayed(clock: MatchClock, step: ClockStep) -> MatchClock:
    """The clocks after a step whose stops are read from it."""
    return advanced(clock, step, lambda seat: step.stops.get(seat, ()))[0]


class _Change:
    """A step that is being applied."""

    def __init__(self, clock: MatchClock, step: ClockStep, stops_of: StopsOf) -> None:
        self.rule, self.step, self.stops_of = clock.rule, step, stops_of
        self.seats, self.mark, self.held = list(clock.seats), clock.mark, set(clock.held)
        self.stopped: dict[Seat, Stops] = {}
        self.not_before: int | None = None

    def act(self, seat: Seat) -> None:
        """What the step is to the seat that acted."""
        kind = self.step.kind
        if kind == "turn":
            self.settle(seat, self.step.counts_at)
            self.seats[seat] = seats.played(self.seats[seat])
        elif kind in BY_BOT:
            stops = self.note_stops(seat, self.step.counts_at)
            self.not_before = not_before(self.seats[seat], stops)
            self.seats[seat] = seats.timed_out(self.rule, self.seats[seat])
            if kind != "time_up_bot_turn":
                self.held.add(seat)
        elif kind == "resigned":
            self.settle(seat, self.step.at)
            self.held.add(seat)
        elif kind == "back":
            self.held.discard(seat)
            self.seats[seat] = seats.played(self.seats[seat])
        elif kind == "handed":
            self.settle(seat, self.step.at)
            self.seats[seat] = seats.played(self.seats[seat])
        elif kind == "extended":
            self.seats[seat] = seats.extended(self.seats[seat], self.step.seconds)

    def follow(self, mark: Mark) -> None:
        """Begins the turns that begin with a state."""
        before, self.mark = self.mark, mark
        if mark.turn_of is None:
            for seat in set(mark.awaited).difference(before.awaited):
                self.seats[seat] = seats.begun(self.rule, self.seats[seat])
        elif mark.turn_of != before.turn_of:
            self.seats = [replace(clock, share=None) for clock in self.seats]
            self.seats[mark.turn_of] = seats.begun(self.rule, self.seats[mark.turn_of])

    def settle_others(self) -> None:
        """Ends the runs of seats that are awaited no more, and begins those of the others."""
        for seat, clock in enumerate(self.seats):
            awaited = seat in self.mark.awaited and seat not in self.held
            if clock.since is not None and not awaited:
                self.settle(seat, self.step.at)
            elif clock.since is None and awaited:
                lent = self.mark.turn_of not in (None, seat)
                others = max(1, len(self.seats) - 1)
                self.seats[seat] = seats.started(self.rule, clock, self.step.at, others if lent else None)

    def settle(self, seat: Seat, until: int) -> None:
        """Ends the run of a seat, where it has one."""
        since = self.seats[seat].since
        if since is not None:
            stops = self.note_stops(seat, max(since, until))
            used = running(_spans(stops), since, max(since, until))
            self.seats[seat] = seats.settled(self.seats[seat], used)

    def note_stops(self, seat: Seat, until: int) -> Stops:
        """What stopped the present run of a seat up to ``until``."""
        since = self.seats[seat].since
        if since is None:
            return ()
        stops = stops_within(self.stops_of(seat), since, until)
        if stops:
            self.stopped[seat] = stops
            away = stopped((stop.span for stop in stops if stop.kind == "days_off"), since, until)
            self.seats[seat] = replace(self.seats[seat], off=self.seats[seat].off + away)
        return stops


def clock_document(clock: SeatClock) -> dict[str, Any]:
    """A clock as a document."""
    return {name: value for name, value in asdict(clock).items() if name == "left" or value != _DEFAULTS[name]}


def clock_of(document: Mapping[str, Any]) -> SeatClock:
    """The clock of a document."""
    return SeatClock(**document)


def stops_document(stops: Iterable[Stop]) -> list[list[Any]]:
    """Stops as a document."""
    return [[stop.kind, stop.start, stop.end] for stop in stops]


def stops_of(document: Iterable[Any]) -> Stops:
    """The stops of a document."""
    return tuple(Stop(kind, start, end) for kind, start, end in document)


def stops_by_seat_document(stops: Mapping[int, Stops]) -> dict[str, Any] | None:
    """The stops of several seats as a document; ``None`` where there are none."""
    return {str(seat): stops_document(each) for seat, each in sorted(stops.items())} or None


def stops_by_seat(document: Mapping[str, Any] | None) -> dict[int, Stops]:
    """The stops of several seats."""
    return {int(seat): stops_of(each) for seat, each in (document or {}).items()}
