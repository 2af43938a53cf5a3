"""Waiting for a verdict: woken when it is announced, and not lost when it is not."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import replace

import pytest

from service.context import Context
from service.queue import MemoryQueue
from service.turns import wait as waiting
from service.turns.batch import judge_one
from service.turns.submit import submit
from service.turns.types import Turn
from service.waits import Signal
from tests.service.fakes import Round, judged_batch, started

pytestmark = pytest.mark.usefixtures("pearls")


class LosingAnnouncements(MemoryQueue):
    """A queue whose announcements get lost."""

    def announce_verdicts(self, judged: Mapping[str, str]) -> None:
        return


class Judging(MemoryQueue):
    """A queue whose worker is another thread."""

    def __init__(self) -> None:
        super().__init__()
        self.context: Context | None = None
        self.workers: list[threading.Thread] = []

    def wake_turns(self, missed: bool = False) -> None:
        assert self.context is not None
        self.workers.append(threading.Thread(target=judged_batch, args=(self.context, 64)))
        self.workers[-1].start()


def dived(context: Context, table: Round, key: str | None = None) -> Turn:
    return submit(context, table.players[0], table.match.id, None, 0, notation="dive", idempotency_key=key, wait=60)


def test_a_client_that_submits_and_waits_gets_the_verdict(context: Context) -> None:
    table, queue = started(context, "pearls"), Judging()
    queue.context = replace(context, queue=queue)
    turn = dived(queue.context, table)
    assert turn.status == "accepted"
    assert turn.awaited is False  # it is the other seat's turn now
    for worker in queue.workers:
        worker.join(60)


def test_a_verdict_whose_announcement_is_lost_is_still_found(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "LONGEST_SILENCE", 0.05)
    table = started(context, "pearls")
    losing = replace(context, queue=LosingAnnouncements())
    judged: list[str] = []

    def work() -> None:
        while not judged:
            judged.extend(judged_batch(losing, 64).judged)

    worker = threading.Thread(target=work)
    worker.start()
    assert dived(losing, table).status == "accepted"
    worker.join(60)


def test_a_repeated_submission_gets_the_verdict_that_is_there(context: Context) -> None:
    table = started(context, "pearls")
    first = submit(context, table.players[0], table.match.id, None, 0, notation="dive", idempotency_key="key")
    judge_one(context, first.id)
    again = dived(context, table, "key")
    assert (again.id, again.status) == (first.id, "accepted")


def test_a_repeated_submission_that_is_still_queued_wakes_a_worker_again(context: Context) -> None:
    table, queue = started(context, "pearls"), context.queue
    assert isinstance(queue, MemoryQueue)
    for woken in (1, 2):
        submit(context, table.players[0], table.match.id, None, 0, notation="dive", idempotency_key="key")
        assert queue.turns == woken


def test_a_client_that_does_not_wait_subscribes_to_nothing(context: Context) -> None:
    class Deaf(MemoryQueue):
        def expecting(self, match_id: str, turn_id: str) -> AbstractContextManager[Signal]:
            raise AssertionError("a subscription was begun")

    table = started(context, "pearls")
    deaf = replace(context, queue=Deaf())
    for _ in range(2):  # the second time it is known by its key
        turn = submit(deaf, table.players[0], table.match.id, None, 0, notation="dive", idempotency_key="key")
        assert turn.status == "queued"
