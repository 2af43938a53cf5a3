"""Announcing verdicts through a real Redis: told to whoever waits, and readable by nobody else."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
import structlog
from redis import Redis

from service import announcements
from service.announcements import CHANNEL, Announced, Waiter, sealed
from service.queue import RqQueue
from tests.service.fakes import link_to
from tools.waiting import LIMIT_SECONDS, until

TELLING = {"verdict": {"status": "accepted", "entries": ["You dive for pearls."]}}


@pytest.fixture
def queue(valkey_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[RqQueue]:
    monkeypatch.setattr(announcements, "LISTENING_SECONDS", 0.02)
    until(lambda: not channels(valkey_url), "the subscriptions of the test before have ended")
    queue = RqQueue(link_to(valkey_url))
    yield queue
    queue.close()


@pytest.fixture
def listening(queue: RqQueue, valkey_url: str) -> RqQueue:
    """The queue, subscribed; that it is has woken all who waited."""
    with queue.expecting("nothing") as waiter:
        until(lambda: len(channels(valkey_url)) == 1, "one subscription")
        assert waiter.signal.wait(LIMIT_SECONDS)
    return queue


def channels(valkey_url: str) -> list[str]:
    """The channels that somebody listens to."""
    with Redis.from_url(valkey_url) as connection:
        return [channel.decode() for channel in connection.pubsub_channels()]


def told(waiter: Waiter) -> object:
    """What the waiter is told, with all the time that a slow machine may take."""
    return waiter.wait(LIMIT_SECONDS)


def test_a_waiting_request_is_told_the_verdict_on_its_turn(listening: RqQueue, valkey_url: str) -> None:
    judge = RqQueue(link_to(valkey_url))
    with listening.expecting("turn1") as first, listening.expecting("turn2") as second:
        judge.announce_verdicts([Announced("turn0", None), Announced("turn1", first.address, TELLING)])
        assert told(first) == TELLING
        assert not second.signal.is_set()
        judge.announce_verdicts([Announced("turn2", second.address)])
        assert told(second) is None, "it has to read the row"
    judge.close()


def test_everyone_who_waits_for_one_verdict_is_told(listening: RqQueue) -> None:
    with listening.expecting("turn1") as one, listening.expecting("turn1") as another:
        listening.announce_verdicts([Announced("turn1", one.address, TELLING)])
        assert told(one) == told(another) == TELLING


def test_however_many_wait_a_process_subscribes_once_and_hears_no_other_process(
    listening: RqQueue, valkey_url: str
) -> None:
    other = RqQueue(link_to(valkey_url))
    with listening.expecting("turn1") as mine, other.expecting("turn1") as theirs:
        assert told(theirs) is None, "its subscription has begun"
        assert len(channels(valkey_url)) == 2
        mine.signal.clear()
        other.announce_verdicts([Announced("turn1", theirs.address, TELLING)])
        assert told(theirs) == TELLING
        assert not mine.signal.is_set()
    other.close()


def test_verdicts_of_a_batch_are_one_message_for_each_process_that_waits() -> None:
    here, there = (f"{name}.{'A' * 43}=" for name in ("here", "there"))
    batch = [Announced(f"turn{n}", here if n % 2 else there, TELLING) for n in range(6)]
    assert [channel for channel, _ in sealed([*batch, Announced("turn6", None)])] == [
        f"{CHANNEL}there",
        f"{CHANNEL}here",
    ]


def test_what_is_published_is_readable_by_the_waiting_process_alone(listening: RqQueue) -> None:
    with listening.expecting("turn1") as waiter:
        address = waiter.address
    assert address is not None
    ((channel, message),) = sealed([Announced("turn1", address, TELLING)])
    assert channel.removeprefix(CHANNEL) == address.partition(".")[0]
    for secret in (b"pearls", b"accepted", b"turn1", address.partition(".")[2].encode()):
        assert secret not in message
    assert sealed([Announced("turn1", address, TELLING)])[0][1] != message, "the same is never the same twice"


def test_what_is_not_sealed_with_the_key_is_not_believed(listening: RqQueue, redis: Redis) -> None:
    with listening.expecting("turn1") as waiter, structlog.testing.capture_logs() as logs:
        assert waiter.address is not None
        name = waiter.address.partition(".")[0]
        ((_, forged),) = sealed([Announced("turn1", f"{name}.{'A' * 43}=", TELLING)])
        for message in (forged, json.dumps({"turn1": TELLING}).encode(), b""):
            redis.publish(f"overland:club:{CHANNEL}{name}", message)
        listening.announce_verdicts([Announced("turn1", waiter.address, {"verdict": {}})])
        assert told(waiter) == {"verdict": {}}
    assert [entry["event"] for entry in logs] == ["queue.foreign_announcement"] * 3


def test_a_request_is_woken_to_read_its_row_when_the_subscription_begins(queue: RqQueue) -> None:
    with queue.expecting("turn1") as waiter:
        queue.announce_verdicts([Announced("turn1", waiter.address, TELLING)])  # perhaps before anybody listens
        assert waiter.signal.wait(LIMIT_SECONDS)


def test_a_request_is_woken_to_read_its_row_when_the_subscription_comes_back(
    listening: RqQueue, valkey_url: str
) -> None:
    with listening.expecting("turn1") as waiter, Redis.from_url(valkey_url) as connection:
        for client in connection.client_list():
            if client["sub"] != "0":
                connection.client_kill_filter(_id=client["id"])
        assert told(waiter) is None
        listening.announce_verdicts([Announced("turn1", waiter.address, TELLING)])
        assert told(waiter) == TELLING


def test_requests_that_no_longer_wait_are_forgotten(listening: RqQueue) -> None:
    with listening.expecting("turn1"), listening.expecting("turn2"):
        pass
    assert not listening._waiters._waiting
