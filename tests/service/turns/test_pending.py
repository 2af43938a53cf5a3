"""What a woken worker does: pending turns, oldest first, and one that cannot be judged does not
affect the others.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import pytest
import structlog

from service.context import Context
from service.matches import replays
from service.queue import MemoryQueue
from service.store import steps
from service.store.steps import StoredStep
from service.store.tables import matches
from service.turns import batch, lookup, pending
from service.turns.submit import submit
from service.turns.types import Turn
from tests.service.fakes import Clock, Round, Timer, log_of, notices, restarted, started

pytestmark = pytest.mark.usefixtures("pearls")


def dived(context: Context, table: Round, seat: int = 0) -> Turn:
    return submit(context, table.players[seat], table.match.id, None, 0, notation="dive")


def status(context: Context, table: Round, turn: Turn) -> str:
    player = next(player for player in table.players if player.id == turn.player_id)
    return lookup.find(context, player, table.match.id, turn.id).status


def tables(context: Context, count: int) -> list[Round]:
    return [started(context, "pearls", names=(f"Ada{index}", f"Bela{index}")) for index in range(count)]


def test_all_pending_turns_are_judged_the_older_ones_first(context: Context) -> None:
    rounds = tables(context, 3)
    first = [dived(context, table) for table in rounds]
    assert isinstance(context.clock, Clock)
    context.clock.advance(seconds=1)
    second = [dived(context, table) for table in rounds]
    assert pending.judge_pending(context) == 6
    assert [status(context, table, turn) for table, turn in zip(rounds, first, strict=True)] == ["accepted"] * 3
    assert [status(context, table, turn) for table, turn in zip(rounds, second, strict=True)] == ["rejected"] * 3
    assert pending.judge_pending(context) == 0


def test_a_turn_that_cannot_be_judged_does_not_affect_the_others(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = tables(context, 3)
    submitted = [dived(context, table) for table in rounds]
    whole = replays.load

    def load(connection: Any, context: Context, match: Any) -> Any:
        if match.id == rounds[1].match.id:
            raise RuntimeError("its log cannot be read")
        return whole(connection, context, match)

    with monkeypatch.context() as broken:
        broken.setattr(replays, "load", load)
        assert pending.judge_pending(context) == 2
    assert [status(context, table, turn) for table, turn in zip(rounds, submitted, strict=True)] == [
        "accepted",
        "queued",
        "accepted",
    ]
    assert pending.judge_pending(context) == 1
    assert len(log_of(context, rounds[1].match.id)) == 2


def test_a_batch_is_one_transaction_and_announced_as_one(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    submitted = [dived(context, table) for table in tables(context, 5)]
    queue, batches = context.queue, []
    assert isinstance(queue, MemoryQueue)
    monkeypatch.setattr(queue, "announce_verdicts", lambda ids: batches.append(set(ids)))
    woken = queue.notices
    assert pending.judge_pending(context) == 5
    assert batches == [{turn.id for turn in submitted}]
    assert queue.notices == woken + 1


def test_of_each_match_a_batch_takes_the_oldest_turn_alone(context: Context) -> None:
    table = started(context, "pearls")
    assert isinstance(context.clock, Clock)
    submitted = []
    for _ in range(3):
        submitted.append(dived(context, table))
        context.clock.advance(seconds=1)
    assert batch.judge_batch(context, 64).turns == (submitted[0].id,)
    assert batch.judge_batch(context, 64, without=[submitted[1].id]).turns == (submitted[2].id,)


def test_a_row_that_the_database_refuses_does_not_affect_the_others(context: Context) -> None:
    rounds = tables(context, 3)
    submitted = [dived(context, table) for table in rounds]
    with (
        context.database.write() as connection
    ):  # an entry where the turn's own would be: as if its match had been tampered with
        steps.write(
            connection, [StoredStep(rounds[1].match.id, 0, ((0, {"type": "dive"}),), None, {}, None)], context.clock()
        )
        connection.execute(matches.update().where(matches.c.id == rounds[1].match.id).values(ply=0))
    with structlog.testing.capture_logs() as logs:
        assert pending.judge_pending(context) == 2
    assert [status(context, table, turn) for table, turn in zip(rounds, submitted, strict=True)] == [
        "accepted",
        "queued",
        "accepted",
    ]
    assert [entry["turn"] for entry in logs if entry["event"] == "turn.not_judged"] == [submitted[1].id]


def test_workers_that_judge_at_once_judge_every_turn_once(context: Context) -> None:
    rounds = tables(context, 12)
    for table in rounds:
        dived(context, table)
        dived(context, table, seat=1)
    gate, judged = threading.Barrier(4), []

    def work() -> None:
        own = restarted(context)  # as a process of its own
        gate.wait(30)
        judged.append(pending.judge_pending(own))

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    while left := pending.judge_pending(
        context
    ):  # what one had locked while another looked is nobody's to find again but the next job's
        judged.append(left)
    assert sum(judged) == 24
    assert len(notices(context, "verdict")) == 24
    assert {len(log_of(context, table.match.id)) for table in rounds} == {2}


def test_a_worker_whose_time_is_up_wakes_the_next_one(context: Context) -> None:
    for table in tables(context, 2):
        dived(context, table)
    queue = context.queue
    assert isinstance(queue, MemoryQueue)
    woken = queue.turns
    hurried = replace(context, timer=Timer(step=pending.LONGEST_SECONDS + 0.1))
    assert pending.judge_pending(hurried) == 0
    assert queue.turns == woken + 1
    assert pending.judge_pending(context) == 2
