"""When players are reminded: within the bounds, never in quiet hours, and never too often."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from service.clocks.rule import ClockRule
from service.clocks.seat import (
    APART,
    LAST_BEFORE,
    Ground,
    SeatClock,
    Stop,
    deadline,
    next_reminder,
    reminders,
    stops_ahead,
)
from service.clocks.spans import DAY, HOUR, LocalHours, quiet_spans

SINCE = 1_795_000_000


def test_at_half_of_the_time_and_twelve_hours_before_the_reserve_runs_and_is_up() -> None:
    clock = SeatClock(3 * DAY, since=SINCE)
    last = (SINCE + 60 * HOUR, SINCE + 108 * HOUR)
    assert reminders(clock, (), None, "both") == (SINCE + 36 * HOUR, *last)
    assert reminders(clock, (), None, "last") == last
    assert reminders(clock, (), None, "none") == ()
    assert reminders(SeatClock(3 * DAY), (), None, "both") == ()


def test_without_a_reserve_less_than_a_day_is_reminded_of_once_at_most() -> None:
    assert reminders(SeatClock(DAY - 1, reserve=0, since=SINCE), (), None, "both") == (SINCE + DAY - 1 - LAST_BEFORE,)
    assert reminders(SeatClock(12 * HOUR, reserve=0, since=SINCE), (), None, "both") == ()
    assert reminders(SeatClock(DAY, reserve=0, since=SINCE), (), None, "both") == (SINCE + 12 * HOUR,)


def test_the_end_of_what_stops_a_clock_without_time_of_its_own_is_no_time_to_remind_of() -> None:
    stopped = (Stop("pause", SINCE, SINCE + 5 * DAY),)
    assert reminders(SeatClock(0, since=SINCE), stopped, None, "both") == (SINCE + 7 * DAY - LAST_BEFORE,)


def test_of_two_reminders_within_six_hours_the_later_comes() -> None:
    assert reminders(SeatClock(2 * DAY, reserve=HOUR, since=SINCE), (), None, "last") == (SINCE + 37 * HOUR,)


@given(
    st.integers(HOUR, 12 * DAY),
    st.integers(0, 2 * DAY),
    st.integers(0, 365 * DAY),
    st.sampled_from(["UTC", "Asia/Kathmandu", "America/St_Johns", "Australia/Lord_Howe"]),
    st.integers(0, 1439),
    st.integers(1, 540),
    st.booleans(),
)
def test_reminders_are_within_their_bounds_and_ahead_of_quiet_hours(
    budget: int, reserve: int, later: int, zone: str, begin: int, minutes: int, stops_clock: bool
) -> None:
    hours = LocalHours(zone, begin, (begin + minutes) % 1440)
    clock, rule = SeatClock(budget, reserve=reserve, since=SINCE + later), ClockRule(DAY, 0, 12 * DAY)
    stops = stops_ahead(rule, clock, Ground(hours if stops_clock else None))
    due = deadline(clock, stops)
    found = reminders(clock, stops, hours, "both")
    assert due is not None
    assert clock.since is not None
    assert len(found) <= 3
    assert all(earlier + APART <= later for earlier, later in pairwise(found))
    assert all(clock.since < at < due for at in found)
    assert list(found) == sorted(set(found))
    for at in found:
        assert not any(start < at < end for start, end in quiet_spans(hours, at - DAY, at + DAY))
    if due - clock.since > 2 * LAST_BEFORE:
        assert LAST_BEFORE <= due - found[-1] <= 2 * LAST_BEFORE
    assert next_reminder(found, 0) == (found[0] if found else None)
    assert next_reminder(found, found[-1] if found else 0) is None
