"""What a woken worker does: pending turns, oldest first, and one that cannot be judged takes no other along."""

from __future__ import annotations

from typing import Any

import pytest

from service.matches import judging, pending, turns
from service.matches.types import Turn
from service.queue import MemoryQueue
from service.wiring import Overland
from tests.service.fakes import Clock, Round, log_of, started

pytestmark = pytest.mark.usefixtures("pearls")


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is, the time of a job is not up."""
    monkeypatch.setattr(pending, "LONGEST_SECONDS", 60.0)


def dived(overland: Overland, table: Round, seat: int = 0) -> Turn:
    return turns.submit(overland, table.players[seat], table.match.id, None, 0, notation="dive")


def status(overland: Overland, table: Round, turn: Turn) -> str:
    player = next(player for player in table.players if player.id == turn.player_id)
    return turns.find(overland, player, table.match.id, turn.id).status


def tables(overland: Overland, count: int) -> list[Round]:
    return [started(overland, "pearls", names=(f"Ada{index}", f"Bela{index}")) for index in range(count)]


def test_all_pending_turns_are_judged_the_older_ones_first(overland: Overland) -> None:
    rounds = tables(overland, 3)
    first = [dived(overland, table) for table in rounds]
    assert isinstance(overland.clock, Clock)
    overland.clock.pass_(seconds=1)
    second = [dived(overland, table) for table in rounds]
    assert pending.judge_pending(overland) == 6
    assert [status(overland, table, turn) for table, turn in zip(rounds, first, strict=True)] == ["accepted"] * 3
    assert [status(overland, table, turn) for table, turn in zip(rounds, second, strict=True)] == ["rejected"] * 3
    assert pending.judge_pending(overland) == 0


def test_a_turn_that_cannot_be_judged_takes_no_other_along(overland: Overland, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = tables(overland, 3)
    submitted = [dived(overland, table) for table in rounds]
    whole = judging.memory.load

    def load(connection: Any, overland: Overland, match: Any) -> Any:
        if match.id == rounds[1].match.id:
            raise RuntimeError("its log cannot be read")
        return whole(connection, overland, match)

    with monkeypatch.context() as broken:
        broken.setattr(judging.memory, "load", load)
        assert pending.judge_pending(overland) == 2
    assert [status(overland, table, turn) for table, turn in zip(rounds, submitted, strict=True)] == ["accepted", "queued", "accepted"]
    assert pending.judge_pending(overland) == 1
    assert len(log_of(overland, rounds[1].match.id)) == 2


def test_a_worker_whose_time_is_up_wakes_the_next_one(overland: Overland, monkeypatch: pytest.MonkeyPatch) -> None:
    for table in tables(overland, 2):
        dived(overland, table)
    queue = overland.queue
    assert isinstance(queue, MemoryQueue)
    woken = queue.turns
    monkeypatch.setattr(pending, "LONGEST_SECONDS", -1.0)
    assert pending.judge_pending(overland) == 0
    assert queue.turns == woken + 1
    monkeypatch.setattr(pending, "LONGEST_SECONDS", 60.0)
    assert pending.judge_pending(overland) == 2
