"""Bots for any game that implements the contract: a random one, and one that looks one action
ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.game import AnyGame
from engine.play import legal_actions
from engine.types import Seat


def random_action(game: AnyGame, state: Any, seat: Seat, choose: Callable[[Sequence[Any]], Any]) -> Any:
    """One of the legal actions, picked by ``choose``, for instance ``random.Random(seed).choice``.

    Raises ``ValueError`` if the seat is not awaited.
    """
    return choose(_choices(game, state, seat))


def greedy(game: AnyGame, state: Any, seat: Seat) -> Any:
    """The legal action after which ``game.evaluate`` is highest; of equal ones the first.

    Raises ``ValueError`` if the seat is not awaited.

    If a draw follows an action, the state before the draw is evaluated. ``evaluate`` uses only what
    the seat may know, so the choice depends on nothing hidden. The choice is deterministic: the
    same position always gives the same action.
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
"""The bot that plays for a seat that has resigned: takes game, state and seat, gives an action."""


def _choices(game: AnyGame, state: Any, seat: Seat) -> tuple[Any, ...]:
    actions = legal_actions(game, state, seat)
    if not actions:
        raise ValueError(f"seat {seat} has nothing to do in this state of {game.info.title}")
    return actions
