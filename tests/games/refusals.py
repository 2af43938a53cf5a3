"""The checks of the table of refusals of every game."""

from __future__ import annotations

from typing import Any

from engine.game import AnyGame
from engine.play import judge


def sentences(game: AnyGame, state: Any, action: Any, code: str) -> list[str]:
    """The sentences with that code of the refusal of an action, or of a line of notation, of the
    seat that is awaited.
    """
    if isinstance(action, str):
        (action,) = game.parse(action)
    (seat,) = game.to_act(state)
    refusal = judge(game, state, seat, action)
    assert refusal is not None, f"{action} is legal"
    return [each.message for each in (refusal, *refusal.others) if each.code == code]
