"""Bots that need nothing but the contract: one that plays at random, one that looks one step
ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.game import AnyGame
from engine.play import legal_actions
from engine.types import Seat


def random_action(game: AnyGame, state: Any, seat: Seat, choose: Callable[[Sequence[Any]], Any]) -> Any:
    """One of the legal actions, picked by ``choose`` (``random.Random(seed).choice`` will do).

    Raises ``ValueError`` if the seat is not awaited.
    """
    return choose(_choices(game, state, seat))


def greedy(game: AnyGame, state: Any, seat: Seat) -> Any:
    """The legal action behind which ``game.evaluate`` is highest; the first of equals.

    Raises ``ValueError`` if the seat is not awaited.

    Where chance follows an action, the state is valued as it stands before the draw. ``evaluate``
    counts only what the seat may know, so the choice depends on nothing hidden. It draws no luck:
    the same position always gets the same action.
    """
    return best_of(game, state, seat, _choices(game, state, seat))


def best_of(game: AnyGame, state: Any, seat: Seat, actions: Sequence[Any]) -> Any:
    """The action that ``greedy`` chooses among ``actions``, which are legal and not empty."""
    best, most = None, float("-inf")
    for action in actions:
        worth = game.evaluate(game.apply(state, seat, action), seat)
        if best is None or worth > most:
            best, most = action, worth
    return best


substitute = greedy
"""The bot that plays for a seat that has resigned: ``(game, state, seat)`` to action."""


def _choices(game: AnyGame, state: Any, seat: Seat) -> tuple[Any, ...]:
    actions = legal_actions(game, state, seat)
    if not actions:
        raise ValueError(f"seat {seat} has nothing to do in this state of {game.info.title}")
    return actions
