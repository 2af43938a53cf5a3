"""An example of a turn for a mail: a legal action with its number in the full list, extended to a
whole turn.

It is not advice: it begins with one of the actions after which the turn ends soonest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.game import AnyGame
from engine.play import judge, legal_actions
from engine.types import CHANCE, Seat

MOST_TRIED: Final = 8
LONGEST_TURN: Final = 12
WORLDS: Final = 64


@dataclass(frozen=True, slots=True)
class Example:
    """``lines`` of notation that form a legal turn; ``number`` is that of the first of them in the
    list of all legal actions, counted from 1.
    """

    number: int
    lines: tuple[str, ...]


def example(game: AnyGame, state: Any, seat: Seat, actions: Sequence[Any]) -> Example:
    """A turn of an awaited seat that begins with one of ``actions``, all that are legal."""
    chosen = min(_spread(actions), key=lambda index: _way_left(game, game.apply(state, seat, actions[index]), seat))
    turn = _whole_turn(game, state, seat, actions[chosen])
    return Example(chosen + 1, tuple(game.format(action) for action in turn))


def _spread(actions: Sequence[Any]) -> list[int]:
    """Indices of some actions: the first of every type, then evenly over the list."""
    total = len(actions)
    if total <= MOST_TRIED:
        return list(range(total))
    chosen = {
        next(index for index, action in enumerate(actions) if type(action) is kind)
        for kind in dict.fromkeys(map(type, actions))
    }
    evenly = (part * total // MOST_TRIED + total // (2 * MOST_TRIED) for part in range(MOST_TRIED))
    for index in (*evenly, *range(total)):
        if len(chosen) >= MOST_TRIED:
            break
        chosen.add(index)
    return sorted(chosen)


def _whole_turn(game: AnyGame, state: Any, seat: Seat, first: Any) -> list[Any]:
    """The action and what may follow it whatever is drawn, up to the end of the turn.

    After a draw it considers every outcome, without knowing the real one, and keeps to actions that
    are legal in all of them. It takes the shortest way: an action that ends the turn, else one that
    draws.
    """
    turn = [first]
    worlds = _settled(game, [game.apply(state, seat, first)])
    while len(turn) < LONGEST_TURN and all(seat in game.to_act(world) for world in worlds):
        always = [
            action
            for action in legal_actions(game, worlds[0], seat)
            if all(judge(game, world, seat, action) is None for world in worlds[1:])
        ]
        if not always:
            break
        action = min(always, key=lambda action: _way_left(game, game.apply(worlds[0], seat, action), seat))
        turn.append(action)
        worlds = _settled(game, [game.apply(world, seat, action) for world in worlds])
    return turn


def _way_left(game: AnyGame, state: Any, seat: Seat) -> int:
    awaited = game.to_act(state)
    if awaited == (CHANCE,):
        return 1
    return 2 if seat in awaited else 0


def _settled(game: AnyGame, worlds: list[Any]) -> list[Any]:
    """The states after all draws that are due, at most ``WORLDS`` of them."""
    while any(game.to_act(world) == (CHANCE,) for world in worlds):
        branched = []
        for world in worlds:
            if game.to_act(world) == (CHANCE,):
                branched += [game.apply(world, CHANCE, action) for action, _ in game.outcomes(world)]
            else:
                branched.append(world)
        worlds = branched[:WORLDS]
    return worlds
