"""Resigning: with two seats left the other wins, with more a bot plays on, and the record
proves it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from engine import registry
from engine.bots import substitute
from engine.record import Resignation, verify
from service.clocks.recorded import verify_clocks
from service.context import Context
from service.errors import Conflict, Forbidden
from service.matches import lobby
from service.matches.types import SeatRequest
from service.sandbox import Trial, TrialFailed
from service.turns.submit import submit
from service.turns.trials import legal_actions
from service.views.record import match_record
from tests.engine.matches import told
from tests.service.fakes import later, log_of, notices, person, played, played_on, started, state_of

pytestmark = pytest.mark.usefixtures("pearls")


def test_giving_up_a_match_of_two_loses_it_with_the_current_scores(context: Context) -> None:
    table = started(context, "pearls")
    played(context, table.players[0], table.match.id, "dive")
    match = lobby.resign(context, table.players[0], table.match.id)
    assert (match.status, match.finished_at, match.ply) == ("finished", context.clock(), 2)
    assert match.outcome is not None
    assert (match.outcome.scores, match.outcome.ranks, match.outcome.winners) == ((1, 0), (2, 1), (1,))
    assert match.seats[0].resigned_at == context.clock()
    assert not any(seat.to_act for seat in match.seats)
    assert {notice.player_id for notice in notices(context, "match_over")} == {player.id for player in table.players}


def test_the_record_of_a_match_that_was_given_up_verifies(context: Context) -> None:
    table = started(context, "oregon")
    lobby.resign(context, table.players[1], table.match.id)
    record = match_record(context, None, table.match.id)
    assert record.resignations == (Resignation(1, 10),)
    outcome = verify(record).outcome
    assert outcome is not None
    assert outcome.ranks == (1, 2)


@pytest.mark.parametrize("clock", ["none", "brisk"])
@pytest.mark.parametrize("seconds", [0, -5])
def test_the_record_has_the_order_of_who_resigned_whatever_the_clocks_of_machines_say(
    context: Context, clock: str, seconds: int
) -> None:
    table = started(context, "pearls", 3, clock=clock)
    for seat in (2, 1):
        lobby.resign(context, table.players[seat], table.match.id)
        later(context, seconds=seconds)
    record = match_record(context, None, table.match.id)
    assert [each.seat for each in record.resignations] == [2, 1]
    verify(record)
    verify_clocks(record)


def test_the_bot_plays_at_once_for_a_seat_that_resigns_while_it_is_awaited(context: Context) -> None:
    table = started(context, "pearls", 3)
    expected = substitute(registry.game("pearls"), state_of(context, table.match.id), 0)
    match = lobby.resign(context, table.players[0], table.match.id)
    log = log_of(context, table.match.id)
    assert (log[0].seat, log[0].action) == (0, expected)
    assert (match.status, match.ply, [seat.to_act for seat in match.seats]) == ("running", 2, [False, True, False])
    assert [notice.player_id for notice in notices(context, "your_turn")].count(table.players[1].id) == 1


def test_the_bot_plays_within_the_turn_that_makes_a_resigned_seat_due(context: Context) -> None:
    table = started(context, "pearls", 3)
    match = lobby.resign(context, table.players[1], table.match.id)
    assert match.ply == 0
    turn = played(context, table.players[0], table.match.id, "dive")
    assert turn.verdict is not None
    assert [entry.seat for entry in log_of(context, table.match.id)] == [0, -1, 1, -1]
    assert (turn.verdict.accepted, turn.verdict.ply_after) == (1, 4)
    assert turn.verdict.entries[2:] == ("Bela dives.", "Bela draws a pearl.")
    assert [seat.to_act for seat in lobby.find(context, None, table.match.id).seats] == [False, False, True]
    assert not [notice for notice in notices(context, "your_turn") if notice.player_id == table.players[1].id]


@pytest.mark.parametrize("game", ["pearls", "oregon"])
def test_a_match_in_which_a_bot_plays_on_ends_by_its_rules_and_verifies(context: Context, game: str) -> None:
    table = started(context, game, 3)
    played_on(context, table, random.Random(1), plies=20)
    at = lobby.find(context, None, table.match.id).ply
    lobby.resign(context, table.players[2], table.match.id)
    match = played_on(context, table, random.Random(2))
    record = match_record(context, None, match.id)
    assert record.resignations == (Resignation(2, at),)
    assert told(match.game, verify(record).outcome) == match.outcome


def test_the_last_but_one_to_resign_ends_the_match(context: Context) -> None:
    table = started(context, "pearls", 3)
    lobby.resign(context, table.players[2], table.match.id)
    played(context, table.players[0], table.match.id, "dive")
    match = lobby.resign(context, table.players[0], table.match.id)
    assert match.outcome is not None
    assert (match.status, match.outcome.winners) == ("finished", (1,))
    record = match_record(context, None, match.id)
    assert [resignation.seat for resignation in record.resignations] == [2, 0]
    verify(record)


@dataclass
class Meanwhile:
    """A sandbox; before its first answer comes, others do something."""

    others: list[Callable[[], object]]

    def run(self, context: Any, function: Any, trial: Trial) -> Any:
        result = function(context, trial)
        while self.others:
            self.others.pop()()
        return result

    def close(self) -> None: ...


def test_a_resignation_is_worked_out_again_where_the_match_has_moved_meanwhile(context: Context) -> None:
    table = started(context, "pearls", 3)
    meanwhile = Meanwhile([lambda: played(context, table.players[0], table.match.id, "dive")])
    match = lobby.resign(replace(context, sandbox=meanwhile), table.players[1], table.match.id)
    assert (match.ply, [seat.to_act for seat in match.seats]) == (4, [False, False, True])
    assert [entry.seat for entry in log_of(context, match.id)] == [0, -1, 1, -1]
    assert match.seats[1].resigned_at is not None


def test_where_what_follows_cannot_be_worked_out_nobody_has_resigned(context: Context) -> None:
    def fail() -> None:
        raise TrialFailed("It cannot be worked out.", 10)

    table = started(context, "pearls", 3)
    with pytest.raises(TrialFailed):
        lobby.resign(replace(context, sandbox=Meanwhile([fail])), table.players[0], table.match.id)
    match = lobby.find(context, None, table.match.id)
    assert (match.ply, match.seats[0].resigned_at, match.seats[0].to_act) == (0, None, True)


def test_resigning_again_changes_nothing(context: Context) -> None:
    table = started(context, "pearls", 3)
    once = lobby.resign(context, table.players[0], table.match.id)
    assert lobby.resign(context, table.players[0], table.match.id) == once


def test_a_player_who_has_resigned_takes_no_more_turns_and_is_shown_none(context: Context) -> None:
    table = started(context, "pearls", 3)
    match = lobby.resign(context, table.players[0], table.match.id)
    with pytest.raises(Conflict) as refused:
        submit(context, table.players[0], match.id, None, match.ply, notation="dive")
    assert refused.value.code == "resigned"
    assert legal_actions(context, table.players[0], match.id).items == ()


def test_only_a_player_with_a_seat_in_a_running_match_can_resign(context: Context) -> None:
    ada = person(context, "Cleo")
    match = lobby.create(context, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("open")])
    with pytest.raises(Conflict) as refused:
        lobby.resign(context, ada, match.id)
    assert refused.value.code == "match_not_started"
    with pytest.raises(Forbidden):
        lobby.resign(context, person(context, "Eve"), match.id)
