"""The example of a turn in a mail: legal, numbered as the full list is, and accepted whatever is
drawn.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pytest

from engine import registry
from engine.game import AnyGame
from engine.play import adjudicate, begin, legal_actions, replay
from engine.types import CHANCE, Setup
from service.notices.seat_view import Example, example
from tests.service.notices.pearls import GAME, dive, setup, toy


def found(game: AnyGame, state: Any, seat: int) -> Example:
    return example(game, state, seat, legal_actions(game, state, seat))


def test_the_example_has_the_number_of_its_first_action_in_the_full_list() -> None:
    state = replay(GAME, setup(), (*dive(0, 3), *dive(1, 2)))
    assert found(GAME, state, 0) == Example(2, ("offer 3",))


@dataclass(frozen=True, slots=True)
class Wait:
    """An action of which there are many."""

    type: ClassVar[str] = "wait"
    days: int


def many_moves() -> Any:
    """Pearls, where a seat may also wait for up to 99 days before it dives."""

    def candidates(state: Any, seat: int) -> Any:
        return (*(Wait(days) for days in range(1, 100)), toy.Dive())

    return replace(
        GAME,
        actions=(*GAME.actions, Wait),
        candidates=candidates,
        problems=lambda state, seat, action: (),
        apply=lambda state, seat, action: state if isinstance(action, Wait) else GAME.apply(state, seat, action),
        format=lambda action: f"wait {action.days}" if isinstance(action, Wait) else GAME.format(action),
    )


def test_of_many_actions_the_example_is_one_after_which_the_turn_ends() -> None:
    game = many_moves()
    state = game.setup(setup())
    made = found(game, state, 0)
    assert (made.number, made.lines) == (100, ("dive",))
    assert game.format(legal_actions(game, state, 0)[made.number - 1]) == made.lines[0]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_example_is_a_whole_turn_of_oregon(seats: int) -> None:
    game, luck = registry.game("oregon"), random.Random(seats)

    def draw(ply: int, total: int) -> int:
        return luck.randrange(total)

    state, log = begin(game, Setup(seats, game.options(), registry.components("oregon")), draw)
    ply = len(log)
    while awaited := game.to_act(state):
        seat = awaited[0]
        actions = [action for line in found(game, state, seat).lines for action in game.parse(line)]
        judgement = adjudicate(game, state, ply, seat, actions, draw)
        assert judgement.violation is None
        assert game.to_act(judgement.state) != (seat,)
        state, ply = judgement.state, ply + len(judgement.entries)


@pytest.mark.parametrize("seed", range(20))
def test_the_example_is_accepted_whatever_is_drawn(seed: int) -> None:
    luck = random.Random(seed)
    state, ply = GAME.setup(setup()), 0
    while awaited := GAME.to_act(state):
        seat = awaited[0]
        lines = found(GAME, state, seat).lines
        actions = [action for line in lines for action in GAME.parse(line)]
        judgement = adjudicate(GAME, state, ply, seat, actions, lambda ply, total: luck.randrange(total))
        assert judgement.violation is None
        action = luck.choice(legal_actions(GAME, state, seat))
        judgement = adjudicate(GAME, state, ply, seat, [action], lambda ply, total: luck.randrange(total))
        state, ply = judgement.state, ply + len(judgement.entries)
        assert GAME.to_act(state) != (CHANCE,)
