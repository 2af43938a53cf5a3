"""All clocks of a match, and how each step of the match changes them. Pure.

A step is what happened in one transaction: a turn, time that was up, an extension. Folded over the
steps of a match, ``advanced`` gives its clocks; a record has all that it needs. What stopped a
clock is part of the step that ended its run, as spans in UTC: neither a time zone nor the hours of
a player are needed to follow what has happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from engine.play import Mark
from engine.record import StepKind
from engine.types import Seat
from service.clocks import seat as seats
from service.clocks.rule import ClockRule, IfLate
from service.clocks.seat import SeatClock, Stop, Stops, StopsOf, not_before, stops_within
from service.clocks.spans import stopped

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
HELD_AFTER: Final = 2
"""After so many turns in a row that a bot played, it holds the seat until the player comes back."""


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
    """The clocks of a match; ``held`` are the seats whose clock never runs, as a bot plays them."""

    rule: ClockRule
    seats: tuple[SeatClock, ...]
    mark: Mark = NOBODY
    held: frozenset[Seat] = frozenset()


def fresh(rule: ClockRule, number: int, bots: Iterable[Seat] = ()) -> MatchClock:
    """The clocks of a match before its deal; ``bots`` are the seats that bots have by then."""
    return MatchClock(rule, (SeatClock(rule.base),) * number, held=frozenset(bots))


def what_follows(clock: MatchClock, seat: Seat) -> StepKind:
    """What follows by the rule now that the time of a seat and its reserve are up.

    A bot that has played a turn before holds the seat, unless nobody else were left who plays.
    """
    own = clock.seats[seat]
    others = len(clock.seats) - len(clock.held | {seat})
    if clock.rule.if_late == "bot_turn" and own.missed + 1 >= HELD_AFTER and others and not own.exhausted:
        return "time_up_bot_hold"
    return _FOLLOWS[clock.rule.if_late]


def advanced(clock: MatchClock, step: ClockStep, stops_of: StopsOf) -> tuple[MatchClock, ClockStep]:
    """The clocks after a step, and the step with the stops of the runs that it ended."""
    change = _Change(clock, step, stops_of)
    if step.seat is not None:
        change.act(step.seat)
    for mark in step.marks:
        change.follow(mark)
    change.settle_others()
    after = MatchClock(clock.rule, tuple(change.seats), change.mark, frozenset(change.held))
    return after, replace(step, stops=change.stopped, not_before=change.not_before)


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
        if kind in BY_BOT:
            stops = self.note_stops(seat, self.step.counts_at)
            self.not_before = not_before(self.seats[seat], stops)
            self.seats[seat] = seats.timed_out(self.rule, self.seats[seat])
            if kind != "time_up_bot_turn":
                self.held.add(seat)
        elif kind == "extended":
            self.seats[seat] = seats.extended(self.seats[seat], self.step.seconds)
        elif kind == "resigned":
            self.settle(seat, self.step.at)
            self.held.add(seat)
        elif kind in ("turn", "back", "handed"):  # the player has acted, is back, or is another one
            if kind == "back":
                self.held.discard(seat)
            else:
                self.settle(seat, self.step.counts_at if kind == "turn" else self.step.at)
            self.seats[seat] = replace(self.seats[seat], missed=0)

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
                self.seats[seat] = seats.started(self.rule, clock, self.step.at, len(self.seats) - 1 if lent else None)

    def settle(self, seat: Seat, until: int) -> None:
        """Ends the run of a seat, where it has one."""
        since = self.seats[seat].since
        if since is not None:
            stops = self.note_stops(seat, max(since, until))
            self.seats[seat] = seats.settled(self.seats[seat], stops, max(since, until))

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
    """A clock as the document of its fields, without those that have their default."""
    return {name: value for name, value in asdict(clock).items() if name == "left" or value != _DEFAULTS[name]}


def stops_by_seat_document(stops: Mapping[int, Stops]) -> dict[str, Any] | None:
    """The stops of several seats as a document; ``None`` where there are none."""
    return {str(seat): [list(stop) for stop in each] for seat, each in sorted(stops.items())} or None


def stops_by_seat(document: Mapping[str, Any] | None) -> dict[int, Stops]:
    """The stops of several seats, of a document."""
    return {int(seat): tuple(Stop(*stop) for stop in each) for seat, each in (document or {}).items()}
