"""Random matches, from a seed, for tests that look at every position on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from engine.games.oregon import GAME
from engine.games.oregon.actions import Action, DrawCard
from engine.games.oregon.components import Options
from engine.games.oregon.state import State
from engine.play import legal_actions
from engine.types import CHANCE, Seat, Setup
from tests.games.oregon.positions import STANDARD


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of a log with the positions around it."""

    before: State
    seat: Seat
    action: Action
    after: State


def playout(seed: int, seats: int, options: Options | None = None) -> Iterator[Step]:
    """A match in which every seat plays at random; cards are drawn in proportion to what the decks
    held at first, so that farmers come in.
    """
    random = Random(seed)
    state: State = GAME.setup(Setup(seats, options or Options(), STANDARD))
    while awaited := GAME.to_act(state):
        (seat,) = awaited
        if seat == CHANCE:
            actions, weights = zip(*GAME.outcomes(state), strict=True)
            action = random.choices(actions, weights)[0]
        else:
            action = _choice(random, legal_actions(GAME, state, seat))
        after = GAME.apply(state, seat, action)
        yield Step(state, seat, action, after)
        state = after


def _choice(random: Random, actions: tuple[Action, ...]) -> Action:
    draws = [action for action in actions if isinstance(action, DrawCard)]
    if len(draws) == 2 and random.random() < 0.8:
        return random.choices(draws, (5, 2))[0]
    return random.choice(actions)
