"""Waking workers, attending to queues and claiming turns, through a real Redis, and without one."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest
import rq
import structlog
from redis import Redis

from service import queue as queues
from service.announcements import Announced
from service.queue import CLAIMS, FAILED_SECONDS, JOB_SECONDS, TURNS, Attendance, Claimed, RqQueue
from service.redis_link import RedisLink
from tests.service.fakes import link_to
from tools.memory_queue import MemoryQueue
from tools.waiting import until

LONG = 30.0


@pytest.fixture
def queue(valkey_url: str) -> Iterator[RqQueue]:
    queue = RqQueue(link_to(valkey_url))
    yield queue
    queue.close()


def jobs(valkey_url: str, name: str) -> list[rq.job.Job]:
    return rq.Queue(f"overland:club:{name}", connection=Redis.from_url(valkey_url), serializer="json").jobs


def test_a_wake_up_is_a_job_by_name_that_carries_nothing(queue: RqQueue, valkey_url: str) -> None:
    queue.wake_turns()
    (job,) = jobs(valkey_url, "turns")
    assert (job.func_name, list(job.args), job.kwargs) == ("workers.tasks.do", [], {})
    assert (job.timeout, job.result_ttl, job.failure_ttl) == (JOB_SECONDS, 0, FAILED_SECONDS)


def test_a_notice_has_a_queue_of_its_own(queue: RqQueue, valkey_url: str) -> None:
    queue.wake_notices()
    assert jobs(valkey_url, "turns") == []
    (job,) = jobs(valkey_url, "notices")
    assert job.func_name == "workers.tasks.do"


def test_however_often_it_is_woken_one_job_at_most_waits_for_a_worker(queue: RqQueue, valkey_url: str) -> None:
    other = RqQueue(link_to(valkey_url))
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
    monkeypatch.setattr(tasks, "do", lambda: judged.append("once"))
    queue.wake_turns()
    connection = Redis.from_url(valkey_url)
    worker = rq.SimpleWorker(["overland:club:turns"], connection=connection, serializer="json")
    worker.work(burst=True, logging_level="ERROR")
    assert judged == ["once"]
    assert not connection.keys("rq:job:*")


def attending(link: RedisLink) -> Attendance:
    made = Attendance(link, TURNS)
    made.begin()
    return made


def test_an_attending_worker_is_woken_and_no_job_is_wanted(queue: RqQueue, valkey_url: str) -> None:
    with queue.attend(TURNS) as busy:
        queue.wake_turns()
        assert jobs(valkey_url, TURNS) == []
        assert busy.wait(LONG) == "woken"
        assert busy.wait(0.01) == "nothing"
    queue.wake_turns()
    assert len(jobs(valkey_url, TURNS)) == 1


def test_several_wake_ups_before_a_worker_looks_are_one(queue: RqQueue, link: RedisLink, valkey_url: str) -> None:
    busy = attending(link)
    for _ in range(5):
        queue.wake_turns()
    assert [busy.wait(LONG), busy.wait(0.01)] == ["woken", "nothing"]
    assert jobs(valkey_url, TURNS) == []


def test_of_several_workers_one_that_waits_is_woken(queue: RqQueue, link: RedisLink) -> None:
    busy, idle = attending(link), attending(link)
    queue.wake_turns()
    assert idle.wait(LONG) == "woken"
    assert not busy.leave()
    queue.wake_turns()
    assert idle.leave()


def test_a_worker_that_leaves_is_told_what_nobody_has_attended_to(
    queue: RqQueue, link: RedisLink, valkey_url: str
) -> None:
    busy = attending(link)
    queue.wake_turns()
    assert busy.leave()
    assert not busy.leave()
    queue.wake_turns()
    assert len(jobs(valkey_url, TURNS)) == 1


def test_workers_that_do_not_answer_are_not_counted_on_until_they_wait_again(
    queue: RqQueue, link: RedisLink, valkey_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck = attending(link)
    queue.wake_turns()
    assert jobs(valkey_url, TURNS) == []
    with monkeypatch.context() as patched:
        patched.setattr(queues, "UNANSWERED_MILLISECONDS", -1)
        queue.wake_turns()
    assert len(jobs(valkey_url, TURNS)) == 1
    assert stuck.wait(0.01) == "nothing"
    queue.wake_turns()
    assert stuck.wait(LONG) == "woken"


def test_the_attendance_of_workers_that_were_killed_ends_by_itself(link: RedisLink, redis: Redis) -> None:
    attending(link)
    assert 0 < redis.pttl("overland:club:attending:turns") <= queues.ATTENDING_MILLISECONDS


def test_no_wake_up_is_lost_between_looking_and_leaving(queue: RqQueue, valkey_url: str) -> None:
    """A worker that leaves again and again, and one that commits rows and wakes it: at the end no
    row is left that neither the worker nor a job would look at.
    """
    rows: list[int] = []
    seen: set[int] = set()
    lost: list[int] = []
    ended = threading.Event()
    own, redis = link_to(valkey_url), Redis.from_url(valkey_url)

    def work() -> None:
        while not ended.is_set():
            if redis.blpop(["rq:queue:overland:club:turns"], 0.05) is None:
                continue
            busy = attending(own)
            while True:
                seen.update(rows)
                if not busy.leave():
                    break
                busy.begin()

    thread = threading.Thread(target=work)
    thread.start()
    for number in range(600):
        rows.append(number)
        queue.wake_turns()
        if number % 20 == 19:  # the last wake-up of a group has nobody behind it
            for _ in range(300):
                if number in seen:
                    break
                threading.Event().wait(0.01)
            else:
                lost.append(number)
    ended.set()
    thread.join(LONG)
    assert lost == []


def test_a_redis_that_has_forgotten_a_script_is_given_it_once_more(queue: RqQueue, redis: Redis) -> None:
    queue.wake_turns()
    redis.script_flush()
    redis.config_resetstat()
    with queue.attend(TURNS) as busy:
        for _ in range(3):
            queue.wake_turns()
        assert busy.wait(LONG) == "woken"
    assert redis.info("commandstats")["cmdstat_script|load"]["calls"] == 1


def on_another_machine(link: RedisLink) -> RqQueue:
    other = RqQueue(link)
    other._host = "elsewhere"
    return other


def test_a_turn_is_claimed_by_one_worker(link: RedisLink) -> None:
    first, second = RqQueue(link), on_another_machine(link)
    assert first.claim(["a", "b"]) == Claimed(frozenset("ab"))
    assert second.claim(["a", "b", "c"]) == Claimed(frozenset("c"))
    assert first.claim(["a"]) == Claimed(frozenset("a"))
    first.release(["a"])
    assert second.claim(["a"]) == Claimed(frozenset("a"))


def test_an_expired_claim_is_an_orphan(link: RedisLink, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = RqQueue(link), on_another_machine(link)
    with monkeypatch.context() as patched:
        patched.setattr(queues, "CLAIM_SECONDS", 0)
        first.claim(["a"])
    assert second.claim(["a", "b"]) == Claimed(frozenset("b"), frozenset("a"))
    assert first.claim(["a"]) == Claimed(frozenset())


def test_of_two_workers_that_find_an_orphan_one_has_it(link: RedisLink, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, third = RqQueue(link), on_another_machine(link), on_another_machine(link)
    with monkeypatch.context() as patched:
        patched.setattr(queues, "CLAIM_SECONDS", 0)
        first.claim(["a"])
    _, held = second._claimed({"a": ""})  # both have seen it expire
    assert third.claim(["a"]) == Claimed(frozenset(), frozenset("a"))
    assert second._claimed(held)[1].keys() == {"a"}


def test_the_claims_of_a_process_that_has_died_here_are_orphans_at_once(
    link: RedisLink, redis: Redis, valkey_url: str
) -> None:
    script = (
        "import sys; from tests.service.fakes import link_to; from service.queue import RqQueue;"
        " RqQueue(link_to(sys.argv[1])).claim(['a', 'b'])"
    )
    subprocess.run([sys.executable, "-c", script, valkey_url], check=True)
    assert redis.hlen(link.key(CLAIMS)) == 2
    assert RqQueue(link).claim(["a", "b", "c"]) == Claimed(frozenset("c"), frozenset("ab"))


def test_a_process_with_the_same_id_as_an_earlier_one_knows_that_it_is_another(link: RedisLink, redis: Redis) -> None:
    earlier, now = RqQueue(link), RqQueue(link)
    assert earlier.claim(["a"]).free == {"a"}
    assert str(os.getpid()).encode() in redis.hget(link.key(CLAIMS), "a")  # type: ignore[operator]
    assert now.claim(["a"]) == Claimed(frozenset(), frozenset("a"))


def test_where_redis_is_away_every_turn_is_free() -> None:
    away = RqQueue(link_to("redis://127.0.0.1:1"))
    assert away.claim(["a"]) == Claimed(frozenset("a"), noted=False)
    away.release(["a"])


@pytest.mark.parametrize("foreign", [{"a": "x"}, {"a": "here:now 99999999999"}, {"a": ""}])
def test_claims_that_another_program_has_written_hold_nothing_up(
    link: RedisLink, redis: Redis, foreign: dict[str, str]
) -> None:
    redis.hset(link.key(CLAIMS), mapping=foreign)  # type: ignore[arg-type]
    ours = RqQueue(link)
    ours._host = "here"
    claimed = ours.claim(["a"])
    assert claimed.free | claimed.orphaned == {"a"}


def test_a_redis_without_memory_keeps_the_keys_that_it_has(link: RedisLink, redis: Redis) -> None:
    on_another_machine(link).claim(["a"])
    redis.config_set("maxmemory", 1)
    try:
        with structlog.testing.capture_logs() as logs:
            assert RqQueue(link).claim(["b"]) == Claimed(frozenset("b"), noted=False)
            RqQueue(link).wake_turns()
    finally:
        redis.config_set("maxmemory", 0)
    assert redis.hkeys(link.key(CLAIMS)) == [b"a"]
    assert "redis.mended" not in {entry["event"] for entry in logs}


@pytest.mark.parametrize("url", ["", "redis://127.0.0.1:1/0", "unix:///nowhere/at/all.sock"])
def test_an_unavailable_redis_fails_nothing_and_is_logged(url: str) -> None:
    queue = RqQueue(link_to(url))
    with structlog.testing.capture_logs() as logs:
        queue.wake_turns()
        queue.wake_notices()
        queue.acknowledge("turns")
        queue.announce_verdicts([Announced("turn1", None)])
        with queue.attend(TURNS) as absent:
            assert absent.wait(LONG) == "unavailable"
            assert not absent.leave()
        with queue.expecting("turn1") as waiter:
            until(lambda: any(entry["event"] == "queue.cannot_listen" for entry in list(logs)), "it is logged")
            assert not waiter.signal.is_set()
    warned = [entry["event"] for entry in logs if entry["log_level"] == "warning"]
    assert warned.count("redis.unavailable") == 1
    assert set(warned) == {"redis.unavailable", "queue.cannot_listen"}
    assert {entry["event"] for entry in logs if entry["log_level"] == "debug"} == {
        "queue.wake_up_lost",
        "queue.not_acknowledged",
        "queue.announcement_lost",
        "queue.cannot_attend",
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
    with busy.expecting("turn1") as waiter:
        assert not waiter.signal.is_set()
        busy.announce_verdicts([Announced("turn1", waiter.address, {"status": "accepted"})])
        assert waiter.wait(0) == {"status": "accepted"}
