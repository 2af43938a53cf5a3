"""The one judge: what a seat may do now, and why it may not do the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from engine.games.ozeanien.actions import Action, Explore, Place, PlaceExplorer, Skip, UseDiscarded
from engine.games.ozeanien.apply import at_hand
from engine.games.ozeanien.board import can_place, open_starts, placements
from engine.games.ozeanien.components import VALUES
from engine.games.ozeanien.placing import (
    Problems,
    discarded_problems,
    explorer_problems,
    place_problems,
    start_problems,
)
from engine.games.ozeanien.state import Phase, State, to_act
from engine.games.ozeanien.tiles import KINDS, LAND_NAMES, PARTS, a, sides_of
from engine.types import Seat, Violation


def candidates(state: State, seat: Seat) -> Iterable[Action]:
    """What the seat may do, in canonical order: starts, circles before tiles; placements by space,
    then in quarter turns; explorers by value.
    """
    match state.phase:
        case Phase.SHIP:
            yield from _starts(state)
        case Phase.PLACE if state.ship is not None and state.tile is not None:
            ground = state.table.ground
            for space, land in placements(ground, state.board, state.ship, state.tile):
                yield Place(ground.names[space], LAND_NAMES[land])
        case Phase.EXPLORER:
            parts = PARTS[at_hand(state)]
            left = [value for value, number in zip(VALUES, state.seats[state.seat].explorers, strict=True) if number]
            for value in left:
                yield from (PlaceExplorer(value, sides_of(part)[0] if len(parts) > 1 else None) for part in parts)
            yield Skip()


def _starts(state: State) -> Iterator[Action]:
    ground, me = state.table.ground, state.seats[state.seat]
    found = list(open_starts(ground, state.board))
    yield from (Explore(ground.starts[start]) for start in found)
    if state.table.solo or not any(me.discarded):
        return
    values = [value for value, number in zip(VALUES, me.explorers, strict=True) if number]
    for start in found:
        for kind, number in enumerate(me.discarded):
            if number and can_place(ground, state.board, start, kind):
                yield from (UseDiscarded(ground.starts[start], KINDS[kind], value) for value in values)


def violation(state: State, seat: Seat, action: Action) -> Violation | None:
    """Why the action is refused, the rule that refuses it first in front and every other broken
    rule in ``others``; ``None`` if it is legal.
    """
    if seat not in to_act(state):
        return Violation("not_your_turn", "R3.1", "It is not your turn; wait until you are awaited.")
    problems = _problems(state, action)
    if not problems:
        return None
    return replace(problems[0], others=tuple(problems[1:])) if len(problems) > 1 else problems[0]


def prompt(state: State, seat: Seat) -> str:
    """What the seat is asked, from what everyone knows."""
    match state.phase:
        case Phase.SHIP:
            return "choose a starting point for the ship"
        case Phase.PLACE if state.tile is not None:
            return f"place {a(KINDS[state.tile])}"
        case Phase.EXPLORER:
            return f"put an explorer on {state.table.ground.names[state.last[0]]}, or skip"
        case _:
            return ""


def _problems(state: State, action: Action) -> Problems:
    match action:
        case Explore():
            return _moment(state, Phase.SHIP) or start_problems(state, action.start)
        case UseDiscarded():
            return _moment(state, Phase.SHIP) or discarded_problems(state, action)
        case Place():
            return _moment(state, Phase.PLACE) or place_problems(state, action)
        case PlaceExplorer():
            return _moment(state, Phase.EXPLORER) or explorer_problems(state, action)
        case Skip():
            return _moment(state, Phase.EXPLORER)
        case _:
            return [
                Violation(
                    "chance_only",
                    "R3.3",
                    f"Only chance draws; a seat cannot submit {str(getattr(action, 'type', 'this'))[:20]!r}.",
                )
            ]


def _moment(state: State, wanted: Phase) -> Problems:
    """Why it is not the moment for an action; what breaks other rules is judged once it is."""
    if state.phase is wanted:
        return []
    code, rule, message = _NOT_NOW[state.phase, wanted]
    tile = "" if state.tile is None else a(KINDS[state.tile])
    space = state.table.ground.names[state.last[0]] if state.last else ""
    return [Violation(code, rule, message.format(tile=tile, space=space))]


_NOT_NOW: Final = {
    (Phase.SHIP, Phase.PLACE): (
        "ship_first",
        "R3.2",
        "There is no tile at hand yet: put the ship at a starting point first, and a tile is drawn.",
    ),
    (Phase.SHIP, Phase.EXPLORER): (
        "ship_first",
        "R3.1",
        "An explorer follows a tile you have placed in this turn; put the ship at a starting point first.",
    ),
    (Phase.PLACE, Phase.SHIP): (
        "tile_at_hand",
        "R4.1",
        "The ship has its place and you hold {tile}, which fits: place it.",
    ),
    (Phase.PLACE, Phase.EXPLORER): (
        "tile_at_hand",
        "R6.1",
        "Place {tile} first; an explorer goes on a tile that lies.",
    ),
    (Phase.EXPLORER, Phase.SHIP): (
        "explorer_due",
        "R3.1",
        "Your tile lies on {space}; put an explorer on it, or skip, before the next turn begins.",
    ),
    (Phase.EXPLORER, Phase.PLACE): (
        "tile_placed",
        "R3.1",
        "Your tile lies on {space} already, and there is one in a turn; put an explorer on it, or skip.",
    ),
}
