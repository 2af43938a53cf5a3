"""Many at once, with real threads: whatever the order, a match moves on by one turn at a time."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.record import verify
from service.context import Context
from service.errors import ServiceError
from service.matches import lobby
from service.turns.submit import submit
from service.turns.types import Turn
from service.views import match as views
from service.views.record import match_record
from tests.engine.matches import told
from tests.service.fakes import Round, at_once, judge_one, log_of, notices, played_on, restarted, set_apart, started

pytestmark = pytest.mark.usefixtures("pearls")


def dived(context: Context, table: Round, seat: int = 0) -> Turn:
    return submit(context, table.players[seat], table.match.id, None, 0, notation="dive")


def test_of_eight_turns_submitted_and_judged_at_once_one_is_accepted(context: Context) -> None:
    table = started(context, "pearls")

    def worker() -> Turn:
        own = restarted(context)  # as a process of its own
        return judge_one(own, dived(own, table).id)

    judged = [answer for answer in at_once(*[worker] * 8) if isinstance(answer, Turn)]
    assert Counter(turn.status for turn in judged)["accepted"] == 1
    refused = [
        turn.verdict.violation.code
        for turn in judged
        if turn.verdict is not None and turn.verdict.violation is not None
    ]
    assert set(refused) <= {"stale_ply"}
    assert len(log_of(context, table.match.id)) == 2
    assert len(notices(context, "your_turn")) == 2


def test_of_eight_queued_turns_judged_at_once_one_is_accepted(context: Context) -> None:
    table = started(context, "pearls")
    queued = [set_apart(context, dived(context, table)) for _ in range(8)]
    judged = at_once(*[lambda turn=turn: judge_one(restarted(context), turn.id) for turn in queued])
    assert Counter(turn.status for turn in judged) == {"accepted": 1, "rejected": 7}
    assert len(log_of(context, table.match.id)) == 2
    assert len(notices(context, "verdict")) == 8


def test_one_turn_judged_by_many_at_once_has_one_verdict(context: Context) -> None:
    table = started(context, "pearls")
    turn = dived(context, table)
    judged = at_once(*[lambda: judge_one(restarted(context), turn.id)] * 6)
    assert {answer.status for answer in judged} == {"accepted"}
    assert len({answer.verdict for answer in judged}) == 1
    assert len(log_of(context, table.match.id)) == 2
    assert len(notices(context, "verdict")) == 1


def test_threads_that_share_one_memory_do_not_confuse_each_other(context: Context) -> None:
    table = started(context, "pearls")
    queued = [set_apart(context, dived(context, table)) for _ in range(4)]
    at_once(
        *[lambda turn=turn: judge_one(context, turn.id) for turn in queued],
        *[lambda: views.observation(context, None, table.match.id)] * 4,
    )
    match = played_on(context, table, random.Random(5))
    assert told(match.game, verify(match_record(context, None, match.id)).outcome) == match.outcome


def test_two_who_resign_at_once_leave_one_winner(context: Context) -> None:
    table = started(context, "pearls")
    answers = at_once(
        *[lambda player=player: lobby.resign(context, player, table.match.id) for player in table.players]
    )
    match = lobby.find(context, None, table.match.id)
    assert match.status == "finished"
    assert sum(seat.resigned_at is not None for seat in match.seats) == 1
    assert sum(isinstance(answer, ServiceError) for answer in answers) == 1
    verify(match_record(context, None, match.id))


def test_turns_and_resignations_at_once_leave_a_record_that_verifies(context: Context) -> None:
    table = started(context, "pearls", 4)
    turn = dived(context, table)
    at_once(
        lambda: judge_one(restarted(context), turn.id),
        lambda: lobby.resign(restarted(context), table.players[1], table.match.id),
        lambda: lobby.resign(restarted(context), table.players[0], table.match.id),
    )
    match = played_on(context, table, random.Random(5))
    assert match.status == "finished"
    verify(match_record(context, None, match.id))
