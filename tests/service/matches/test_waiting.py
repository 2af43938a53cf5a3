"""Waiting for a verdict: woken when it is announced, and not lost when it is not."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace

import pytest

from service.matches import judging, turns, waiting
from service.matches.types import Turn
from service.queue import MemoryQueue
from service.wiring import Overland
from tests.service.fakes import Round, started

pytestmark = pytest.mark.usefixtures("pearls")


class Deaf(MemoryQueue):
    """A queue whose announcements get lost."""

    def announce_verdicts(self, turn_ids: Sequence[str]) -> None:
        return


class Judging(MemoryQueue):
    """A queue whose worker is another thread."""

    def __init__(self) -> None:
        super().__init__()
        self.overland: Overland | None = None
        self.workers: list[threading.Thread] = []

    def wake_turns(self) -> None:
        assert self.overland is not None
        self.workers.append(threading.Thread(target=judging.judge_batch, args=(self.overland, 64)))
        self.workers[-1].start()


def dived(overland: Overland, table: Round, key: str | None = None) -> Turn:
    return turns.submit(
        overland, table.players[0], table.match.id, None, 0, notation="dive", idempotency_key=key, wait=60
    )


def test_who_submits_and_waits_gets_the_verdict(overland: Overland) -> None:
    table, queue = started(overland, "pearls"), Judging()
    queue.overland = replace(overland, queue=queue)
    turn = dived(queue.overland, table)
    assert turn.status == "accepted"
    assert turn.awaited is False  # it is the other seat's turn now
    for worker in queue.workers:
        worker.join(60)


def test_a_verdict_whose_announcement_is_lost_is_found_all_the_same(
    overland: Overland, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "LONGEST_SILENCE", 0.05)
    table = started(overland, "pearls")
    deaf = replace(overland, queue=Deaf())
    judged: list[str] = []

    def work() -> None:
        while not judged:
            judged.extend(judging.judge_batch(deaf, 64).turns)

    worker = threading.Thread(target=work)
    worker.start()
    assert dived(deaf, table).status == "accepted"
    worker.join(60)


def test_a_repeated_submission_gets_the_verdict_that_is_there(overland: Overland) -> None:
    table = started(overland, "pearls")
    first = turns.submit(overland, table.players[0], table.match.id, None, 0, notation="dive", idempotency_key="key")
    turns.judge(overland, first.id)
    again = dived(overland, table, "key")
    assert (again.id, again.status) == (first.id, "accepted")


def test_a_repeated_submission_that_is_still_queued_wakes_a_worker_again(overland: Overland) -> None:
    table, queue = started(overland, "pearls"), overland.queue
    assert isinstance(queue, MemoryQueue)
    for woken in (1, 2):
        turns.submit(overland, table.players[0], table.match.id, None, 0, notation="dive", idempotency_key="key")
        assert queue.turns == woken
