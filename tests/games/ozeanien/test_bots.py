"""The bot that looks one step ahead, in matches of two seats and of one."""

from __future__ import annotations

from random import Random
from statistics import mean

import pytest

from engine import registry
from engine.bots import greedy, random_action
from engine.games.ozeanien import GAME
from engine.games.ozeanien.components import Options
from engine.games.ozeanien.state import State
from engine.games.ozeanien.tiles import Kind
from engine.play import drawn, legal_actions
from engine.types import CHANCE, Setup
from tests.games.ozeanien.positions import does, position


def played(seats: int, sensible: set[int], seed: int) -> State:
    """The end of a match between bots, those of ``sensible`` seats looking ahead."""
    luck = Random(seed)
    state, ply = GAME.setup(Setup(seats, Options(), registry.components("ozeanien"))), 0
    while awaited := GAME.to_act(state):
        seat = awaited[0]
        if seat == CHANCE:
            action = drawn(GAME, state, ply, lambda _, total: luck.randrange(total))
        else:
            action = greedy(GAME, state, seat) if seat in sensible else random_action(GAME, state, seat, luck.choice)
        state, ply = GAME.apply(state, seat, action), ply + 1
    return state


@pytest.mark.deep
def test_looking_ahead_beats_random_play() -> None:
    """A few matches of every game are played in ``tests/games/test_contract.py``."""
    won = 0
    for seed in range(30):
        scores = GAME.standing(played(2, {seed % 2}, seed))
        if scores[seed % 2] > scores[1 - seed % 2]:
            won += 1
    assert won >= 27


@pytest.mark.parametrize("matches", [3, pytest.param(12, marks=pytest.mark.deep)])
def test_looking_ahead_scores_more_in_a_solo_match(matches: int) -> None:
    assert (
        mean(GAME.standing(played(1, {0}, seed))[0] for seed in range(matches))
        > mean(GAME.standing(played(1, set(), seed))[0] for seed in range(matches)) + 60
    )


def test_a_gain_for_one_seat_is_a_loss_for_the_other() -> None:
    state = position("a:1G a ~\n~ ~ ~\n. . .", discarded=({}, {Kind.SEA: 1}))
    for moment in (
        state,
        does(state, "ship A2"),
        does(state, "ship A2; draw cape"),
        does(state, "ship A2; draw cape; place A3 E"),
    ):
        assert GAME.evaluate(moment, 0) == -GAME.evaluate(moment, 1)


def test_a_whole_list_of_legal_actions_is_valued_by_what_it_leads_to() -> None:
    state = position("a:1G a/E . .\n~ ~ . .\n~ ~ . .", ship="B2", tile=Kind.CAPE)
    assert GAME.format(greedy(GAME, state, 0)) in [GAME.format(action) for action in legal_actions(GAME, state, 0)]
    over = does(position("a:1G a ~\n~ ~ ~\n. . ~", ship="A2", tile=Kind.SEA, seat=1), "place A3")
    assert GAME.evaluate(over, over.seat) == -2
