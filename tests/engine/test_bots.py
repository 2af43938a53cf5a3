"""Bots that need nothing but the contract."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from engine.bots import greedy, planned, random_action, substitute
from engine.draws import drawing
from engine.game import AnyGame
from engine.play import legal_actions
from engine.types import CHANCE, Setup
from tests.engine.matches import SECRET, play
from tests.engine.toy import BAG, GAME, Answer, Dive, Offer, Options, start

FRESH = start(Setup(2, Options(), BAG))


def test_a_random_player_picks_among_the_legal_actions() -> None:
    state = replace(FRESH, hands=((1, 3), ()))
    picked = {random_action(GAME, state, 0, Random(seed).choice) for seed in range(40)}
    assert picked == {Dive(), Offer(1), Offer(3)}


def test_a_greedy_player_takes_what_is_worth_most() -> None:
    state = replace(FRESH, hands=((3,), ()), offered=3)
    assert greedy(GAME, state, 1) == Answer(True)


def test_a_greedy_player_takes_the_first_of_equals() -> None:
    indifferent = replace(GAME, evaluate=lambda state, seat: 0.0)
    assert greedy(indifferent, replace(FRESH, hands=((1, 3), ())), 0) == Dive()


def test_a_greedy_player_values_the_state_before_the_draw() -> None:
    valued = []

    def evaluate(state: object, seat: int) -> float:
        valued.append(GAME.to_act(state))  # type: ignore[arg-type]
        return 0.0

    greedy(replace(GAME, evaluate=evaluate), FRESH, 0)
    assert valued == [(CHANCE,)]


def test_a_greedy_player_uses_no_hidden_information() -> None:
    one = replace(FRESH, hands=((1, 2), (3,)), bag=(3, 3, 3))
    other = replace(FRESH, hands=((1, 2), (1,)), bag=(2, 3, 4))
    assert greedy(GAME, one, 0) == greedy(GAME, other, 0)


def adding(worth: dict[tuple[int, ...], float]) -> AnyGame:
    """A game in which seat 0 adds 1 or 2 up to three times in its turn, and stops with 0."""
    plain: AnyGame = GAME
    return replace(
        plain,
        to_act=lambda state: () if state and (state[-1] == 0 or len(state) == 3) else (0,),
        candidates=lambda state, seat: (0, 1, 2),
        problems=lambda state, seat, action: (),
        apply=lambda state, seat, action: (*state, action),
        evaluate=lambda state, seat: worth.get(state, 0.0),
    )


def test_a_planning_player_looks_to_the_end_of_its_turn() -> None:
    game = adding({(1,): 5.0, (2, 1): 1.0, (2, 1, 0): 9.0})
    assert greedy(game, (), 0) == 1
    assert planned(game, (), 0) == (2, 1, 0)


def test_a_planning_player_compares_finished_turns_only() -> None:
    assert planned(adding({(1,): 5.0, (2, 0): 1.0}), (), 0) == (2, 0)


def test_a_planning_player_extends_the_best_beginnings_only() -> None:
    game = adding({(1,): 5.0, (2, 1, 0): 9.0, (1, 2): 4.0, (1, 2, 0): 6.0})
    assert planned(game, (), 0, width=1) == (1, 2, 0)


def test_a_planning_player_stops_after_so_many_positions() -> None:
    looked_at = []

    def evaluate(state: object, seat: int) -> float:
        looked_at.append(state)
        return 0.0

    planned(replace(adding({}), evaluate=evaluate), (), 0, positions=4)
    assert len(looked_at) < 3 + 2 * 3 + 2 * 2 * 3
    assert planned(adding({}), (), 0, positions=1) == (0,)


def test_a_planning_player_takes_the_first_of_equals_and_ends_at_a_draw() -> None:
    indifferent = replace(GAME, evaluate=lambda state, seat: 0.0)
    assert planned(indifferent, replace(FRESH, hands=((1, 3), ())), 0) == (Dive(),)


def first_of_all(game: AnyGame, state: object, seat: int) -> object:
    return random_action(game, state, seat, lambda some: some[0])


@pytest.mark.parametrize("player", [greedy, planned, substitute, first_of_all])
def test_a_bot_raises_for_a_seat_that_is_not_awaited(player: object) -> None:
    with pytest.raises(ValueError, match="seat 1 has nothing to do"):
        player(GAME, FRESH, 1)  # type: ignore[operator]


def test_the_bot_plays_something_legal_wherever_a_seat_is_awaited() -> None:
    for seats in GAME.info.seats:
        _, states = play(GAME, Setup(seats, Options(), BAG), drawing(SECRET, "m", "", ()), "house")
        for state in states:
            for seat in GAME.to_act(state):
                if seat != CHANCE:
                    assert substitute(GAME, state, seat) in legal_actions(GAME, state, seat)
