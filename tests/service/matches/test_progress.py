"""How a match moves on while a bot plays for seats that have resigned."""

from __future__ import annotations

from engine.play import begin
from engine.types import Setup
from service.matches.progress import Step, with_substitutes
from tests.engine import sealed


def first(ply: int, total: int) -> int:
    return 0


def test_the_bot_acts_for_every_awaited_seat_that_has_resigned_and_for_no_other() -> None:
    game = sealed.GAME
    setup = Setup(4, game.options(), game.load_components(sealed.COMPONENTS))
    state, _ = begin(game, setup, first)
    step = with_substitutes(game, Step((), (state,)), 1, {1, 3}, first)
    assert [entry.seat for entry in step.entries] == [1, 3]
    assert game.to_act(step.state) == (0, 2)
