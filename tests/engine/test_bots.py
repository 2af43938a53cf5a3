"""Bots that need nothing but the contract."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from engine.bots import greedy, random_action, substitute
from engine.draws import NEWEST, drawing
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


@pytest.mark.parametrize(
    "player", [greedy, substitute, lambda game, state, seat: random_action(game, state, seat, lambda some: some[0])]
)
def test_a_bot_raises_for_a_seat_that_is_not_awaited(player: object) -> None:
    with pytest.raises(ValueError, match="seat 1 has nothing to do"):
        player(GAME, FRESH, 1)  # type: ignore[operator]


def test_the_bot_plays_something_legal_wherever_a_seat_is_awaited() -> None:
    for seats in GAME.info.seats:
        _, states = play(GAME, Setup(seats, Options(), BAG), drawing(NEWEST, SECRET, "m", "", ()), "house")
        for state in states:
            for seat in GAME.to_act(state):
                if seat != CHANCE:
                    assert substitute(GAME, state, seat) in legal_actions(GAME, state, seat)
