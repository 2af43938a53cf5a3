"""The clocks of a match as its record has them, and their verification: every deadline and every
time that was up is computed again. Pure, so that anybody can check it offline.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, get_args

from engine.errors import RecordError
from engine.game import AnyGame
from engine.play import Mark, marks
from engine.record import (
    Record,
    RecordedClock,
    RecordedMark,
    RecordedStep,
    RecordedStop,
    StepKind,
    StopKind,
    bots_of,
    names_at,
    states_of,
)
from engine.types import CHANCE, Seat
from service.clocks.history import BY_BOT, NOBODY, ClockStep, MatchClock, fresh, replayed, what_follows
from service.clocks.rule import ClockRule, RuleError, document_of, read_rule
from service.clocks.seat import MOST_IN_A_MATCH, Stop, deadline, not_before
from service.clocks.spans import DAY, instant, moment, written

EXTENSIONS: Final = (DAY,)
"""By what players may agree to extend the time of a seat, in seconds."""
_STOPS: Final = get_args(StopKind)
ABANDONED_AFTER: Final = 14 * DAY
"""A bot has to have held a seat for so long, before others can end the match as abandoned."""
_WRITTEN: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


class ClockError(Exception):
    """A step does not follow from those before it; ``number`` counts from 0."""

    def __init__(self, number: int, sentence: str) -> None:
        super().__init__(f"Step {number} of the clocks: {sentence}")
        self.number = number


@dataclass(frozen=True, slots=True)
class ClocksVerified:
    """The number of steps, and of the times that time was up, by the player's name."""

    steps: int
    timed_out: Mapping[str, int]


def recorded(rule: Mapping[str, Any], steps: Iterable[ClockStep]) -> RecordedClock:
    """The clocks as a record has them."""
    return RecordedClock(
        rule=rule,
        steps=tuple(
            RecordedStep(
                kind=step.kind,
                seat=step.seat,
                ply=step.ply,
                counts_at=_text(step.counts_at),
                at=_text(step.at),
                seconds=step.seconds,
                stops={
                    str(seat): tuple(RecordedStop(stop.kind, _text(stop.start), _text(stop.end)) for stop in stops)
                    for seat, stops in sorted(step.stops.items())
                },
                not_before=None if step.not_before is None else _text(step.not_before),
                states=tuple(RecordedMark(mark.awaited, mark.turn_of) for mark in step.marks),
            )
            for step in steps
        ),
    )


def verify_clocks(record: Record) -> ClocksVerified | None:
    """Follows the clocks of a finished record whose log was verified; ``None`` for one without.
    Raises ``RecordError`` with the step that does not follow.
    """
    if record.clock is None:
        return None
    try:
        rule = read_rule(record.clock.rule)
        if rule is None or document_of(rule) != dict(record.clock.rule):
            raise RecordError("The rule of the clocks is not written out in full.")
        steps = read_steps(record.clock)
        game, states = states_of(record)
        check_marks(game, states, steps, True)
        clock = followed(rule, len(record.players), bots_of(record), steps)
        _check_entries(record, steps)
    except RuleError as error:
        raise RecordError(f"The rule of the clocks cannot be read: {error}") from error
    except ClockError as error:
        raise RecordError(str(error)) from error
    if any(own.since is not None for own in clock.seats):
        raise RecordError("The steps of the clocks end before the match does: a clock still runs.")
    handed = [(step.seat, step.ply) for step in steps if step.kind == "handed"]
    if handed != [(each.seat, each.ply) for each in record.handovers]:
        raise RecordError("By the steps of the clocks other seats were handed over than by the record.")
    overs = [number for number, step in enumerate(steps) if step.kind == "over"]
    if overs != ([] if record.early_end is None else [len(steps) - 1]):
        raise RecordError("By the steps of the clocks the match ended otherwise than by the record.")
    _check_abandoned(record, steps)
    resigned = [step.seat for step in steps if step.kind in ("resigned", "time_up_resign")]
    if resigned != [each.seat for each in record.resignations]:
        raise RecordError(f"By the steps of the clocks the seats {resigned} resigned, by the record others did.")
    return ClocksVerified(len(steps), _timed_out(record, steps))


