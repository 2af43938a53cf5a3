"""A request is admitted as long as it can be served in time."""

from __future__ import annotations

import pytest

from service.errors import Overloaded
from service.serving.bridge import FIRST_PACE, LONGEST_SECONDS, Admission


class Watch:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_requests_are_refused_when_those_before_them_take_longer_than_a_request_may_wait() -> None:
    watch = Watch()
    queue = Admission(watch, 0, 1_000_000)
    for _ in range(int(LONGEST_SECONDS / FIRST_PACE) + 1):
        queue.enter()
    with pytest.raises(Overloaded) as refused:
        queue.enter()
    assert refused.value.retry_after == 6


def test_the_pace_follows_the_requests_that_leave() -> None:
    watch = Watch()
    queue = Admission(watch, 0, 1_000_000)
    for _ in range(100):
        queue.enter()
    for _ in range(50):
        watch.now += 0.5
        queue.leave()
    with pytest.raises(Overloaded):  # 50 of them take 25 seconds
        queue.enter()
    for _ in range(45):
        watch.now += 0.5
        queue.leave()
    queue.enter()


def test_as_many_as_are_served_at_once_are_admitted_however_long_they_take() -> None:
    watch = Watch()
    queue = Admission(watch, 3, 1_000_000)
    for _ in range(3):
        watch.now += 1000
        queue.enter()


def test_where_none_leaves_no_more_are_admitted_and_an_idle_time_does_not_count() -> None:
    watch = Watch()
    queue = Admission(watch, 1, 1_000_000)
    queue.enter()
    queue.leave()
    watch.now += 1000
    queue.enter()
    queue.enter()
    watch.now += LONGEST_SECONDS + 1
    with pytest.raises(Overloaded):
        queue.enter()
    queue.leave()
    queue.enter()


def test_their_number_is_limited() -> None:
    queue = Admission(Watch(), 10, 2)
    queue.enter()
    queue.enter()
    with pytest.raises(Overloaded, match="in 1 seconds"):
        queue.enter()
