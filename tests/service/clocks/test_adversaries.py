"""Simulated matches against the clocks as a pure function: the worst players cannot exceed the
published bound, and whatever happens can be followed from what is recorded.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

import pytest

from engine.play import Mark
from service.clocks.history import ClockStep, MatchClock, advanced, fresh, what_follows
from service.clocks.recorded import followed
from service.clocks.rule import FIRST_TURN_LEAST, PRESETS, RESERVE, ClockRule
from service.clocks.seat import LEFT_AFTER_OUTAGE, Ground, Stop, Stops, StopsOf, deadline, remaining, stops_ahead
from service.clocks.spans import DAY, HOUR, LocalHours, running, union

BEGAN = 1_795_000_000
RULES = (
    *PRESETS.values(),
    ClockRule(HOUR),
    ClockRule(2 * DAY, 6 * HOUR, 4 * DAY, weekends="Europe/Berlin"),
    ClockRule(DAY, DAY, 9 * DAY),
)


@dataclass
class Table:
    """A match of seats that take turns, some of which ask all others for decisions within them."""

    rule: ClockRule
    number: int
    luck: random.Random
    ground: dict[int, Ground] = field(default_factory=dict)
    now: int = BEGAN
    used: dict[int, int] = field(default_factory=dict)
    turns: dict[int, int] = field(default_factory=dict)
    steps: list[ClockStep] = field(default_factory=list)
    since_outage: dict[int, int] = field(default_factory=dict)
    """How long the clock of each seat has run since the last outage that stopped it."""

    def __post_init__(self) -> None:
        self.clock = fresh(self.rule, self.number)
        self.of, self.asked = 0, [0]
        self.turns[0] = 1
        self.take("begun", None, self.now, [self.mark()])

    def mark(self) -> Mark:
        return Mark(tuple(sorted(self.asked)), self.of)

    def stops(self, seat: int) -> Stops:
        return stops_ahead(self.rule, self.clock.seats[seat], self.ground.get(seat, Ground()))

    def take(self, kind: str, seat: int | None, counts_at: int, marks: list[Mark]) -> None:
        before = self.clock
        step = ClockStep(kind, seat, 0, counts_at, max(self.now, counts_at), marks=tuple(marks))  # type: ignore[arg-type]
        self.clock, step = advanced(before, step, self.stops_of(before))
        for each, (old, new) in enumerate(zip(before.seats, self.clock.seats, strict=True)):
            if old.since is not None and new.since != old.since:
                until = counts_at if each == seat else step.at
                spans = union(stop.span for stop in step.stops.get(each, ()))
                spent = running(spans, old.since, max(old.since, until))
                assert spent + sum(end - start for start, end in spans) == max(old.since, until) - old.since
                self.used[each] = self.used.get(each, 0) + spent
                ends = [stop.end for stop in step.stops.get(each, ()) if stop.kind == "outage"]
                if ends:
                    self.since_outage[each] = running(spans, max(ends), max(old.since, until))
                elif each in self.since_outage:
                    self.since_outage[each] += spent
        self.now = step.at
        self.steps.append(step)

    def stops_of(self, before: MatchClock) -> StopsOf:
        return lambda seat: stops_ahead(self.rule, before.seats[seat], self.ground.get(seat, Ground()))

    def moved_on(self, seat: int) -> list[Mark]:
        """The marks after a seat has decided: others may be asked, or the next turn begins."""
        self.asked.remove(seat)
        if seat == self.of and self.luck.random() < 0.3:
            self.asked += [each for each in range(self.number) if each != seat and each not in self.clock.held]
        marks = [self.mark()] if self.asked else []
        while not self.asked:
            self.of = (self.of + 1) % self.number
            self.turns[self.of] = self.turns.get(self.of, 0) + 1
            self.asked = [self.of]
            marks.append(self.mark())
            if self.of in self.clock.held:
                self.asked = []
        return marks

    def due(self, seat: int) -> int:
        at = deadline(self.clock.seats[seat], self.stops(seat))
        assert at is not None
        return at

    def expire(self, seat: int) -> None:
        at, own = self.due(seat), self.clock.seats[seat]
        left = remaining(own, self.stops(seat), at)
        assert (left.seconds, left.reserve, left.deadline) == (0, 0, at)
        self.now = max(self.now, at) + self.luck.randrange(60)
        self.take_over(what_follows(self.clock, seat), seat, at)

    def take_over(self, kind: str, seat: int, at: int) -> None:
        held = kind != "time_up_bot_turn"
        before = self.clock
        if held:  # what the bot decides next is within the same step
            self.clock = replace(before, held=before.held | {seat})
        marks = self.moved_on(seat)
        self.clock = before
        self.take(kind, seat, at, marks)
        assert self.since_outage.pop(seat, LEFT_AFTER_OUTAGE) >= LEFT_AFTER_OUTAGE

    def play(self, seat: int) -> None:
        self.take("turn", seat, self.now, self.moved_on(seat))


def bound(rule: ClockRule, turns: int) -> int:
    """What ``docs/clocks.md`` promises about the turns of one seat."""
    first = max(0, FIRST_TURN_LEAST - rule.base)
    return first + rule.base + RESERVE + turns * (rule.increment + rule.least_after)


def asked_bound(rule: ClockRule, turns: int) -> int:
    """What it promises about the seats that are asked within ``turns`` turns of others."""
    return turns * rule.unit + RESERVE


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.deep) for seed in range(1, 12))])
def test_the_worst_player_is_within_the_published_bound_and_every_history_can_be_followed(
    rule: ClockRule, seed: int
) -> None:
    luck = random.Random(f"{rule} {seed}")
    table = Table(rule, luck.choice((2, 3, 4)), luck)
    for seat in range(table.number):
        hours = LocalHours("America/St_Johns", luck.randrange(1440), 0)
        hours = hours._replace(end=(hours.begin + luck.randrange(1, 541)) % 1440)
        away = Stop("days_off", BEGAN + luck.randrange(60 * DAY), BEGAN + luck.randrange(60, 70) * DAY)
        outages = [BEGAN + luck.randrange(luck.choice((12, 90)) * DAY) for _ in range(luck.randrange(20))]
        table.ground[seat] = Ground(
            hours if luck.random() < 0.5 else None,
            (away,) if luck.random() < 0.5 else (),
            tuple(Stop("outage", outage, outage + luck.randrange(10 * HOUR)) for outage in outages),
        )
    worst = luck.random() < 0.5
    for _ in range(120):
        seat = luck.choice(table.asked)
        if seat in table.clock.held:
            table.take("back", seat, table.now, [])
        for each in sorted(table.clock.held):
            table.take("back", each, table.now, [])
        if luck.random() < 0.3 and table.due(seat) >= table.now:  # another player has the seat from now on
            table.take("handed", seat, table.now, [])
        due = table.due(seat)
        if worst or luck.random() < 0.4 or due <= table.now:
            table.expire(min(table.asked, key=table.due))
        else:
            table.now = luck.choice((due, luck.randrange(table.now, due + 1)))
            table.play(seat)
    bots: tuple[int, ...] = ()
    assert followed(rule, table.number, bots, table.steps).seats == table.clock.seats
    every = sum(table.turns.values())
    for seat, used in table.used.items():
        mine = table.turns.get(seat, 0)
        assert used <= bound(rule, mine) + asked_bound(rule, every - mine), (seat, used)


@pytest.mark.parametrize("rule", RULES)
def test_nobody_loses_time_to_an_outage_and_everybody_has_some_left(rule: ClockRule) -> None:
    luck = random.Random(str(rule))
    for _ in range(200):
        table = Table(rule, 2, luck)
        before = table.due(0)
        start, length = BEGAN + luck.randrange(before - BEGAN + DAY), luck.randrange(1, 12 * HOUR)
        table.ground[0] = Ground(outages=(Stop("outage", start, start + length),))
        after = table.due(0)
        if start > before:
            assert after == before
            continue
        assert after >= before + (length if rule.weekends is None else 0)
        assert after >= start + length + LEFT_AFTER_OUTAGE


def test_a_pause_in_two_parts_is_the_same_as_one() -> None:
    table = Table(PRESETS["brisk"], 2, random.Random(1))
    whole = Stop("pause", BEGAN + HOUR, BEGAN + 9 * HOUR)
    parts = (Stop("pause", BEGAN + HOUR, BEGAN + 4 * HOUR), Stop("pause", BEGAN + 4 * HOUR, BEGAN + 9 * HOUR))
    found = []
    for declared in ((whole,), parts, (*parts, whole)):
        table.ground[0] = Ground(declared=declared)
        found.append(table.due(0))
    assert len(set(found)) == 1
