"""Many at once, with real threads: whatever the order, a match moves on by one turn at a time."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from engine.record import verify
from service.errors import ServiceError
from service.matches import lobby, turns, views
from service.matches.types import Turn
from service.wiring import Overland
from tests.service.fakes import Round, log_of, notices, played_on, restarted, started

pytestmark = pytest.mark.usefixtures("pearls")


def at_once(*tasks: Callable[[], Any]) -> list[Any]:
    """What the tasks answer, or the errors of the service they end with, all begun at the same
    moment.
    """
    gate, done = threading.Barrier(len(tasks)), []

    def run(task: Callable[[], Any]) -> None:
        gate.wait(30)
        try:
            done.append(task())
        except Exception as error:
            done.append(error)

    threads = [threading.Thread(target=run, args=(task,)) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(done) == len(tasks)
    failed = [answer for answer in done if isinstance(answer, Exception) and not isinstance(answer, ServiceError)]
    assert failed == []
    return done


def dived(overland: Overland, table: Round, seat: int = 0) -> Turn:
    return turns.submit(overland, table.players[seat], table.match.id, None, 0, notation="dive")


def test_of_eight_turns_submitted_and_judged_at_once_one_is_accepted(overland: Overland) -> None:
    table = started(overland, "pearls")

    def worker() -> Turn:
        own = restarted(overland)  # as a process of its own
        return turns.judge(own, dived(own, table).id)

    judged = [answer for answer in at_once(*[worker] * 8) if isinstance(answer, Turn)]
    assert Counter(turn.status for turn in judged)["accepted"] == 1
    refused = [
        turn.verdict.violation.code
        for turn in judged
        if turn.verdict is not None and turn.verdict.violation is not None
    ]
    assert set(refused) <= {"stale_ply"}
    assert len(log_of(overland, table.match.id)) == 2
    assert len(notices(overland, "your_turn")) == 2


def test_of_eight_queued_turns_judged_at_once_one_is_accepted(overland: Overland) -> None:
    table = started(overland, "pearls")
    queued = [dived(overland, table) for _ in range(8)]
    judged = at_once(*[lambda turn=turn: turns.judge(restarted(overland), turn.id) for turn in queued])
    assert Counter(turn.status for turn in judged) == {"accepted": 1, "rejected": 7}
    assert len(log_of(overland, table.match.id)) == 2
    assert len(notices(overland, "verdict")) == 8


def test_one_turn_judged_by_many_at_once_has_one_verdict(overland: Overland) -> None:
    table = started(overland, "pearls")
    turn = dived(overland, table)
    judged = at_once(*[lambda: turns.judge(restarted(overland), turn.id)] * 6)
    assert {answer.status for answer in judged} == {"accepted"}
    assert len({answer.verdict for answer in judged}) == 1
    assert len(log_of(overland, table.match.id)) == 2
    assert len(notices(overland, "verdict")) == 1


def test_threads_that_share_one_memory_do_not_confuse_each_other(overland: Overland) -> None:
    table = started(overland, "pearls")
    queued = [dived(overland, table) for _ in range(4)]
    at_once(
        *[lambda turn=turn: turns.judge(overland, turn.id) for turn in queued],
        *[lambda: views.observation(overland, None, table.match.id)] * 4,
    )
    match = played_on(overland, table, random.Random(5))
    assert verify(views.record(overland, None, match.id)).outcome == match.outcome


def test_two_who_resign_at_once_leave_one_winner(overland: Overland) -> None:
    table = started(overland, "pearls")
    answers = at_once(
        *[lambda player=player: lobby.resign(overland, player, table.match.id) for player in table.players]
    )
    match = lobby.find(overland, None, table.match.id)
    assert match.status == "finished"
    assert sum(seat.resigned_at is not None for seat in match.seats) == 1
    assert sum(isinstance(answer, ServiceError) for answer in answers) == 1
    verify(views.record(overland, None, match.id))


def test_turns_and_resignations_at_once_leave_a_record_that_verifies(overland: Overland) -> None:
    table = started(overland, "pearls", 4)
    turn = dived(overland, table)
    at_once(
        lambda: turns.judge(restarted(overland), turn.id),
        lambda: lobby.resign(restarted(overland), table.players[1], table.match.id),
        lambda: lobby.resign(restarted(overland), table.players[0], table.match.id),
    )
    match = played_on(overland, table, random.Random(5))
    assert match.status == "finished"
    verify(views.record(overland, None, match.id))
