"""Claims on turns, on a real Valkey."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from redis import Redis

from service import claims
from service.claims import CLAIMS, Claimed, Claims


def on_another_machine(redis: Redis) -> Claims:
    other = Claims(lambda: redis)
    other._host = "elsewhere"
    return other


def test_a_turn_is_claimed_by_one_worker(redis: Redis) -> None:
    first, second = Claims(lambda: redis), on_another_machine(redis)
    assert first.claim(["a", "b"]) == Claimed(frozenset("ab"))
    assert second.claim(["a", "b", "c"]) == Claimed(frozenset("c"))
    assert first.claim(["a"]) == Claimed(frozenset("a"))
    first.release(["a"])
    assert second.claim(["a"]) == Claimed(frozenset("a"))


def test_an_expired_claim_is_an_orphan(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = Claims(lambda: redis), on_another_machine(redis)
    monkeypatch.setattr(claims, "SECONDS", -1)
    first.claim(["a"])
    monkeypatch.setattr(claims, "SECONDS", 60)
    assert second.claim(["a", "b"]) == Claimed(frozenset("b"), frozenset("a"))
    assert first.claim(["a"]) == Claimed(frozenset())


def test_the_claims_of_a_process_that_has_died_here_are_orphans_at_once(redis: Redis) -> None:
    script = (
        "import sys; from redis import Redis; from service.claims import Claims;"
        " Claims(lambda: Redis.from_url(sys.argv[1])).claim(['a', 'b'])"
    )
    url = f"redis://127.0.0.1:{redis.connection_pool.connection_kwargs['port']}"
    subprocess.run([sys.executable, "-c", script, url], check=True)
    assert redis.hlen(CLAIMS) == 2
    assert Claims(lambda: redis).claim(["a", "b", "c"]) == Claimed(frozenset("c"), frozenset("ab"))


def test_a_process_with_the_same_id_as_an_earlier_one_knows_that_it_is_another(redis: Redis) -> None:
    earlier, now = Claims(lambda: redis), Claims(lambda: redis)
    assert earlier.claim(["a"]).free == {"a"}
    assert str(os.getpid()).encode() in redis.hget(CLAIMS, "a")  # type: ignore[operator]
    assert now.claim(["a"]) == Claimed(frozenset(), frozenset("a"))


def test_where_redis_is_away_every_turn_is_free() -> None:
    away = Claims(lambda: Redis.from_url("redis://127.0.0.1:1"))
    assert away.claim(["a"]) == Claimed(frozenset("a"))
    away.release(["a"])
