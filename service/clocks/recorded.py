"""Follows the clocks of a match from what is recorded of it, and checks every step: no time was up
early, twice, or otherwise than the rule says. Pure, so that anybody can check it offline.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, get_args

from engine.game import AnyGame
from engine.play import marks
from engine.record import StopKind
from engine.types import Seat
from service.clocks.days_off import MOST_IN_A_MATCH
from service.clocks.durations import DAY
from service.clocks.history import (
    BY_BOT,
    NOBODY,
    ClockStep,
    MatchClock,
    deadline,
    fresh,
    not_before,
    replayed,
    what_follows,
)
from service.clocks.rule import ClockRule

EXTENSIONS: Final = (DAY,)
"""By what players may agree to extend the time of a seat, in seconds."""
_STOPS: Final = get_args(StopKind)


class ClockError(Exception):
    """A step does not follow from those before it; ``number`` counts from 0."""

    def __init__(self, number: int, sentence: str) -> None:
        super().__init__(f"Step {number} of the clocks: {sentence}")
        self.number = number


def check_marks(game: AnyGame, states: Sequence[Any], steps: Sequence[ClockStep], finished: bool) -> None:
    """Checks whom each step says that the states await that it led to; ``states`` has the state at
    every ply. Raises ``ClockError``.
    """
    ply = 0
    for number, step in enumerate(steps):
        if not ply <= step.ply < len(states):
            raise ClockError(number, f"it leads from ply {ply} to ply {step.ply}, which the log does not have.")
        reached = marks(game, [states[step.ply]] if step.kind == "begun" else states[ply + 1 : step.ply + 1])
        if step.marks != (reached if number + 1 < len(steps) or not finished else (*reached, NOBODY)):
            raise ClockError(number, "it names others whom the match awaited.")
        ply = step.ply


def followed(rule: ClockRule, number: int, bots: Iterable[Seat], steps: Sequence[ClockStep]) -> MatchClock:
    """The clocks of ``number`` seats after those steps. Raises ``ClockError`` at the first that
    does not follow.
    """
    if not steps:
        raise ClockError(0, "there is none; the clocks begin with the deal.")
    clock, before, own = fresh(rule, number, bots), None, frozenset(bots)
    for at, step in enumerate(steps):
        problem = _problem(clock, step, before, own)
        if problem is not None:
            raise ClockError(at, problem)
        clock, before = replayed(clock, step), step
        if any(each.off > MOST_IN_A_MATCH for each in clock.seats):
            raise ClockError(at, "days off stopped a clock for more than 15 days.")
    return clock


def _problem(clock: MatchClock, step: ClockStep, before: ClockStep | None, bots: frozenset[Seat]) -> str | None:
    if (step.kind == "begun") != (before is None):
        return "the clocks begin with the deal, and only with it."
    if before is not None and step.at < before.at:
        return "it was written before the step before it."
    if step.counts_at > step.at:
        return "it counts from later than it was written."
    if step.seat is not None and not 0 <= step.seat < len(clock.seats):
        return f"there is no seat {step.seat}."
    if step.kind == "turn" and step.seat in clock.held - bots:
        return f"a bot held seat {step.seat}, or it had resigned."
    return _wrong_stops(clock, step) or (None if step.seat is None else _wrong_act(clock, step, step.seat))


def _wrong_stops(clock: MatchClock, step: ClockStep) -> str | None:
    for seat, stops in step.stops.items():
        since = clock.seats[seat].since if 0 <= seat < len(clock.seats) else None
        if since is None:
            return f"it names what stopped the clock of seat {seat}, which did not run."
        for stop in stops:
            if stop.kind not in _STOPS or not since <= stop.start < stop.end <= max(step.at, step.counts_at):
                return f"a stop of seat {seat} ({stop.kind}) is not within the run that it ended."
    return None


def _wrong_act(clock: MatchClock, step: ClockStep, seat: Seat) -> str | None:
    own = clock.seats[seat]
    stops = step.stops.get(seat, ())
    due = deadline(own, stops)
    if step.kind in BY_BOT:
        if due is None:
            return f"the time of seat {seat} was not up: its clock did not run."
        if due != step.counts_at:
            return f"the time of seat {seat} was up at {due}, in seconds since 1970, not at {step.counts_at}."
        if step.not_before != not_before(own, stops):
            return "it says otherwise until when an outage before had to leave time."
        if step.kind != what_follows(clock, seat):
            return f"by the rule of the match {what_follows(clock, seat)} had to follow."
    elif step.kind == "turn" and seat not in clock.mark.awaited:
        return f"seat {seat} was not awaited."
    elif step.kind == "extended" and (own.since is None or step.seconds not in EXTENSIONS):
        return f"the time of seat {seat} could not be extended by {step.seconds} seconds."
    elif step.kind == "handed" and seat in clock.held:
        return f"a bot held seat {seat}, or it had resigned."
    elif step.kind == "handed" and due is not None and due < step.at:
        return f"the time of seat {seat} was up before it was handed over."
    elif step.kind == "back" and seat not in clock.held:
        return f"no bot held seat {seat}."
    return None
