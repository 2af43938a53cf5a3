"""Waking workers through a real Redis, and without one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
import rq
import structlog
from redis import Redis

from service.queue import FAILED_SECONDS, JOB_SECONDS, MemoryQueue, RqQueue
from service.subscriber import KEPT_SECONDS, SWEEP_SECONDS
from service.waits import Signal
from tests.service.fakes import link_to
from tools.waiting import LIMIT_SECONDS, until


@pytest.fixture
def queue(valkey_url: str) -> Iterator[RqQueue]:
    until(lambda: not subscribed(valkey_url), "the subscriptions of the test before have ended")
    queue = RqQueue(link_to(valkey_url), time.monotonic)
    yield queue
    queue.close()


def jobs(valkey_url: str, name: str) -> list[rq.job.Job]:
    return rq.Queue(f"overland:club:{name}", connection=Redis.from_url(valkey_url), serializer="json").jobs


def test_a_wake_up_is_a_job_by_name_that_carries_nothing(queue: RqQueue, valkey_url: str) -> None:
    queue.wake_turns()
    (job,) = jobs(valkey_url, "turns")
    assert (job.func_name, list(job.args), job.kwargs) == ("workers.tasks.judge_turns", [], {})
    assert (job.timeout, job.result_ttl, job.failure_ttl) == (JOB_SECONDS, 0, FAILED_SECONDS)


def test_a_notice_has_a_queue_of_its_own(queue: RqQueue, valkey_url: str) -> None:
    queue.wake_notices()
    assert jobs(valkey_url, "turns") == []
    (job,) = jobs(valkey_url, "notices")
    assert job.func_name == "workers.tasks.deliver_notices"


def test_however_often_it_is_woken_one_job_at_most_waits_for_a_worker(queue: RqQueue, valkey_url: str) -> None:
    other = RqQueue(link_to(valkey_url), time.monotonic)
    for _ in range(3):
        queue.wake_turns()
        other.wake_turns()
    other.close()
    assert len(jobs(valkey_url, "turns")) == 1


def test_waking_after_a_worker_has_started_makes_a_new_job(queue: RqQueue, valkey_url: str) -> None:
    queue.wake_turns()
    queue.acknowledge("turns")
    queue.wake_turns()
    assert len({job.id for job in jobs(valkey_url, "turns")}) == 2


def test_a_wake_up_that_no_worker_takes_holds_back_others_for_a_second_at_most(queue: RqQueue, valkey_url: str) -> None:
    queue.wake_turns()
    assert 0 < Redis.from_url(valkey_url).pttl("overland:club:woken:turns") <= 1000
    Redis.from_url(valkey_url).delete("rq:queue:overland:club:turns")  # the job is lost

    def woken_again() -> bool:
        queue.wake_turns()
        return bool(jobs(valkey_url, "turns"))

    until(woken_again, "a new job")


def test_a_job_is_processed_by_a_worker_and_leaves_nothing_behind(
    queue: RqQueue, valkey_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from workers import tasks

    judged: list[str] = []
    monkeypatch.setattr(tasks, "judge_turns", lambda: judged.append("once"))
    queue.wake_turns()
    connection = Redis.from_url(valkey_url)
    worker = rq.SimpleWorker(["overland:club:turns"], connection=connection, serializer="json")
    worker.work(burst=True, logging_level="ERROR")
    assert judged == ["once"]
    assert not connection.keys("rq:job:*")


def woken(event: Signal) -> bool:
    """Whether the event is set, with all the time that a slow machine may take."""
    return event.wait(LIMIT_SECONDS)


def announce_until_heard(queue: RqQueue, turn_id: str, event: Signal) -> None:
    """Announces a verdict of match 1 again and again until the subscription passes it on."""

    def heard() -> bool:
        queue.announce_verdicts({turn_id: "match1"})
        return event.is_set()

    until(heard, "the announcement is heard")


@pytest.fixture
def listening(queue: RqQueue, valkey_url: str) -> RqQueue:
    """The queue, subscribed to match 1; that it is has woken all who waited."""
    with queue.expecting("match1", "nothing") as event:
        until(lambda: subscribed(valkey_url) == {"match1": 1}, "one subscription")
        assert woken(event)
    return queue


def subscribed(valkey_url: str) -> dict[str, int]:
    """How many clients are subscribed to each match."""
    with Redis.from_url(valkey_url) as connection:
        found = connection.pubsub_numsub(*connection.pubsub_channels())
    return {channel.decode().removeprefix("overland:club:verdicts:"): count for channel, count in found}


def test_a_waiting_client_is_woken_when_the_verdict_is_announced(listening: RqQueue, valkey_url: str) -> None:
    other = RqQueue(link_to(valkey_url), time.monotonic)
    with listening.expecting("match1", "turn1") as first, listening.expecting("match1", "turn2") as second:
        other.announce_verdicts({"turn0": "match2", "turn1": "match1", "turn3": "match1"})
        assert woken(first)
        assert not second.is_set()
    other.close()


def test_everyone_who_waits_for_one_verdict_is_woken(listening: RqQueue) -> None:
    with listening.expecting("match1", "turn1") as one, listening.expecting("match1", "turn1") as another:
        listening.announce_verdicts({"turn1": "match1"})
        assert woken(one)
        assert woken(another)


def test_however_many_wait_a_process_subscribes_once_to_each_of_their_matches(
    listening: RqQueue, valkey_url: str
) -> None:
    with ExitStack() as waiting:
        for number in range(20):
            waiting.enter_context(listening.expecting(f"match{number % 3}", f"turn{number}"))
        until(lambda: subscribed(valkey_url) == {"match0": 1, "match1": 1, "match2": 1}, "three channels")
        assert sum(client["sub"] != "0" for client in Redis.from_url(valkey_url).client_list()) == 1


def test_a_process_does_not_hear_the_verdicts_of_other_processes(listening: RqQueue, valkey_url: str) -> None:
    other = RqQueue(link_to(valkey_url), time.monotonic)
    with other.expecting("match2", "turn2"):
        until(lambda: subscribed(valkey_url) == {"match1": 1, "match2": 1}, "the other process has subscribed")
        with Redis.from_url(valkey_url) as connection:
            assert connection.publish("overland:club:verdicts:match2", "turn2") == 1
    other.close()


def test_a_client_that_waits_in_a_match_is_woken_to_look_when_its_subscription_begins(queue: RqQueue) -> None:
    queue.announce_verdicts({"turn1": "match1"})  # before anybody has subscribed
    with queue.expecting("match1", "turn1") as event:
        assert woken(event)


def test_a_channel_is_kept_for_the_next_turn_and_given_up_when_there_is_none(valkey_url: str) -> None:
    now = [1000.0]
    queue = RqQueue(link_to(valkey_url), lambda: now[0])
    with queue.expecting("waiting", "turn1"):
        with queue.expecting("played", "turn2"):
            until(lambda: subscribed(valkey_url).keys() >= {"waiting", "played"}, "both subscriptions")
        now[0] += KEPT_SECONDS
        with queue.expecting("later", "turn3"):
            until(lambda: "later" in subscribed(valkey_url), "the third subscription")
        assert "played" in subscribed(valkey_url)
        now[0] += SWEEP_SECONDS
        until(lambda: "played" not in subscribed(valkey_url), "the match that nobody plays is given up")
        assert subscribed(valkey_url).keys() >= {"waiting", "later"}
        with queue.expecting("played", "turn4") as event:
            until(lambda: "played" in subscribed(valkey_url), "it is subscribed to again")
            assert woken(event)
    now[0] += 2 * KEPT_SECONDS
    until(lambda: not subscribed(valkey_url), "nothing is kept")
    with queue.expecting("played", "turn5") as event:
        assert woken(event)
    queue.close()


def test_a_waiting_client_is_woken_to_look_when_the_subscription_comes_back(
    listening: RqQueue, valkey_url: str
) -> None:
    with listening.expecting("match1", "turn1") as event:
        for client in Redis.from_url(valkey_url).client_list():
            if client["sub"] != "0":
                Redis.from_url(valkey_url).client_kill_filter(_id=client["id"])
        assert woken(event)
        event.clear()
        listening.announce_verdicts({"turn1": "match1"})
        assert woken(event)


def test_a_subscription_that_was_closed_begins_again(listening: RqQueue) -> None:
    listening.close()
    with listening.expecting("match1", "turn1") as event:
        announce_until_heard(listening, "turn1", event)


def test_clients_that_no_longer_wait_are_forgotten(listening: RqQueue) -> None:
    with listening.expecting("match1", "turn1"), listening.expecting("match1", "turn2"):
        pass
    assert not listening._subscriber.waiters.matches()


@pytest.mark.parametrize("url", ["", "redis://127.0.0.1:1/0", "unix:///nowhere/at/all.sock"])
def test_an_unavailable_redis_fails_nothing_and_is_logged(url: str) -> None:
    queue = RqQueue(link_to(url), time.monotonic)
    with structlog.testing.capture_logs() as logs:
        queue.wake_turns()
        queue.wake_notices()
        queue.acknowledge("turns")
        queue.announce_verdicts({"turn1": "match1"})
        with queue.expecting("match1", "turn1") as event:
            until(lambda: any(entry["event"] == "queue.cannot_listen" for entry in list(logs)), "it is logged")
            assert not event.is_set()
    warned = [entry["event"] for entry in logs if entry["log_level"] == "warning"]
    assert warned.count("redis.unavailable") == 1
    assert set(warned) == {"redis.unavailable", "queue.cannot_listen"}
    assert {entry["event"] for entry in logs if entry["log_level"] == "debug"} == {
        "queue.wake_up_lost",
        "queue.not_acknowledged",
        "queue.announcement_lost",
    }
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
    with busy.expecting("match1", "turn1") as event:
        assert not event.is_set()
        busy.announce_verdicts({"turn1": "match1"})
        assert event.is_set()
