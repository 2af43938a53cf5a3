"""Pictures are drawn by few, remembered, shared, and refused when too many are wanted."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from service.guard import Answered, Bounds, ChildOutcome, Died, Failure, Guard, GuardPool, Waited
from service.pictures import pool
from service.pictures.pool import PictureFailed, PicturePool, PicturesBusy
from tests.service.fakes import Timer
from tools.waiting import until


@dataclass
class Hand(Guard):
    """A process that draws what it is asked for as soon as the test lets it."""

    goes: threading.Event = field(default_factory=threading.Event)
    asked: list[tuple[str, int]] = field(default_factory=list)
    failure: Failure | None = None
    closed: int = 0

    def ask(self, request: Any, bounds: Bounds) -> ChildOutcome[bytes]:
        self.asked.append(request)
        assert self.goes.wait(60)
        return Answered(f"{request}".encode()) if self.failure is None else self.failure

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.fixture
def timer() -> Timer:
    return Timer()


@pytest.fixture
def pictures(hand: Hand, timer: Timer) -> Iterator[PicturePool]:
    made = PicturePool(GuardPool([hand]), timer)
    yield made
    hand.goes.set()
    made.close()


@contextmanager
def at_once(wanted: Callable[[int], bytes], count: int) -> Iterator[list[Future[bytes]]]:
    """So many threads that want a picture each."""
    with ThreadPoolExecutor(count) as threads:
        yield [threads.submit(wanted, number) for number in range(count)]


def test_a_picture_is_drawn_once_and_then_remembered_by_content_and_width(hand: Hand, pictures: PicturePool) -> None:
    hand.goes.set()
    assert pictures.png("<svg/>", 200) == pictures.png("<svg/>", 200) == b"('<svg/>', 200)"
    assert pictures.png("<svg/>", 300) == b"('<svg/>', 300)"
    assert pictures.png("<svg />", 200) == b"('<svg />', 200)"
    assert hand.asked == [("<svg/>", 200), ("<svg/>", 300), ("<svg />", 200)]


def test_those_who_want_the_same_at_the_same_time_share_one_drawing(hand: Hand, pictures: PicturePool) -> None:
    with at_once(lambda _: pictures.png("<svg/>", 200), 5) as answers:
        until(lambda: pictures._callers == 5, "all wait")
        hand.goes.set()
        assert {answer.result() for answer in answers} == {b"('<svg/>', 200)"}
    assert len(hand.asked) == 1


def test_beyond_those_who_may_wait_the_next_is_refused_at_once(hand: Hand, pictures: PicturePool) -> None:
    most = 1 + pool.WAITING
    with at_once(lambda number: pictures.png("<svg/>", 200 + number), most) as answers:
        until(lambda: pictures._callers == most, "all wait")
        with pytest.raises(PicturesBusy) as refused:
            pictures.png("<svg/>", 999)
        assert (refused.value.code, refused.value.retry_after) == ("pictures_busy", pool.RETRY_SECONDS)
        hand.goes.set()
        assert len({answer.result() for answer in answers}) == most
    assert pictures.png("<svg/>", 999) == b"('<svg/>', 999)"


def test_who_has_waited_too_long_is_refused_and_nothing_is_drawn_for_them(
    hand: Hand, pictures: PicturePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with at_once(lambda number: pictures.png("<svg/>", 200 + number), 1) as answers:
        until(lambda: hand.asked, "one is drawn")
        monkeypatch.setattr(pool, "QUEUE_SECONDS", 0.0)
        with pytest.raises(PicturesBusy):
            pictures.png("<svg/>", 999)
        hand.goes.set()
        assert answers[0].result() == b"('<svg/>', 200)"
    assert hand.asked == [("<svg/>", 200)]


def test_who_waits_for_a_drawing_of_somebody_else_does_so_for_as_long_as_they_want(
    hand: Hand, pictures: PicturePool
) -> None:
    with at_once(lambda _: pictures.png("<svg/>", 200), 1) as answers:
        until(lambda: hand.asked, "it is drawn")
        with pytest.raises(PicturesBusy):
            pictures.png("<svg/>", 200, patience=0.0)
        hand.goes.set()
        assert answers[0].result() == b"('<svg/>', 200)"


def test_a_drawing_that_fails_is_not_tried_again_for_a_minute_and_the_others_go_on(
    hand: Hand, timer: Timer, pictures: PicturePool
) -> None:
    hand.goes.set()
    hand.failure = Died("killed by SIGKILL")
    for _ in range(3):
        with pytest.raises(PictureFailed) as failed:
            pictures.png("<svg/>", 200)
        assert (failed.value.code, failed.value.retry_after) == ("picture_failed", 60)
    assert len(hand.asked) == 1
    hand.failure = None
    assert pictures.png("<svg/>", 300)
    timer.advance(pool.FORGIVE_SECONDS)
    assert pictures.png("<svg/>", 200) == b"('<svg/>', 200)"


def test_a_drawing_whose_process_could_not_start_in_time_may_be_asked_for_again(
    hand: Hand, pictures: PicturePool
) -> None:
    hand.goes.set()
    hand.failure = Waited("kept waiting")
    with pytest.raises(PicturesBusy):
        pictures.png("<svg/>", 200)
    hand.failure = None
    assert pictures.png("<svg/>", 200)


def test_only_so_many_failures_are_remembered(
    hand: Hand, pictures: PicturePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "MOST_FAILURES", 2)
    hand.goes.set()
    hand.failure = Died("killed by SIGKILL")
    for width in (200, 201, 202, 200):
        with pytest.raises(PictureFailed):
            pictures.png("<svg/>", width)
    assert [width for _, width in hand.asked] == [200, 201, 202, 200]


def test_an_svg_is_made_once_for_all_it_depends_on(pictures: PicturePool) -> None:
    assert pictures.svg(("m1", 3, None), lambda: "<svg/>") == "<svg/>"
    assert pictures.svg(("m1", 3, None), lambda: "<svg>never made</svg>") == "<svg/>"
    assert pictures.svg(("m1", 4, None), lambda: "<svg>next</svg>") == "<svg>next</svg>"


def test_closing_ends_the_processes(hand: Hand, timer: Timer) -> None:
    made = PicturePool(GuardPool([hand]), timer)
    hand.goes.set()
    made.png("<svg/>", 200)
    made.close()
    assert hand.closed == 1
