"""Waiting for a verdict: woken when it is announced, and not lost when it is not."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import pytest
from redis import Redis

from engine import registry
from service.announcements import Announced, Waiter
from service.api.answers import turn_answer
from service.context import Context
from service.matches import lobby
from service.queue import RqQueue
from service.redis_link import RedisLink
from service.store import matches as match_rows
from service.store import turns as turn_rows
from service.store.batched import BatchedStore
from service.store.tables import turns
from service.store.turns import StoredTurn
from service.turns import submit as waiting
from service.turns.submit import as_told, looked_up, submit
from service.turns.trials import legal_actions
from service.turns.types import Turn
from tests.service.fakes import Round, judge_one, judged_batch, restarted, started
from tools.memory_queue import MemoryQueue

pytestmark = pytest.mark.usefixtures("pearls")


class LosingAnnouncements(MemoryQueue):
    """A queue whose announcements get lost."""

    def announce_verdicts(self, judged: Sequence[Announced]) -> None:
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


def judging(context: Context) -> Context:
    """The same service with a worker that judges as soon as it is woken."""
    woken = replace(context, queue=MemoryQueue(judge=lambda: judged_batch(woken)))
    return woken


@pytest.mark.parametrize("game", ["pearls", *registry.games()])
def test_a_verdict_that_is_told_says_the_same_as_one_that_is_read(
    context: Context, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """The judge's telling, and a process that remembers nothing and reads the row, give the same
    answer, byte for byte.
    """
    told, luck, statuses = judging(context), random.Random(7), set()
    table = started(told, game)
    for number in range(40):
        match = lobby.find(told, None, table.match.id)
        if match.status != "running":
            break
        seat = next(seat.seat for seat in match.seats if seat.to_act)
        legal = [each.notation for each in legal_actions(told, table.players[seat], match.id).items]
        lines = [luck.choice(legal)] * (1 if number % 4 else 2)
        with monkeypatch.context() as patched:
            patched.setattr(BatchedStore, "verdict", lambda *_: pytest.fail("the row was read"))
            turn = submit(told, table.players[seat], match.id, None, match.ply, notation=lines, wait=60)
        read = shown_by_row(restarted(told), turn)
        assert (turn, turn.awaited) == (read, read.awaited)
        assert json.dumps(turn_answer(turn), default=str) == json.dumps(turn_answer(read), default=str)
        statuses.add(turn.status)
    assert len(statuses) > 1


def shown_by_row(context: Context, turn: Turn) -> Turn:
    """The turn as it is shown where its announcement was lost."""
    stored = row_of(context, turn)
    assert stored.awaited_by is None, "the address is kept no longer than it is needed"
    with context.database.read() as connection:
        match = match_rows.find(connection, turn.match_id)
    assert match is not None
    return looked_up(context, match, replace(stored, status="queued", verdict=None, judged_at=None))


def row_of(context: Context, turn: Turn) -> StoredTurn:
    with context.database.read() as connection:
        stored = turn_rows.find(connection, turn.id)
    assert stored is not None
    return stored


def changed(context: Context, turn: Turn, **values: Any) -> None:
    with context.database.write() as connection:
        connection.execute(turns.update().where(turns.c.id == turn.id).values(values))


@pytest.mark.usefixtures("in_advance")
def test_a_turn_that_comes_too_late_is_told_what_has_happened_since(context: Context) -> None:
    table, told = started(context, "pearls"), judging(context)
    late = submit(context, table.players[1], table.match.id, None, 0, notation="dive")
    changed(context, late, status="held")
    submit(told, table.players[0], table.match.id, None, 0, notation="dive")
    changed(context, late, status="queued", awaited_by="memory")
    with told.queue.expecting(late.id) as waiter:
        judged_batch(told)
        handed = waiter.wait(60)
    assert handed is not None
    assert handed["verdict"]["entries"] == ["Ada dives.", "Ada draws a pearl."]
    assert as_told(row_of(context, late), handed) == shown_by_row(restarted(context), late)


def test_a_turn_that_was_tried_before_is_not_told_by_its_judge(context: Context) -> None:
    table, told = started(context, "pearls"), judging(context)
    turn = submit(context, table.players[0], table.match.id, None, 0, notation="dive")
    changed(context, turn, awaited_by="memory", attempts=1)
    with told.queue.expecting(turn.id) as waiter:
        assert judge_one(told, turn.id).status == "accepted"
        assert waiter.signal.is_set()
        assert waiter.wait(0) is None


def test_redis_never_holds_what_a_verdict_says(
    context: Context, link: RedisLink, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = RqQueue(link)
    live, table, ended = replace(context, queue=queue), started(context, "pearls"), threading.Event()

    def judge() -> None:
        while not ended.wait(0.01):
            judged_batch(live)

    worker = threading.Thread(target=judge)
    worker.start()
    said, commands = [], list[bytes]()
    with redis.monitor() as monitor:  # type: ignore[no-untyped-call]
        for number in range(6):
            with monkeypatch.context() as patched:
                if number:  # the first is read when the subscription begins
                    patched.setattr(BatchedStore, "verdict", lambda *_: pytest.fail("the row was read"))
                match = lobby.find(live, None, table.match.id)
                seat = next(seat.seat for seat in match.seats if seat.to_act)
                lines = ["dive"] if number % 2 else ["offer 3"]
                turn = submit(live, table.players[seat], match.id, None, match.ply, notation=lines, wait=60)
            assert turn.verdict is not None
            said += [*turn.verdict.entries, *lines, turn.status]
            said += [] if turn.verdict.violation is None else [turn.verdict.violation.message]
        redis.set("the end", "")
        while not commands or b"the end" not in commands[-1]:
            commands.append(monitor.connection.read_response())
    ended.set()
    worker.join(60)
    queue.close()
    assert len(said) >= 20
    assert {"accepted", "rejected"} < set(said)
    assert sum(b"PUBLISH" in command.upper() for command in commands) >= 6
    for text in said:
        assert not [command for command in commands if text.encode() in command], text


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
        def expecting(self, turn_id: str) -> AbstractContextManager[Waiter]:
            raise AssertionError("a subscription was begun")

    table = started(context, "pearls")
    deaf = replace(context, queue=Deaf())
    for _ in range(2):  # the second time it is known by its key
        turn = submit(deaf, table.players[0], table.match.id, None, 0, notation="dive", idempotency_key="key")
        assert turn.status == "queued"
