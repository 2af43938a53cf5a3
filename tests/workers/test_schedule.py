"""The sweeper finds what the queue has lost, and asks for nothing too often."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from service.matches import turns
from service.notices import delivery
from service.queue import MemoryQueue
from service.wiring import Overland
from tests.workers.service_of_two import Clock, Mailbag, environ, overland, seated, submit_first_legal
from workers.listen import Stop
from workers.schedule import LONGEST_PAUSE, PATIENCE, Reminders, sweep_until, sweeper

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service(tmp_path: Path, clock: Clock) -> Iterator[Overland]:
    made = overland(environ(tmp_path), clock, Mailbag([]))
    yield made
    made.close()


def queue_of(service: Overland) -> MemoryQueue:
    """The queue, emptied: Redis was wiped."""
    queue = service.queue
    assert isinstance(queue, MemoryQueue)
    queue.turns.clear()
    queue.notices.clear()
    return queue


def test_a_turn_nobody_judged_is_woken_for_again(service: Overland, clock: Clock) -> None:
    anna, _, match_id = seated(service)
    turn = submit_first_legal(service, anna, match_id)
    queue = queue_of(service)
    clock.ahead += PATIENCE + SECOND
    assert sweeper(service).sweep().turns == (turn.id,)
    assert queue.turns == [turn.id]


def test_a_fresh_turn_is_left_to_its_own_job(service: Overland, clock: Clock) -> None:
    anna, _, match_id = seated(service)
    submit_first_legal(service, anna, match_id)
    assert sweeper(service).sweep().turns == ()


def test_a_judged_turn_is_left_alone(service: Overland, clock: Clock) -> None:
    anna, _, match_id = seated(service)
    turns.judge(service, submit_first_legal(service, anna, match_id).id)
    clock.ahead += PATIENCE + SECOND
    assert sweeper(service).sweep().turns == ()


def test_notices_that_are_due_are_woken_for_and_sent_ones_are_not(service: Overland, clock: Clock) -> None:
    seated(service)
    queue = queue_of(service)
    swept = sweeper(service).sweep()
    assert len(swept.notices) == 5  # Two confirmations, the start for both, Anna's turn.
    assert queue.notices == list(swept.notices)
    for notice_id in swept.notices:
        assert delivery.deliver(service, notice_id) == "sent"
    assert sweeper(service).sweep().notices == ()


def test_two_sweepers_do_no_harm(service: Overland, clock: Clock) -> None:
    seated(service)
    queue = queue_of(service)
    sweeper(service).sweep()
    sweeper(service).sweep()
    results = [delivery.deliver(service, notice_id) for notice_id in queue.notices]
    assert results.count("sent") == 5
    assert results.count("not due") == 5


def test_what_stays_pending_is_woken_for_ever_more_rarely() -> None:
    reminders, now, woken = Reminders(5 * SECOND), NOON, []
    for second in range(200):
        if reminders.due(["t1"], now + second * SECOND):
            woken.append(second)
    assert woken[:5] == [0, 5, 15, 35, 75]
    assert max(later - earlier for earlier, later in pairwise(woken)) == LONGEST_PAUSE.total_seconds()


def test_what_is_no_longer_pending_is_forgotten() -> None:
    reminders = Reminders(5 * SECOND)
    assert reminders.due(["t1"], NOON) == ["t1"]
    assert reminders.due([], NOON) == []
    assert reminders.due(["t1"], NOON) == ["t1"]


def test_a_sweep_that_fails_does_not_end_the_next(service: Overland, monkeypatch: pytest.MonkeyPatch) -> None:
    stop, calls = Stop(), []

    class Failing:
        def sweep(self) -> None:
            calls.append(len(calls))
            if len(calls) == 2:
                stop.request()
            raise OSError("the database is away")

    monkeypatch.setattr("workers.schedule.sweeper", lambda overland: Failing())
    sweep_until(service, stop)
    assert calls == [0, 1]
