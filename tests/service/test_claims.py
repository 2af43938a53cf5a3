"""Claims on turns, on a real Valkey."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from redis import Redis

from service import claims
from service.claims import CLAIMS, Claimed, Claims
from service.redis_link import RedisLink
from tests.service.fakes import link_to


def on_another_machine(link: RedisLink) -> Claims:
    other = Claims(link)
    other._host = "elsewhere"
    return other


def test_a_turn_is_claimed_by_one_worker(link: RedisLink) -> None:
    first, second = Claims(link), on_another_machine(link)
    assert first.claim(["a", "b"]) == Claimed(frozenset("ab"))
    assert second.claim(["a", "b", "c"]) == Claimed(frozenset("c"))
    assert first.claim(["a"]) == Claimed(frozenset("a"))
    first.release(["a"])
    assert second.claim(["a"]) == Claimed(frozenset("a"))


def test_an_expired_claim_is_an_orphan(link: RedisLink, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = Claims(link), on_another_machine(link)
    monkeypatch.setattr(claims, "SECONDS", -1)
    first.claim(["a"])
    monkeypatch.setattr(claims, "SECONDS", 60)
    assert second.claim(["a", "b"]) == Claimed(frozenset("b"), frozenset("a"))
    assert first.claim(["a"]) == Claimed(frozenset())


def test_the_claims_of_a_process_that_has_died_here_are_orphans_at_once(
    link: RedisLink, redis: Redis, valkey_url: str
) -> None:
    script = (
        "import sys; from tests.service.fakes import link_to; from service.claims import Claims;"
        " Claims(link_to(sys.argv[1])).claim(['a', 'b'])"
    )
    subprocess.run([sys.executable, "-c", script, valkey_url], check=True)
    assert redis.hlen(link.key(CLAIMS)) == 2
    assert Claims(link).claim(["a", "b", "c"]) == Claimed(frozenset("c"), frozenset("ab"))


def test_a_process_with_the_same_id_as_an_earlier_one_knows_that_it_is_another(link: RedisLink, redis: Redis) -> None:
    earlier, now = Claims(link), Claims(link)
    assert earlier.claim(["a"]).free == {"a"}
    assert str(os.getpid()).encode() in redis.hget(link.key(CLAIMS), "a")  # type: ignore[operator]
    assert now.claim(["a"]) == Claimed(frozenset(), frozenset("a"))


def test_where_redis_is_away_every_turn_is_free() -> None:
    away = Claims(link_to("redis://127.0.0.1:1"))
    assert away.claim(["a"]) == Claimed(frozenset("a"), noted=False)
    away.release(["a"])


@pytest.mark.parametrize("foreign", [{"a": "x"}, {"a": "here:now 99999999999"}, {"a": ""}])
def test_claims_that_another_program_has_written_hold_nothing_up(
    link: RedisLink, redis: Redis, foreign: dict[str, str]
) -> None:
    redis.hset(link.key(CLAIMS), mapping=foreign)  # type: ignore[arg-type]
    ours = Claims(link)
    ours._host = "here"
    claimed = ours.claim(["a"])
    assert claimed.free | claimed.orphaned == {"a"}
