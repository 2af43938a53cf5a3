"""Counts of requests: by window, for all processes, and in a process while Redis is away."""

from __future__ import annotations

import os
import signal

import pytest
import redis
from structlog.testing import capture_logs

from service import rates
from service.rates import PAUSE_SECONDS, SECONDS, Limit, MemoryRates, RedisRates, Use
from service.redis_link import RedisAway, RedisLink, Trouble
from tests.service.fakes import Timer, link_to
from tests.workers.valkey import Valkey
from tools.waiting import until

MINUTE, HOUR = Limit("a", 5, 60), Limit("a", 9, 3600)


def counted(counts: MemoryRates | RedisRates, now: float, *who: str) -> list[int]:
    return [counts.count([Use(MINUTE, each)], now)[0] for each in who]


def test_each_caller_is_counted_alone_and_from_nothing_in_each_window() -> None:
    counts = MemoryRates()
    assert counted(counts, 0, "ada", "ada", "bela", "ada") == [1, 2, 1, 3]
    assert counted(counts, 59.9, "ada") == [4]
    assert counted(counts, 60, "ada", "bela") == [1, 1]


def test_limits_of_different_windows_are_counted_side_by_side() -> None:
    counts = MemoryRates()
    assert counts.count([Use(MINUTE, "ada"), Use(HOUR, "ada")], 0) == [1, 1]
    assert counts.count([Use(MINUTE, "ada"), Use(HOUR, "ada")], 60) == [1, 2]
    assert counts.count([Use(MINUTE, "ada"), Use(HOUR, "ada")], 3600) == [1, 1]


def test_a_request_counts_as_much_as_it_costs() -> None:
    counts = MemoryRates()
    assert [counts.count([Use(MINUTE, "ada", cost), Use(HOUR, "ada")], 0) for cost in (2, 40)] == [[2, 1], [42, 2]]


def test_a_process_forgets_windows_that_are_over_and_the_earliest_of_too_many_callers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rates, "MOST_KEYS", 3)
    counts = MemoryRates()
    assert counted(counts, 0, "a", "b", "c", "d", "b") == [1, 1, 1, 1, 2]
    assert counted(counts, 0, "a") == [1]
    counted(counts, 60, "z")
    assert [len(kept) for kept in counts._counts.values()] == [1]


def test_processes_count_together_and_their_counts_expire(valkey: Valkey) -> None:
    one, other = RedisRates(link_to(valkey.url)), RedisRates(link_to(valkey.url))
    assert counted(one, 0, "ada", "ada") == [1, 2]
    assert counted(other, 0, "ada", "bela") == [3, 1]
    assert counted(one, 60, "ada") == [1]
    connection = redis.Redis.from_url(valkey.url)
    keys = connection.keys("overland:club:rate:*")
    assert len(keys) == 3
    assert all(0 < connection.ttl(key) <= 120 for key in keys)


def test_processes_add_up_what_requests_cost(valkey: Valkey) -> None:
    one, other = RedisRates(link_to(valkey.url)), RedisRates(link_to(valkey.url))
    assert [counts.count([Use(MINUTE, "ada", 40)], 0) for counts in (one, other)] == [[40], [80]]


def test_a_wiped_redis_forgets_nothing_that_this_process_has_counted(valkey: Valkey) -> None:
    counts = RedisRates(link_to(valkey.url))
    counted(counts, 0, "ada", "ada")
    valkey.wipe()
    assert counted(counts, 0, "ada") == [3]


def test_a_count_that_another_program_has_written_is_begun_anew(valkey: Valkey) -> None:
    one, other = RedisRates(link_to(valkey.url)), RedisRates(link_to(valkey.url))
    with redis.Redis.from_url(valkey.url) as connection:
        connection.rpush("overland:club:rate:a:60:ada:0", "poison")
        connection.set("overland:club:rate:a:60:bela:0", "poison")
    assert counted(one, 0, "ada", "ada", "bela") == [1, 2, 1]
    assert counted(other, 0, "ada", "bela") == [3, 2]


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "nonsense"])
def test_without_redis_a_process_counts_for_itself(url: str) -> None:
    assert counted(RedisRates(link_to(url)), 0, "ada", "bela", "ada") == [1, 1, 2]


def test_a_redis_that_does_not_answer_is_asked_again_after_a_pause_and_then_counts_again(valkey: Valkey) -> None:
    timer = Timer()
    counts = RedisRates(RedisLink(valkey.url, lambda: "club", timer, SECONDS, PAUSE_SECONDS))
    other = RedisRates(link_to(valkey.url))
    with capture_logs() as logs:
        assert counted(counts, 0, "ada") == [1]
        os.kill(valkey.pid, signal.SIGSTOP)
        try:
            assert counted(counts, 0, *["ada"] * 5) == [2, 3, 4, 5, 6]
        finally:
            os.kill(valkey.pid, signal.SIGCONT)
        assert counted(counts, 0, "ada") == [7]
        counted(other, 60, "cleo")

        def counts_with_the_other() -> bool:
            timer.advance(PAUSE_SECONDS)
            before = counted(other, 60, "cleo")[0]
            return counted(counts, 60, "cleo")[0] > before

        until(counts_with_the_other, "both count together again")
    assert [entry["event"] for entry in logs if entry["log_level"] != "debug"] == [
        "redis.unavailable",
        "redis.available",
    ]


def test_while_redis_is_away_only_one_request_in_a_pause_asks_it_and_no_other_waits() -> None:
    timer, asked = Timer(), list[float]()

    def name() -> str:
        asked.append(timer.seconds)
        assert not others or counted(counts, 0, "bela") == [len(asked) - 1]
        raise RedisAway(Trouble.SILENT, "no answer")

    counts = RedisRates(RedisLink("redis://127.0.0.1:1/0", name, timer, SECONDS, PAUSE_SECONDS))
    others = False
    for number in range(12):
        assert counted(counts, 0, "ada") == [number + 1]
        timer.advance(1)
        others = True
    assert asked == [0, PAUSE_SECONDS, 2 * PAUSE_SECONDS]
