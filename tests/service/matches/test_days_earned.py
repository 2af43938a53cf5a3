"""Days off: never more than thirty days, never fewer than none, and nothing
is gained.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from service.clocks.spans import DAY
from service.matches.days_off import FIRST_DAYS, MOST_DAYS, Taking, balance, unused

days = st.integers(0, 2000)


def test_days_are_earned_up_to_thirty() -> None:
    after = {day: balance(0, (), day * DAY) for day in (0, 11, 12, 24, 12 * 23, 12 * 24, 4000)}
    assert after == {0: 7, 11: 7, 12: 8, 24: 9, 12 * 23: 30, 12 * 24: 30, 4000: 30}


def test_what_is_earned_at_thirty_is_lost() -> None:
    full = 12 * 30 * DAY
    assert balance(0, [Taking(full, 10)], full) == 20
    assert balance(0, [Taking(full, 10)], full + 12 * DAY) == 21


@given(st.lists(st.tuples(days, st.integers(0, 30)), max_size=6), days)
def test_the_bank_has_none_to_thirty_days(taken: list[tuple[int, int]], now: int) -> None:
    takings = [Taking(at * DAY, number) for at, number in taken if at <= now]
    assert 0 <= balance(0, takings, now * DAY) <= MOST_DAYS


@given(days, st.integers(2, 7), days)
def test_who_takes_days_never_has_more_than_who_does_not(at: int, number: int, later: int) -> None:
    then = (at + later) * DAY
    assert balance(0, [Taking(at * DAY, number)], then) <= balance(0, (), then)
    assert balance(0, [Taking(at * DAY, 0)], then) == balance(0, (), then)
    assert balance(0, (), 0) == FIRST_DAYS


def test_whole_days_are_unused() -> None:
    assert [unused(3 * DAY, now) for now in (0, 1, DAY, 2 * DAY + 1, 4 * DAY)] == [3, 2, 2, 0, 0]
