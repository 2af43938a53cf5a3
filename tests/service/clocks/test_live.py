"""What stops a clock that runs: outages leave some time, whatever else stops the clock."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.clocks.rule import PRESETS
from service.clocks.seat import (
    LEFT_AFTER_OUTAGE,
    Ground,
    SeatClock,
    Stop,
    deadline,
    main_until,
    not_before,
    remaining,
    stopped_at,
    stops_ahead,
)
from service.clocks.spans import LocalHours, running, union

HOUR, DAY = 3600, 86_400
START = 1_774_483_200
"""A midnight in UTC."""
BRISK = PRESETS["brisk"]
NIGHT = LocalHours("UTC", 22 * 60, 6 * 60)


def left_after(clock: SeatClock, ground: Ground, end: int) -> int:
    """The time from the end of an outage to the deadline in which nothing stops the clock."""
    stops = stops_ahead(BRISK, clock, ground)
    due = deadline(clock, stops)
    assert due is not None
    return running(union(stop.span for stop in stops), end, due)


@pytest.mark.parametrize("begins", [13, 15, 17])
def test_quiet_hours_do_not_eat_what_an_outage_leaves(begins: int) -> None:
    clock = SeatClock(left=DAY, reserve=0, since=START - 3 * HOUR)
    outage = Stop("outage", START + begins * HOUR, START + 21 * HOUR)  # the night begins an hour later
    assert left_after(clock, Ground(NIGHT, (), (outage,)), outage.end) >= LEFT_AFTER_OUTAGE


@pytest.mark.parametrize(("left", "bounded"), [(-1, True), (0, False), (1, False)])
def test_an_outage_bounds_a_deadline_only_where_too_little_is_left(left: int, bounded: bool) -> None:
    outage = Stop("outage", START, START + HOUR)
    clock = SeatClock(left=HOUR + LEFT_AFTER_OUTAGE + left, reserve=0, since=START - HOUR)
    bound = not_before(clock, (outage,))
    assert bound == (outage.end + LEFT_AFTER_OUTAGE if bounded else None)


@pytest.mark.parametrize(("hours", "seconds", "reserve"), [(5, 19 * HOUR, 2 * DAY), (30, 0, DAY + 18 * HOUR)])
def test_what_is_left_is_the_main_time_and_then_the_reserve(hours: int, seconds: int, reserve: int) -> None:
    left = remaining(SeatClock(left=DAY, reserve=2 * DAY, since=START), (), START + hours * HOUR)
    assert (left.seconds, left.reserve, left.deadline) == (seconds, reserve, START + 3 * DAY)


def test_what_is_asked_within_the_turn_of_another_is_decided_within_the_share() -> None:
    clock = SeatClock(left=DAY, reserve=0, share=HOUR, lent=True, since=START)
    assert deadline(clock, ()) == START + HOUR


@given(
    st.integers(0, 3), st.integers(0, 3), st.lists(st.tuples(st.integers(0, 5), st.integers(1, 5))), st.integers(0, 9)
)
def test_what_is_left_and_until_when_agree_also_where_time_is_up_as_a_stop_begins(
    left: int, reserve: int, spans: list[tuple[int, int]], later: int
) -> None:
    clock = SeatClock(left=left * HOUR, reserve=reserve * HOUR, since=START)
    stops = tuple(Stop("pause", START + at * HOUR, START + (at + length) * HOUR) for at, length in spans)
    until, due, now = main_until(clock, stops), deadline(clock, stops), START + later * HOUR
    shown = remaining(clock, stops, now).main_until or due
    assert until is not None
    assert shown == (until if now < until else due)


HOURS = st.integers(0, 80 * HOUR)
OUTS = st.lists(st.tuples(HOURS, st.integers(180, 9 * HOUR)), min_size=1, max_size=4)


@given(OUTS, st.lists(st.tuples(HOURS, HOURS), max_size=2))
def test_after_every_outage_there_is_some_time_left(outs: list[tuple[int, int]], away: list[tuple[int, int]]) -> None:
    clock = SeatClock(left=DAY, reserve=0, since=START)
    outages = union(Stop("outage", START + at, START + at + length).span for at, length in outs)
    declared = tuple(Stop("pause", START + at, START + at + length) for at, length in away if length)
    ground = Ground(NIGHT, declared, tuple(Stop("outage", *span) for span in outages))
    due = deadline(clock, stops_ahead(BRISK, clock, ground))
    assert due is not None
    for start, end in outages:
        if start < due:
            assert left_after(clock, ground, end) >= LEFT_AFTER_OUTAGE


@given(OUTS)
def test_a_further_outage_never_brings_a_deadline_forward(outs: list[tuple[int, int]]) -> None:
    clock = SeatClock(left=DAY, reserve=0, since=START)
    stops = [Stop("outage", START + at, START + at + length) for at, length in outs]
    due = [
        deadline(clock, stops_ahead(BRISK, clock, Ground(NIGHT, (), tuple(stops[:number]))))
        for number in range(len(stops) + 1)
    ]
    assert all((before or 0) <= (after or 0) for before, after in pairwise(due))


def test_of_several_stops_an_outage_is_named_and_else_the_one_that_lasts_longest() -> None:
    night, pause, outage = Stop("quiet", 0, 50), Stop("pause", 0, 90), Stop("outage", 10, 20)
    assert stopped_at((outage, night, pause), 15) == stopped_at((pause, night, outage), 15) == outage
    assert stopped_at((night, pause, outage), 20) == stopped_at((pause, night), 0) == pause
    assert stopped_at((night, outage), 49) == night
    assert stopped_at((night, outage), 50) is None
