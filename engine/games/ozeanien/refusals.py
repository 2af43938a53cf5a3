"""Every rule that an action breaks, in the order in which a player should correct them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from engine.games.ozeanien.actions import Action, Explore, Place, PlaceExplorer, Skip, UseDiscarded
from engine.games.ozeanien.apply import at_hand
from engine.games.ozeanien.board import FRAME, UNEXPLORED, can_place, demanded, fits, open_starts, placements, reach
from engine.games.ozeanien.components import VALUES
from engine.games.ozeanien.state import Phase, SeatState, State
from engine.games.ozeanien.tiles import EDGES, KIND_INDEX, KIND_OF, KINDS, LAND_NAMES, LANDS, PARTS, SIDES, sides_of
from engine.types import Problem, Seat

Values: TypeAlias = Mapping[str, Any]
_MOST_NAMED: Final = 6


def problems(state: State, seat: Seat, action: Action) -> Iterator[Problem]:
    """Every rule that the action breaks; in another phase than its own, only that."""
    match action:
        case Explore(start):
            yield from _moment(state, Phase.SHIP, "start") or _start_problems(state, start)
        case UseDiscarded():
            yield from _moment(state, Phase.SHIP, "start") or _discarded_problems(state, action)
        case Place():
            yield from _moment(state, Phase.PLACE, "place") or _place_problems(state, action)
        case PlaceExplorer():
            yield from _moment(state, Phase.EXPLORER, "explorer") or _explorer_problems(state, action)
        case Skip():
            yield from _moment(state, Phase.EXPLORER, "explorer")


_NOT_NOW: Final = {
    (Phase.SHIP, Phase.PLACE): ("ship_first", "R3.2"),
    (Phase.SHIP, Phase.EXPLORER): ("ship_first", "R3.1"),
    (Phase.PLACE, Phase.SHIP): ("tile_at_hand", "R4.1"),
    (Phase.PLACE, Phase.EXPLORER): ("tile_at_hand", "R6.1"),
    (Phase.EXPLORER, Phase.SHIP): ("explorer_due", "R3.1"),
    (Phase.EXPLORER, Phase.PLACE): ("tile_placed", "R3.1"),
}
"""Code and rule of the problem by the current phase and the phase that the action needs."""


def _moment(state: State, wanted: Phase, wish: str) -> list[Problem]:
    if state.phase is wanted:
        return []
    code, rule = _NOT_NOW[state.phase, wanted]
    tile = None if state.tile is None else KINDS[state.tile].value
    space = state.table.ground.names[state.last[0]] if state.last else None
    return [Problem(code, rule, {"wish": wish, "tile": tile, "space": space})]


def _start_problems(state: State, start: str) -> Iterator[Problem]:
    """R3.2: the ship starts at an open circle, or at an explored tile with a route from it."""
    ground = state.table.ground
    number = ground.start_index.get(start)
    if number is None:
        circles = sorted({name.split()[0] for name in ground.starts[len(ground.names) :]})
        values = {"start": start[:20], "columns": ground.columns, "rows": ground.rows, "circles": circles}
        yield Problem("no_such_start", "R1.4", values)
    elif not reach(ground, state.board, number):
        found = {"start": start, "open": _some([ground.starts[each] for each in open_starts(ground, state.board)])}
        if number >= len(ground.names):
            space = ground.names[ground.circles[number - len(ground.names)]]
            yield Problem("circle_closed", "R3.2", {"space": space, **found})
        else:
            yield Problem("start_unexplored" if state.board[number] == UNEXPLORED else "no_route", "R3.2", found)


def _discarded_problems(state: State, action: UseDiscarded) -> Iterator[Problem]:
    """R3.4, R3.5: a discarded tile costs an explorer and has to fit somewhere."""
    if state.table.solo:
        yield Problem("no_discards_alone", "R9.2")
        return
    me, ground, kind = state.seats[state.seat], state.table.ground, KIND_INDEX[action.tile]
    sound = True
    for problem in _start_problems(state, action.start):
        sound = False
        yield problem
    if not me.discarded[kind]:
        sound = False
        held = [each.value for each, number in zip(KINDS, me.discarded, strict=True) if number]
        yield Problem("tile_not_discarded", "R3.4", {"tile": action.tile.value, "held": held})
    for problem in _value_problems(me, action.explorer, "R3.4"):
        sound = False
        yield problem
    if sound and not can_place(ground, state.board, ground.start_index[action.start], kind):
        reached = [ground.names[space] for space in reach(ground, state.board, ground.start_index[action.start])]
        values = {"tile": action.tile.value, "start": action.start, "reached": reached}
        yield Problem("tile_does_not_fit", "R3.5", values)


def _value_problems(me: SeatState, value: int, rule: str) -> Iterator[Problem]:
    left = [each for each, number in zip(VALUES, me.explorers, strict=True) if number]
    if value not in left:
        yield Problem("explorer_not_left", rule, {"value": value, "left": left})


def _place_problems(state: State, action: Place) -> Iterator[Problem]:
    """R4.1, R4.2: the space of the tile at hand has to be in reach, and its edges have to match."""
    ground, board, kind, ship = state.table.ground, state.board, state.tile, state.ship
    assert kind is not None
    assert ship is not None
    space, land, tile = ground.index.get(action.space), LANDS.get(action.land), KINDS[kind].value
    if land is None:
        yield Problem("no_such_land", "R4.2", {"land": action.land[:20]})
    elif KIND_OF[land] != kind:
        edges = [side.value for side in sides_of(land)]
        yield Problem("wrong_shape", "R4.2", {"tile": tile, "edges": edges, **_possible(state, ship, kind)})
    if space is None:
        yield Problem("no_such_space", "R1.1", {"space": action.space[:20], **_possible(state, ship, kind)})
        return
    if board[space] != UNEXPLORED:
        yield Problem("space_explored", "R4.1", {"space": action.space, **_possible(state, ship, kind)})
        return
    if space not in reach(ground, board, ship):
        values = {"start": ground.starts[ship], "space": action.space, **_possible(state, ship, kind)}
        yield Problem("out_of_reach", "R4.1", values)
    if land is not None and (clashes := _clashes(state, space, land)):
        values = {"space": action.space, "clashes": clashes, "tile": tile, "turned": fits(ground, board, space, kind)}
        yield Problem("edges_clash", "R4.2", {**values, **_possible(state, ship, kind)})


def _clashes(state: State, space: int, land: int) -> list[Values]:
    """The edges that do not match: side, whether it must be land, the space beyond or ``None``."""
    ground = state.table.ground
    known, wanted = demanded(ground, state.board, space)
    found: list[Values] = []
    for edge in EDGES:
        if known >> edge & 1 and (land ^ wanted) >> edge & 1:
            other = ground.near[space][edge]
            beyond = None if other == FRAME else ground.names[other]
            found.append({"edge": SIDES[edge].value, "land": bool(wanted >> edge & 1), "beyond": beyond})
    return found


def _possible(state: State, ship: int, kind: int) -> Values:
    """The first few legal placements of the tile at hand, as values of a problem."""
    ground = state.table.ground
    found = placements(ground, state.board, ship, kind)
    return {"possible": _some([f"{ground.names[space]} {LAND_NAMES[land]}".strip() for space, land in found])}


def _explorer_problems(state: State, action: PlaceExplorer) -> Iterator[Problem]:
    """R6.2, R6.3: the explorer has to be left, and its part to be on the tile just placed."""
    yield from _value_problems(state.seats[state.seat], action.value, "R6.2")
    land, name = at_hand(state), state.table.ground.names[state.last[0]]
    sides = [side.value for side in sides_of(land)] if len(PARTS[land]) > 1 else []
    if not sides:
        if action.part is not None:
            yield Problem("no_parts", "R6.3", {"space": name, "part": action.part.value})
    elif action.part is None:
        yield Problem("part_missing", "R6.3", {"space": name, "sides": sides})
    elif action.part not in sides:
        yield Problem("no_such_part", "R6.3", {"space": name, "part": action.part.value, "sides": sides})


def _some(names: Sequence[str]) -> Values:
    """The first few names and the number of further ones, as values of a problem."""
    return {"names": list(names[:_MOST_NAMED]), "more": max(0, len(names) - _MOST_NAMED)}
