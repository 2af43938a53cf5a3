"""Waking workers through a real Redis, and without one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
import rq
import structlog
from redis import Redis

from service.queue import FAILED_SECONDS, JOB_SECONDS, MemoryQueue, RqQueue
from tests.workers.valkey import Valkey
from tools.waiting import LIMIT_SECONDS, until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    valkey = Valkey(tmp_path_factory.mktemp("valkey"))
    valkey.start()
    yield valkey.url
    valkey.stop()


@pytest.fixture
def queue(server: str) -> Iterator[RqQueue]:
    with Redis.from_url(server) as connection:
        connection.flushall()
    queue = RqQueue(server)
    yield queue
    queue.close()


def jobs(server: str, name: str) -> list[rq.job.Job]:
    return rq.Queue(name, connection=Redis.from_url(server), serializer="json").jobs


def test_a_wake_up_is_a_job_by_name_that_carries_nothing(queue: RqQueue, server: str) -> None:
    queue.wake_turns()
    (job,) = jobs(server, "turns")
    assert (job.func_name, list(job.args), job.kwargs) == ("workers.tasks.judge_turns", [], {})
    assert (job.timeout, job.result_ttl, job.failure_ttl) == (JOB_SECONDS, 0, FAILED_SECONDS)


def test_a_notice_has_a_queue_of_its_own(queue: RqQueue, server: str) -> None:
    queue.wake_notices()
    assert jobs(server, "turns") == []
    (job,) = jobs(server, "notices")
    assert job.func_name == "workers.tasks.deliver_notices"


def test_however_often_it_is_woken_one_job_at_most_waits_for_a_worker(queue: RqQueue, server: str) -> None:
    other = RqQueue(server)
    for _ in range(3):
        queue.wake_turns()
        other.wake_turns()
    other.close()
    assert len(jobs(server, "turns")) == 1


def test_waking_after_a_worker_has_started_makes_a_new_job(queue: RqQueue, server: str) -> None:
    queue.wake_turns()
    queue.acknowledge("turns")
    queue.wake_turns()
    assert len({job.id for job in jobs(server, "turns")}) == 2


def test_a_wake_up_that_no_worker_takes_holds_back_others_for_a_second_at_most(queue: RqQueue, server: str) -> None:
    queue.wake_turns()
    assert 0 < Redis.from_url(server).pttl("overland:woken:turns") <= 1000
    Redis.from_url(server).delete("rq:queue:turns")  # the job is lost

    def woken_again() -> bool:
        queue.wake_turns()
        return bool(jobs(server, "turns"))

    until(woken_again, "a new job")


def test_a_job_is_processed_by_a_worker_and_leaves_nothing_behind(
    queue: RqQueue, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from workers import tasks

    judged: list[str] = []
    monkeypatch.setattr(tasks, "judge_turns", lambda: judged.append("once"))
    queue.wake_turns()
    connection = Redis.from_url(server)
    worker = rq.SimpleWorker(["turns"], connection=connection, serializer="json")
    worker.work(burst=True, logging_level="ERROR")
    assert judged == ["once"]
    assert not connection.keys("rq:job:*")


def woken(event: threading.Event) -> bool:
    """Whether the event is set, with all the time that a slow machine may take."""
    return event.wait(LIMIT_SECONDS)


def announce_until_heard(queue: RqQueue, turn_id: str, event: threading.Event) -> None:
    """Announces a verdict again and again until the subscription has begun and passes it on."""

    def heard() -> bool:
        queue.announce_verdicts([turn_id])
        return event.is_set()

    until(heard, "the announcement is heard")


@pytest.fixture
def listening(queue: RqQueue) -> RqQueue:
    """The queue, its subscription begun."""
    with queue.expecting("nothing") as event:
        announce_until_heard(queue, "nothing", event)
    return queue


def test_a_waiting_client_is_woken_when_the_verdict_is_announced(listening: RqQueue, server: str) -> None:
    other = RqQueue(server)
    with listening.expecting("turn1") as first, listening.expecting("turn2") as second:
        other.announce_verdicts(["turn0", "turn1", "turn3"])
        assert woken(first)
        assert not second.is_set()
    other.close()


def test_everyone_who_waits_for_one_verdict_is_woken(listening: RqQueue) -> None:
    with listening.expecting("turn1") as one, listening.expecting("turn1") as another:
        listening.announce_verdicts(["turn1"])
        assert woken(one)
        assert woken(another)


def test_however_many_wait_a_process_has_one_subscription(listening: RqQueue, server: str) -> None:
    with ExitStack() as waiting:
        for number in range(20):
            waiting.enter_context(listening.expecting(f"turn{number}"))
        until(  # that of the test before may still be ending
            lambda: Redis.from_url(server).pubsub_numsub("overland:verdicts") == [(b"overland:verdicts", 1)],
            "one subscription",
        )


def test_a_waiting_client_is_woken_to_look_when_the_subscription_comes_back(listening: RqQueue, server: str) -> None:
    with listening.expecting("turn1") as event:
        for client in Redis.from_url(server).client_list():
            if client["sub"] != "0":
                Redis.from_url(server).client_kill_filter(_id=client["id"])
        assert woken(event)
        event.clear()
        listening.announce_verdicts(["turn1"])
        assert woken(event)


def test_a_subscription_that_was_closed_begins_again(listening: RqQueue) -> None:
    listening.close()
    with listening.expecting("turn1") as event:
        announce_until_heard(listening, "turn1", event)


def test_clients_that_no_longer_wait_are_forgotten(listening: RqQueue) -> None:
    with listening.expecting("turn1"), listening.expecting("turn2"):
        pass
    assert listening._subscriber.waiters._events == {}


@pytest.mark.parametrize("url", ["", "redis://127.0.0.1:1/0", "unix:///nowhere/at/all.sock"])
def test_an_unavailable_redis_fails_nothing_and_is_logged(url: str) -> None:
    queue = RqQueue(url)
    with structlog.testing.capture_logs() as logs:
        queue.wake_turns()
        queue.wake_notices()
        queue.acknowledge("turns")
        queue.announce_verdicts(["turn1"])
        with queue.expecting("turn1") as event:
            until(lambda: any(entry["event"] == "queue.cannot_listen" for entry in list(logs)), "it is logged")
            assert not event.is_set()
    assert list(dict.fromkeys(entry["event"] for entry in logs)) == [
        "queue.wake_up_lost",
        "queue.not_acknowledged",
        "queue.announcement_lost",
        "queue.cannot_listen",
    ]
    assert {entry["log_level"] for entry in logs} == {"warning"}
    queue.close()


def test_the_queue_of_the_tests_counts_works_and_wakes() -> None:
    silent = MemoryQueue()
    silent.wake_turns()
    silent.wake_notices()
    assert (silent.turns, silent.notices) == (1, 1)
    done: list[str] = []
    busy = MemoryQueue(judge=lambda: done.append("judged"), deliver=lambda: done.append("delivered"))
    busy.wake_turns()
    busy.wake_notices()
    assert done == ["judged", "delivered"]
    with busy.expecting("turn1") as event:
        assert not event.is_set()
        busy.announce_verdicts(["turn1"])
        assert event.is_set()
