"""Judging: exactly once, in one transaction, with a verdict that tells the submitter everything and
nobody else anything.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from engine import registry
from engine.record import verify
from engine.types import CHANCE
from service.context import Context
from service.matches import lobby
from service.store import matches, outbox
from service.store.matches import StoredStep
from service.store.tables import turns
from service.turns import lookup, verdicts
from service.turns.submit import submit
from service.turns.trials import legal_actions
from service.turns.types import Turn
from service.views.record import match_record
from tests.engine.matches import told
from tests.service.fakes import (
    Clock,
    Round,
    judge_one,
    judged_batch,
    log_of,
    notices,
    person,
    played,
    played_on,
    restarted,
    set_apart,
    started,
    state_of,
)
from tools.memory_queue import MemoryQueue

pytestmark = pytest.mark.usefixtures("pearls")


@pytest.fixture
def table(context: Context) -> Round:
    return started(context, "pearls")


def submitted(context: Context, table: Round, notation: str, seat: int = 0) -> Turn:
    ply = lobby.find(context, None, table.match.id).ply
    return submit(context, table.players[seat], table.match.id, None, ply, notation=notation)


def test_an_accepted_turn_is_in_the_log_with_what_chance_did(context: Context, table: Round) -> None:
    turn = played(context, table.players[0], table.match.id, "dive")
    assert turn.verdict is not None
    assert (turn.status, turn.judged_at) == ("accepted", context.clock())
    assert (turn.verdict.accepted, turn.verdict.ply_before, turn.verdict.ply_after, turn.verdict.violation) == (
        1,
        0,
        2,
        None,
    )
    assert [entry.seat for entry in log_of(context, table.match.id)] == [0, CHANCE]
    match = lobby.find(context, None, table.match.id)
    assert (match.ply, [seat.to_act for seat in match.seats]) == (2, [False, True])


def test_the_verdict_tells_the_submitter_what_they_may_know(context: Context, table: Round) -> None:
    turn = played(context, table.players[0], table.match.id, "dive")
    (value,) = state_of(context, table.match.id).hands[0]
    assert turn.verdict is not None
    assert turn.verdict.entries == ("Ada dives.", f"Ada draws a pearl of {value}.")


def test_the_next_seat_is_told_that_it_is_awaited_and_the_submitter_gets_the_verdict(
    context: Context, table: Round
) -> None:
    clock = context.clock
    assert isinstance(clock, Clock)
    clock.advance(minutes=1)
    assert isinstance(context.queue, MemoryQueue)
    woken = context.queue.notices
    turn = played(context, table.players[0], table.match.id, "dive")
    told = {
        (notice.kind, notice.player_id): notice.payload for notice in notices(context) if notice.created_at == clock.now
    }
    assert told == {
        ("verdict", table.players[0].id): {
            "seat": 0,
            "ply": 2,
            "since": 0,
            "turn_id": turn.id,
            "status": "accepted",
            "in_reply_to": "",
        },
        ("your_turn", table.players[1].id): {"seat": 1, "ply": 2},
    }
    assert context.queue.announced == {turn.id}
    assert context.queue.notices == woken + 1


def test_judging_again_changes_nothing(context: Context, table: Round) -> None:
    turn = played(context, table.players[0], table.match.id, "dive")
    before = (log_of(context, table.match.id), notices(context), lobby.find(context, None, table.match.id))
    assert judge_one(restarted(context), turn.id) == turn
    assert (log_of(context, table.match.id), notices(context), lobby.find(context, None, table.match.id)) == before


@pytest.mark.parametrize("held_it_once", [True, False])
def test_a_turn_of_somebody_who_does_not_hold_the_seat_is_rejected(
    context: Context, table: Round, held_it_once: bool
) -> None:
    turn, other = submitted(context, table, "dive"), person(context, "Cleo")
    with context.database.write() as connection:
        if held_it_once:
            matches.take_seat(connection, table.match.id, 0, other.id, "nonce", context.clock())
        else:
            connection.execute(turns.update().where(turns.c.id == turn.id).values(player_id=other.id))
    judged = judge_one(context, turn.id)
    assert judged.verdict is not None
    assert judged.verdict.violation is not None
    assert (judged.status, judged.verdict.violation.code) == ("rejected", "resigned")
    assert log_of(context, table.match.id) == ()


def test_an_illegal_turn_is_rejected_with_code_rule_sentence_and_what_would_be_legal(
    context: Context, table: Round
) -> None:
    turn = played(context, table.players[0], table.match.id, "offer 2")
    assert turn.verdict is not None
    refusal = turn.verdict.violation
    assert refusal is not None
    assert (turn.status, turn.verdict.accepted, turn.verdict.ply_after) == ("rejected", 0, 0)
    assert (refusal.code, refusal.rule, refusal.pointer) == ("not_in_hand", "P4", "/actions/0")
    assert refusal.message == "You have no pearl of 2; your hand is empty."
    assert [(item.notation, item.action) for item in refusal.legal] == [("dive", {"type": "dive"})]
    assert refusal.legal_total == 1
    assert log_of(context, table.match.id) == ()
    assert lobby.find(context, None, table.match.id).seats[0].to_act


def test_actions_before_a_draw_are_accepted_and_the_rest_is_refused_with_its_index(
    context: Context, table: Round
) -> None:
    turn = played(context, table.players[0], table.match.id, "dive", "dive")
    assert turn.verdict is not None
    assert turn.verdict.violation is not None
    assert (turn.status, turn.verdict.accepted, turn.verdict.ply_after) == ("partly_accepted", 1, 2)
    assert (turn.verdict.violation.code, turn.verdict.violation.pointer) == ("not_your_turn", "/actions/1")
    assert (turn.verdict.violation.legal, turn.verdict.violation.legal_total) == ((), 0)
    assert len(log_of(context, table.match.id)) == 2


def test_the_alternatives_are_those_at_the_action_that_failed(context: Context) -> None:
    table = started(context, "oregon")
    for player in table.players:
        assert played(context, player, table.match.id, "1").status == "accepted"
    ada, before = table.players[0], log_of(context, table.match.id)
    for farmer in legal_actions(context, ada, table.match.id).items:
        following = legal_actions(context, ada, table.match.id, actions=[farmer.action]).items
        if following:  # no draw comes first
            break
    turn = played(context, ada, table.match.id, farmer.notation, farmer.notation)
    assert turn.verdict is not None
    assert turn.verdict.violation is not None
    assert (turn.status, turn.verdict.violation.action_index) == ("rejected", 1)
    assert turn.verdict.violation.legal == following != ()
    assert log_of(context, table.match.id) == before


def test_at_most_200_alternatives_are_listed_and_all_are_counted(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert verdicts.MOST_LEGAL == 200  # as the description of the API says
    table = started(context, "oregon")
    everything = legal_actions(context, table.players[0], table.match.id).items
    monkeypatch.setattr(verdicts, "MOST_LEGAL", 5)
    turn = played(context, table.players[0], table.match.id, "done")
    assert turn.verdict is not None
    assert turn.verdict.violation is not None
    assert turn.verdict.violation.legal == everything[:5]
    assert turn.verdict.violation.legal_total == len(everything) > 5


def test_of_two_turns_for_one_ply_the_second_is_told_what_changed(context: Context, table: Round) -> None:
    first, second = set_apart(context, submitted(context, table, "dive")), submitted(context, table, "dive")
    judge_one(context, first.id)
    late = judge_one(context, second.id)
    assert late.verdict is not None
    assert late.verdict.violation is not None
    assert (late.status, late.verdict.violation.code, late.verdict.violation.action_index) == (
        "rejected",
        "stale_ply",
        None,
    )
    assert late.verdict.entries[0] == "Ada dives."
    assert (late.verdict.ply_before, late.verdict.ply_after) == (2, 2)
    assert "ply 0" in late.verdict.violation.message
    assert len(log_of(context, table.match.id)) == 2


@pytest.mark.usefixtures("in_advance")
def test_a_turn_out_of_turn_is_rejected(context: Context, table: Round) -> None:
    turn = submitted(context, table, "dive", seat=1)
    judged = judge_one(context, turn.id)
    assert judged.verdict is not None
    assert judged.verdict.violation is not None
    assert judged.verdict.violation.code == "not_your_turn"


def test_a_turn_that_waited_while_the_match_ended_is_rejected(context: Context, table: Round) -> None:
    turn = submitted(context, table, "dive")
    lobby.resign(context, table.players[1], table.match.id)
    judged = judge_one(context, turn.id)
    assert judged.verdict is not None
    assert judged.verdict.violation is not None
    assert (judged.status, judged.verdict.violation.code) == ("rejected", "match_over")


@pytest.mark.usefixtures("in_advance")
def test_a_turn_of_a_seat_that_resigned_meanwhile_is_rejected(context: Context) -> None:
    table = started(context, "pearls", 3)
    turn = submitted(context, table, "dive", seat=1)
    lobby.resign(context, table.players[1], table.match.id)
    judged = judge_one(context, turn.id)
    assert judged.verdict is not None
    assert judged.verdict.violation is not None
    assert judged.verdict.violation.code == "resigned"


def test_nothing_of_a_turn_is_kept_when_its_transaction_fails_and_it_can_be_judged_afterwards(
    context: Context, table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = submitted(context, table, "dive")
    before = (log_of(context, table.match.id), notices(context), lobby.find(context, None, table.match.id))

    def fail(*args: object) -> None:
        raise ConnectionError("the disk is on fire")

    with monkeypatch.context() as broken:
        broken.setattr(outbox, "add_all", fail)
        assert judged_batch(context).judged == ()
    assert (log_of(context, table.match.id), notices(context), lobby.find(context, None, table.match.id)) == before
    assert lookup.find(context, table.players[0], table.match.id, turn.id).status == "queued"
    assert judge_one(context, turn.id).status == "accepted"
    assert len(log_of(context, table.match.id)) == 2


def test_a_fault_of_the_rules_refuses_the_turn_rather_than_being_judged_for_ever(
    context: Context, table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: Any) -> Any:
        raise ZeroDivisionError

    faulty = replace(registry.game("pearls"), apply=broken)
    turn = submitted(context, table, "dive")
    with monkeypatch.context() as patch:
        patch.setattr(registry, "game", lambda name, version: faulty)
        judged = judge_one(context, turn.id)
    assert judged.verdict is not None
    assert judged.verdict.violation is not None
    assert (judged.status, judged.verdict.violation.code) == ("rejected", "judge_failed")
    assert played(context, table.players[0], table.match.id, "dive").status == "accepted"


def test_the_last_guard_refuses_a_second_entry_at_a_ply(context: Context, table: Round) -> None:
    from sqlalchemy.exc import IntegrityError

    played(context, table.players[0], table.match.id, "dive")
    with pytest.raises(IntegrityError), context.database.write() as connection:
        matches.write_steps(
            connection, [StoredStep(table.match.id, 1, ((1, {"type": "dive"}),), None, {}, None)], context.clock()
        )
    assert lobby.find(context, None, table.match.id).ply == 2


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_whole_match_of_the_toy_ends_with_an_outcome_everybody_hears_of_and_a_record_that_verifies(
    context: Context, seats: int
) -> None:
    table = started(context, "pearls", seats)
    match = played_on(context, table, random.Random(seats))
    assert (match.status, match.finished_at) == ("finished", context.clock())
    assert match.outcome is not None
    assert not any(seat.to_act for seat in match.seats)
    over = notices(context, "match_over")
    assert {notice.player_id for notice in over} == {player.id for player in table.players}
    assert {notice.payload["ply"] for notice in over} == {match.ply}
    proven = verify(match_record(context, None, match.id))
    assert (proven.plies, proven.draws) == (match.ply, 12)
    assert told(match.game, proven.outcome) == match.outcome


def test_a_whole_match_of_oregon_verifies_too(context: Context) -> None:
    table = started(context, "oregon", 2)
    match = played_on(context, table, random.Random("oregon"))
    assert match.status == "finished"
    assert told(match.game, verify(match_record(context, None, match.id)).outcome) == match.outcome
