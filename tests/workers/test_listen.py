"""A worker at its queue: the jobs that wait are done, and keys that RQ cannot use are replaced."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from service import redis_link
from service.queue import TURNS, RqQueue
from service.redis_link import RedisLink
from tests.service.fakes import Timer, link_to
from tests.workers.valkey import Valkey
from workers import listen as listening
from workers import tasks
from workers.listen import listen
from workers.stop import StopRequest


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[Valkey]:
    valkey = Valkey(tmp_path)
    valkey.start()
    yield valkey
    valkey.stop()


class Doing:
    """The work of a worker that is to stop after its first job."""

    def __init__(self, stop: StopRequest) -> None:
        self.stop, self.done = stop, 0

    def do(self) -> None:
        self.done += 1
        self.stop.request()

    def save_counts(self) -> None:
        """There are none."""


def until_idle_or_done(link: RedisLink, monkeypatch: pytest.MonkeyPatch) -> tuple[int, list[str]]:
    """How many jobs a worker did until it had done one or found none, and what it said."""
    stop = StopRequest()
    work = Doing(stop)
    monkeypatch.setattr(listening, "AWAY_SECONDS", 0.0)
    monkeypatch.setattr(listening, "POLL_SECONDS", 1)
    monkeypatch.setattr(tasks, "_own", threading.local())
    tasks.begin(work)  # type: ignore[arg-type]
    with capture_logs() as logs:
        listen(TURNS, link, stop, lambda alone: None if alone else stop.request(), Timer())
    return work.done, [entry["event"] for entry in logs]


def test_a_job_that_waited_for_the_worker_is_done(valkey: Valkey, monkeypatch: pytest.MonkeyPatch) -> None:
    link = link_to(valkey.url)
    RqQueue(link).wake_turns()
    assert until_idle_or_done(link, monkeypatch) == (1, ["worker.listening", "worker.stopped"])


def test_an_outage_that_a_job_meets_is_told_on_one_line(valkey: Valkey, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(self: Doing) -> None:
        self.stop.request()
        raise OperationalError("SELECT 1", {}, Exception("nobody is there"))

    monkeypatch.setattr(Doing, "do", away)
    link, stop = link_to(valkey.url), StopRequest()
    RqQueue(link).wake_turns()
    monkeypatch.setattr(tasks, "_own", threading.local())
    tasks.begin(Doing(stop))  # type: ignore[arg-type]
    errors: list[str] = []
    monkeypatch.setattr(logging.getLogger("rq.worker"), "error", lambda *words, **_: errors.append(str(words)))
    with capture_logs() as logs:
        listen(TURNS, link, stop, lambda alone: None, Timer())
    (said,) = [entry for entry in logs if entry["event"] == "worker.job_failed"]
    assert said["error"] == "nobody is there"
    assert "exc_info" not in said
    assert errors == []


def test_our_keys_that_another_program_has_written_are_replaced_and_its_own_are_kept(
    valkey: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = link_to(valkey.url)
    ours = redis_link.jobs_key(link.key(TURNS))
    with Redis.from_url(valkey.url) as redis:
        redis.mset({ours: "of another program", "its own": "kept"})
        assert until_idle_or_done(link, monkeypatch) == (
            0,
            ["worker.listening", "redis.mended", "worker.listening", "worker.stopped"],
        )
        assert redis.get("its own") == b"kept"
    RqQueue(link).wake_turns()
    assert until_idle_or_done(link, monkeypatch)[0] == 1
