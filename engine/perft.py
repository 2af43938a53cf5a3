"""Counts the sequences of entries that the rules allow from a position, as chess programs do: two
independent lists of legal actions with equal counts (*performance test*) are very likely correct.

A sequence has ``depth`` entries: actions of any seat that may act, in any order, or outcomes of
chance, once each. One that ends the match before does not count; with ``depth`` 0 there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from engine.game import AnyGame
from engine.play import legal_actions
from engine.types import CHANCE, Seat

Lister: TypeAlias = Callable[[AnyGame, Any, Seat], Sequence[Any]]
"""A function that lists the legal actions of an awaited seat, each effect once."""


def perft(game: AnyGame, state: Any, depth: int, legal: Lister = legal_actions) -> int:
    """The number of sequences of ``depth`` entries that may follow the state."""
    if depth == 0:
        return 1
    found = [(seat, actions_of(game, state, seat, legal)) for seat in game.to_act(state)]
    if depth == 1:
        return sum(len(actions) for _, actions in found)
    return sum(
        perft(game, game.apply(state, seat, action), depth - 1, legal) for seat, actions in found for action in actions
    )


def actions_of(game: AnyGame, state: Any, seat: Seat, legal: Lister = legal_actions) -> Sequence[Any]:
    """The actions that the seat may do, or the outcomes of chance."""
    return [action for action, _ in game.outcomes(state)] if seat == CHANCE else legal(game, state, seat)
