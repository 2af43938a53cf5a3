"""A worker finds its rows without a queue, and does its job for nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from service.context import Context
from service.inbox.handling import handle_due
from service.notices import delivery
from service.queue import BOTS, MESSAGES, NOTICES, TURNS
from service.turns.judge import OwnRulings
from tests.service.bots.tables import bots_play
from tests.service.bots.tables import seated as bot_seated
from tests.service.fakes import Clock, Here, Postbag, Timer, judge_one
from tests.service.inbox.test_handling import DONE, arrived
from tests.workers.service_of_two import context as service_in
from tests.workers.service_of_two import environ, maintained, seated, submit_first_legal
from workers.listen import PATIENCE, PULSE_SECONDS, QUIET_SECONDS, Poller
from workers.stop import StopRequest
from workers.tasks import WORK, Judging, ProcessWork, delivering, handling, playing

SECOND = timedelta(seconds=1)


@dataclass(slots=True)
class Workers:
    """The workers of all queues, each of which may look for its rows; ``due``: their heartbeats.
    What they do is noted, and ``then`` is called.
    """

    monkeypatch: pytest.MonkeyPatch
    is_due: bool = False
    done: list[str] = field(default_factory=list)
    then: Callable[[], object] = lambda: None

    def poller(self, service: Context, queue: str) -> Poller:
        """That of one queue."""
        nobody = Here(lambda request: pytest.fail("nothing is done"))
        work: ProcessWork
        match queue:
            case "turns":
                work = Judging(service, StopRequest(), OwnRulings(service.database, service.states))
            case "notices":
                work = delivering(service)
            case "messages":
                work = handling(service, nobody)
            case _:
                work = playing(service, StopRequest(), nobody)

        def do() -> None:
            self.done.append(queue)
            self.then()

        self.monkeypatch.setattr(work, "do", do)
        if work.pulse is not None:
            self.monkeypatch.setattr(work, "pulse", self)
        return Poller(work)

    def poll(self, service: Context, alone: bool = False) -> set[str]:
        """The queues whose work is done when all look once."""
        self.done.clear()
        for queue in WORK:
            self.poller(service, queue).poll(alone)
        return set(self.done)


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> Workers:
    return Workers(monkeypatch)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service(tmp_path: Path, clock: Clock) -> Iterator[Context]:
    made = service_in(environ(tmp_path), clock, Postbag())
    yield made
    made.close()


def test_a_turn_that_nobody_judged_is_found_and_a_fresh_one_is_left_to_its_job_while_redis_answers(
    service: Context, clock: Clock, workers: Workers
) -> None:
    anna, _, match_id = seated(service)
    delivery.deliver_due(service)
    turn = submit_first_legal(service, anna, match_id)
    assert workers.poll(service) == set()
    assert workers.poll(service, alone=True) == set()  # submitted at this very moment
    clock.now += SECOND
    assert workers.poll(service) == set()
    assert workers.poll(service, alone=True) == {TURNS}
    clock.now += PATIENCE
    assert workers.poll(service) == {TURNS}
    judge_one(service, turn.id)
    assert TURNS not in workers.poll(service)


@pytest.mark.parametrize("step", [timedelta(hours=-1), timedelta(hours=1)])
def test_a_turn_is_found_whichever_way_the_clock_was_set_since_it_was_submitted(
    service: Context, clock: Clock, workers: Workers, step: timedelta
) -> None:
    anna, _, match_id = seated(service)
    submit_first_legal(service, anna, match_id)
    clock.now += step
    assert TURNS in workers.poll(service)


def test_notices_messages_and_bots_are_found_until_they_are_done(context: Context, workers: Workers) -> None:
    assert workers.poll(context) == set()
    bot_seated(context, "oregon", ["easy", None])
    arrived(context)
    assert workers.poll(context) == {NOTICES, MESSAGES, BOTS}
    delivery.deliver_due(context)
    handle_due(context, Here(lambda _: DONE))
    bots_play(context)
    assert not {NOTICES, MESSAGES, BOTS} & workers.poll(context)


def test_in_a_maintenance_nothing_is_done_and_afterwards_what_was_kept(
    service: Context, clock: Clock, workers: Workers
) -> None:
    anna, _, match_id = seated(service)
    submit_first_legal(service, anna, match_id)
    clock.now += PATIENCE + SECOND
    maintained(service, begins=True)
    workers.is_due = True
    assert workers.poll(service) == set()
    maintained(service, begins=False)
    workers.is_due = False
    assert workers.poll(service) == {TURNS, NOTICES}


def test_judge_and_mail_do_their_job_for_their_heartbeat_although_nothing_waits(
    service: Context, workers: Workers
) -> None:
    workers.is_due = True
    assert workers.poll(service) == {TURNS, NOTICES}


def test_a_heart_that_cannot_beat_is_tried_every_few_seconds_and_not_at_each_look(
    service: Context, workers: Workers
) -> None:
    workers.is_due = True
    mine = workers.poller(service, NOTICES)
    timer = service.timer
    assert isinstance(timer, Timer)
    for _ in range(10):
        mine.poll(False)
        timer.advance(1)
    assert workers.done == [NOTICES] * 2


def test_what_a_look_meets_ends_no_worker_and_is_logged_once_a_minute(service: Context, workers: Workers) -> None:
    workers.is_due = True
    errors = iter([OperationalError("", {}, Exception("gone\nat line 1")), OSError("odd"), OSError("odd")] * 2)

    def fails() -> None:
        raise next(errors)

    workers.then = fails
    timer = service.timer
    assert isinstance(timer, Timer)
    mine = workers.poller(service, TURNS)
    with capture_logs() as logs:
        for _ in range(3):
            mine.poll(False)
            timer.advance(PULSE_SECONDS)
        timer.advance(QUIET_SECONDS)
        for _ in range(3):
            mine.poll(False)
            timer.advance(PULSE_SECONDS)
    assert [entry["event"] for entry in logs] == ["worker.cannot_poll", "worker.poll_failed"] * 2
    assert logs[0]["error"] == "gone"