def _check_entries(record: Record, steps: Sequence[ClockStep]) -> None:
    """Checks that each step leads over the entries of its turn, and of seats that bots play."""
    by_bots = {*bots_of(record), *(step.seat for step in steps if step.kind in BY_BOT or step.kind == "resigned")}
    for number, (ply, step) in enumerate(zip((0, *(step.ply for step in steps)), steps, strict=False)):
        own = [step.seat] if step.kind == "turn" else []
        acted = [entry.seat for entry in record.log[ply : step.ply] if entry.seat != CHANCE]
        drawn = any(entry.seat == CHANCE for entry in record.log[step.ply : step.ply + 1])
        if acted[: len(own)] != own or not by_bots.issuperset({*acted} - {*own}) or drawn:
            raise ClockError(number, f"by the log others acted from ply {ply} to ply {step.ply}, or chance after it.")


def _check_abandoned(record: Record, steps: Sequence[ClockStep]) -> None:
    """Checks that bots had held the seats of an abandoned match for long enough."""
    if record.early_end is None or record.early_end.how != "abandoned":
        return
    since = {step.seat: step.at for step in steps if step.kind == "time_up_bot_hold"}
    asked = {*record.early_end.seats, *record.early_end.absent, None}
    late = [seat for seat, at in since.items() if seat not in asked and steps[-1].at - at < ABANDONED_AFTER]
    if late:
        raise RecordError(
            f"The match is said to have been abandoned, but bots had held the seats {late} for less than"
            f" {ABANDONED_AFTER // DAY} days."
        )


def _timed_out(record: Record, steps: Iterable[ClockStep]) -> dict[str, int]:
    """How often time was up for each player, by the name of who had the seat then."""
    names, handovers = list(names_at(record.players, record.handovers, -1)), iter(record.handovers)
    found: Counter[str] = Counter()
    for step in steps:
        if step.kind == "handed":
            handover = next(handovers)
            names[handover.seat] = handover.to
        elif step.kind in BY_BOT and step.seat is not None:
            found[names[step.seat]] += 1
    return dict(found)


def read_steps(clock: RecordedClock) -> tuple[ClockStep, ...]:
    """The steps of the clocks that a record has. Raises ``ClockError``."""
    return tuple(_step(number, step) for number, step in enumerate(clock.steps))


def _step(number: int, step: RecordedStep) -> ClockStep:
    if step.kind not in get_args(StepKind):
        raise ClockError(number, f"{step.kind!r} is no kind of step.")
    try:
        stops = {int(seat): tuple(_stop(stop) for stop in stops) for seat, stops in step.stops.items()}
        counts_at, at = _instant(step.counts_at), _instant(step.at)
        not_before = None if step.not_before is None else _instant(step.not_before)
    except ValueError as error:
        raise ClockError(number, f"{error}.") from error
    reached = tuple(Mark(state.awaited, state.turn_of) for state in step.states)
    return ClockStep(step.kind, step.seat, step.ply, counts_at, at, step.seconds, stops, not_before, reached)


def _stop(stop: RecordedStop) -> Stop:
    return Stop(stop.kind, _instant(stop.start), _instant(stop.end))


def _text(at: int) -> str:
    return written(moment(at))


def _instant(text: str) -> int:
    if not _WRITTEN.fullmatch(text):
        raise ValueError(f"{text!r} is no time in UTC such as 2026-11-24T12:00:00Z")
    return instant(datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC))


def check_marks(game: AnyGame, states: Sequence[Any], steps: Sequence[ClockStep], finished: bool) -> None:
    """Checks whom each step says that its ``states`` await. Raises ``ClockError``."""
    ply = 0
    for number, step in enumerate(steps):
        if not ply <= step.ply < len(states):
            raise ClockError(number, f"it leads from ply {ply} to ply {step.ply}, which the log does not have.")
        reached = marks(game, [states[step.ply]] if step.kind == "begun" else states[ply + 1 : step.ply + 1])
        if step.marks != (reached if number + 1 < len(steps) or not finished else (*reached, NOBODY)):
            raise ClockError(number, "it names others whom the match awaited.")
        ply = step.ply


def followed(rule: ClockRule, number: int, bots: Iterable[Seat], steps: Sequence[ClockStep]) -> MatchClock:
    """The clocks of ``number`` seats after those steps. Raises ``ClockError``."""
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
    if step.seconds and step.kind != "extended":
        return "it names seconds, and extends nothing."
    if step.not_before is not None and step.kind not in BY_BOT:
        return "it names what an outage had to leave, and no time was up."
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
