"""The levels of the bots that have seats of their own."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from engine import registry
from engine.bots import FEW, LEVELS, Level, chosen
from engine.documents import from_document
from engine.draws import drawing
from engine.game import AnyGame
from engine.play import legal_actions, settle
from engine.registry import STANDARD
from engine.types import Setup

NAMES = registry.games()


def never(below: int) -> int:
    raise AssertionError("a fair bot draws no lots")


def counted(game: AnyGame) -> tuple[AnyGame, list[object]]:
    """The game, and the positions that are valued in it."""
    valued: list[object] = []

    def evaluate(state: object, seat: int) -> float:
        valued.append(state)
        return game.evaluate(state, seat)

    return replace(game, evaluate=evaluate), valued


def dealt(game: AnyGame, seats: int) -> object:
    setup = Setup(seats, from_document(game.options, {}, "/options"), registry.components(game.info.name, STANDARD))
    draw = drawing(bytes(32), "match", "0" * 64, ["a" * 8] * seats)
    return settle(game, game.setup(setup), 0, draw)[0]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("positions", [1, 3, 40])
def test_a_bot_looks_at_no_more_positions_than_it_may(name: str, level: Level, positions: int) -> None:
    game, valued = counted(registry.game(name))
    state = dealt(game, game.info.seats[0])
    seat = game.to_act(state)[0]
    actions = chosen(level, game, state, seat, Random(1).randrange, positions)
    assert 1 <= len(valued) <= positions
    for action in actions:
        assert action in legal_actions(game, state, seat)
        state = game.apply(state, seat, action)


@pytest.mark.parametrize("name", NAMES)
def test_an_easy_bot_weighs_a_few_actions_of_those_that_the_lots_pick(name: str) -> None:
    game, valued = counted(registry.game(name))
    state = dealt(game, game.info.seats[0])
    seat = game.to_act(state)[0]
    first = chosen("easy", game, state, seat, Random(1).randrange, FEW)
    assert len(valued) <= FEW
    assert first == chosen("easy", game, state, seat, Random(1).randrange, FEW)
    others = {chosen("easy", game, state, seat, Random(luck).randrange, FEW)[0] for luck in range(40)}
    assert len(others) > 1


@pytest.mark.parametrize("name", NAMES)
def test_a_fair_bot_draws_no_lots(name: str) -> None:
    game = registry.game(name)
    state = dealt(game, game.info.seats[0])
    seat = game.to_act(state)[0]
    assert chosen("fair", game, state, seat, never, 40) == chosen("fair", game, state, seat, never, 40)
