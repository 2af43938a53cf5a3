"""Some legal actions for a mail, with their numbers in the full list, and one of them extended to a
whole turn.

They are not advice: they are spread over the list, so that every kind of action appears.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from engine.game import AnyGame
from engine.play import judge, legal_actions
from engine.types import CHANCE, Seat

MOST_SHOWN: Final = 8
LONGEST_TURN: Final = 12
WORLDS: Final = 64


@dataclass(frozen=True, slots=True)
class Move:
    """A legal action; ``number`` counts from 1 in the list of all legal actions."""

    number: int
    notation: str


@dataclass(frozen=True, slots=True)
class Suggestions:
    """``some`` of ``total`` legal actions, and ``example``: lines of notation that form a legal
    turn.
    """

    total: int
    some: tuple[Move, ...]
    example: tuple[str, ...]


def suggest(game: AnyGame, state: Any, seat: Seat) -> Suggestions:
    """A selection of the legal actions of an awaited seat, and a whole turn."""
    actions = legal_actions(game, state, seat)
    chosen = _spread(actions)
    return Suggestions(
        total=len(actions),
        some=tuple(Move(index + 1, game.format(actions[index])) for index in chosen),
        example=tuple(
            game.format(action) for action in _example(game, state, seat, [actions[index] for index in chosen])
        ),
    )


def _spread(actions: tuple[Any, ...]) -> list[int]:
    """Indices of the selection: the first of every type, then evenly over the list."""
    total = len(actions)
    if total <= MOST_SHOWN:
        return list(range(total))
    chosen = {
        next(index for index, action in enumerate(actions) if type(action) is kind)
        for kind in dict.fromkeys(map(type, actions))
    }
    evenly = (part * total // MOST_SHOWN + total // (2 * MOST_SHOWN) for part in range(MOST_SHOWN))
    for index in (*evenly, *range(total)):
        if len(chosen) >= MOST_SHOWN:
            break
        chosen.add(index)
    return sorted(chosen)


def _example(game: AnyGame, state: Any, seat: Seat, actions: list[Any]) -> list[Any]:
    """A turn that begins with the first of those actions after which the turn ends soonest."""
    return (
        _whole_turn(
            game, state, seat, min(actions, key=lambda action: _way_left(game, game.apply(state, seat, action), seat))
        )
        if actions
        else []
    )


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
