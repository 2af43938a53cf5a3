"""The sensible player beats the random one, in every game and by a wide margin: it is what
simulations and resigned seats rely on.
"""

from __future__ import annotations

from random import Random

import pytest

from engine import registry
from engine.bots import greedy, random_action
from engine.game import AnyGame
from engine.play import drawn
from engine.types import CHANCE, Outcome, Setup

MATCHES, WINS = 100, 90


@pytest.mark.parametrize("name", [name for name, game in registry.games().items() if 2 in game.info.seats])
def test_one_step_of_looking_ahead_beats_chance_in_90_of_100_matches(name: str) -> None:
    """The two change seats from match to match; a shared victory is none."""
    game = registry.game(name)
    won = lost = 0
    while won < WINS and lost <= MATCHES - WINS:  # what is left of the matches cannot change the answer
        number = won + lost
        sole = played(game, f"{name}-{number}", number % 2).winners == (number % 2,)
        won, lost = won + sole, lost + (not sole)
    assert won >= WINS, f"{won} won and {lost} not, of {MATCHES}"


def played(game: AnyGame, seed: str, sensible: int) -> Outcome:
    """A match in which one seat looks ahead and the other does anything legal."""
    luck = Random(seed)
    state = game.setup(Setup(2, game.options(), registry.components(game.info.name)))
    ply = 0
    while awaited := game.to_act(state):
        seat = awaited[0]
        if seat == CHANCE:
            action = drawn(game, state, ply, lambda _, total: luck.randrange(total))
        elif seat == sensible:
            action = greedy(game, state, seat)
        else:
            action = random_action(game, state, seat, luck.choice)
        state, ply = game.apply(state, seat, action), ply + 1
    outcome = game.outcome(state)
    assert outcome is not None
    return outcome
