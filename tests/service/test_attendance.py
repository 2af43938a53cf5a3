"""Attending to a queue, on a real Valkey: no wake-up is lost, whoever leaves or dies."""

from __future__ import annotations

import threading

import pytest
from redis import Redis

from service import attendance
from service.attendance import RedisAttendance, attending, wake
from service.redis_link import RedisLink
from tests.service.fakes import link_to

QUEUE = "turns"
LONG = 30.0


def worker(link: RedisLink) -> RedisAttendance:
    made = RedisAttendance(link, QUEUE)
    made.begin()
    return made


def test_without_an_attending_worker_one_job_is_wanted(link: RedisLink) -> None:
    assert [wake(link, QUEUE, 60_000) for _ in range(3)] == ["job_wanted", "nobody", "nobody"]


def test_an_attending_worker_is_woken_and_no_job_is_wanted(link: RedisLink) -> None:
    with attending(link, QUEUE) as busy:
        assert wake(link, QUEUE, 60_000) == "worker"
        assert busy.wait(LONG) == "woken"
        assert busy.wait(0.01) == "nothing"
    assert wake(link, QUEUE, 60_000) == "job_wanted"


def test_several_wake_ups_before_a_worker_looks_are_one(link: RedisLink) -> None:
    busy = worker(link)
    assert [wake(link, QUEUE, 60_000) for _ in range(5)] == ["worker"] * 5
    assert [busy.wait(LONG), busy.wait(0.01)] == ["woken", "nothing"]


def test_of_several_workers_one_that_waits_is_woken(link: RedisLink) -> None:
    busy, idle = worker(link), worker(link)
    assert idle.wait(0.01) == "nothing"
    assert wake(link, QUEUE, 60_000) == "worker"
    assert idle.wait(LONG) == "woken"
    assert not busy.leave()
    assert wake(link, QUEUE, 60_000) == "worker"
    assert idle.leave()


def test_a_worker_that_leaves_is_told_what_it_has_not_attended_to(link: RedisLink) -> None:
    busy = worker(link)
    wake(link, QUEUE, 60_000)
    assert busy.leave()
    assert not busy.leave()
    assert wake(link, QUEUE, 60_000) == "job_wanted"


def test_a_worker_that_does_not_answer_is_not_asked_any_more(link: RedisLink, monkeypatch: pytest.MonkeyPatch) -> None:
    worker(link)
    assert wake(link, QUEUE, 60_000) == "worker"
    monkeypatch.setattr(attendance, "UNANSWERED_MILLISECONDS", -1)
    assert wake(link, QUEUE, 60_000) == "job_wanted"


def test_no_wake_up_is_lost_between_looking_and_leaving(link: RedisLink, valkey_url: str) -> None:
    """A worker that leaves again and again, and one that commits rows and wakes it: at the end no
    row is left that neither the worker nor a job would look at.
    """
    rows: list[int] = []
    seen: set[int] = set()
    lost: list[int] = []
    ended = threading.Event()
    jobs = threading.Semaphore(0)

    own = link_to(valkey_url)

    def work() -> None:
        while jobs.acquire(timeout=LONG) and not ended.is_set():
            busy = RedisAttendance(own, QUEUE)
            busy.begin()
            while True:
                seen.update(rows)
                if busy.leave():
                    busy.begin()
                else:
                    break

    thread = threading.Thread(target=work)
    thread.start()
    for number in range(600):
        rows.append(number)
        if wake(link, QUEUE, 60_000) == "job_wanted":
            jobs.release()
        if number % 20 == 19:  # the last wake-up of a group has nobody behind it
            for _ in range(300):
                if number in seen:
                    break
                threading.Event().wait(0.01)
            else:
                lost.append(number)
    ended.set()
    jobs.release()
    thread.join(LONG)
    assert lost == []


def test_a_redis_that_has_forgotten_a_script_is_given_it_once_more(link: RedisLink, redis: Redis) -> None:
    redis.script_flush()
    redis.config_resetstat()
    assert [wake(link, QUEUE, 60_000) for _ in range(3)] == ["job_wanted", "nobody", "nobody"]
    commands = redis.info("commandstats")
    assert (commands["cmdstat_eval"]["calls"], commands["cmdstat_evalsha"]["calls"]) == (1, 3)


def test_where_redis_is_away_a_worker_does_not_wait() -> None:
    away = RedisAttendance(link_to("redis://127.0.0.1:1"), QUEUE)
    away.begin()
    assert away.wait(LONG) == "unavailable"
    assert not away.leave()
