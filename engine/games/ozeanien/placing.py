"""R3 to R6, judged rule by rule: starting points, discarded tiles, placements and explorers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from engine.games.ozeanien.actions import Place, PlaceExplorer, UseDiscarded
from engine.games.ozeanien.apply import at_hand
from engine.games.ozeanien.board import FRAME, UNEXPLORED, can_place, demanded, fits, open_starts, placements, reach
from engine.games.ozeanien.components import VALUES
from engine.games.ozeanien.state import SeatState, State
from engine.games.ozeanien.tiles import (
    EDGES,
    KIND_INDEX,
    KIND_OF,
    KINDS,
    LAND_NAMES,
    LANDS,
    PARTS,
    SIDES,
    Kind,
    a,
    sides_of,
)
from engine.types import Violation
from engine.wording import listed

Problems: TypeAlias = list[Violation]
_MOST_NAMED: Final = 6


def start_problems(state: State, start: str) -> Problems:
    """R3.2: why the ship cannot start there."""
    ground = state.table.ground
    number = ground.start_index.get(start)
    if number is None:
        which = (
            f"{ground.columns} columns, {ground.rows} rows, and circles on the"
            f" {listed(sorted({*_circle_sides(state)}))}"
        )
        return [
            Violation("no_such_start", "R1.4", f'There is no starting point "{start[:20]}"; the board has {which}.')
        ]
    if reach(ground, state.board, number):
        return []
    if number >= len(ground.names):
        space = ground.names[ground.circles[number - len(ground.names)]]
        return [
            Violation(
                "circle_closed",
                "R3.2",
                f"The space before the circle {start}, {space}, is explored, so no route leads on from there."
                f" {_open(state)}",
            )
        ]
    if state.board[number] == UNEXPLORED:
        return [
            Violation(
                "start_unexplored",
                "R3.2",
                f"{start} is unexplored; the ship starts from a circle or an explored tile. {_open(state)}",
            )
        ]
    return [Violation("no_route", "R3.2", f"No sea edge of {start} leads to an unexplored space. {_open(state)}")]


def _circle_sides(state: State) -> Iterable[str]:
    ground = state.table.ground
    return (name.split()[0] for name in ground.starts[len(ground.names) :])


def _open(state: State) -> str:
    ground = state.table.ground
    return f"Open are {_named([ground.starts[start] for start in open_starts(ground, state.board)])}."


def discarded_problems(state: State, action: UseDiscarded) -> Problems:
    """R3.4: why the discarded tile cannot be used, the starting point included."""
    if state.table.solo:
        return [
            Violation(
                "no_discards_alone",
                "R9.2",
                "Playing alone, discarded tiles are out of the match; put the ship somewhere and draw.",
            )
        ]
    me, problems = state.seats[state.seat], start_problems(state, action.start)
    ground, kind = state.table.ground, KIND_INDEX[action.tile]
    if not me.discarded[kind]:
        held = listed([each.value for each, number in zip(KINDS, me.discarded, strict=True) if number]) or "none"
        problems.append(
            Violation(
                "tile_not_discarded",
                "R3.4",
                f"You have no discarded {action.tile} tile; the kinds before you are: {held}.",
            )
        )
    problems += _value_problems(me, action.explorer, "R3.4")
    if not problems and not can_place(ground, state.board, ground.start_index[action.start], kind):
        reached = listed(
            [ground.names[space] for space in reach(ground, state.board, ground.start_index[action.start])]
        )
        message = (
            f"{a(action.tile).capitalize()} does not fit on {reached}, which {action.start} reaches; a discarded tile"
            " is taken only where it fits."
        )
        problems.append(Violation("tile_does_not_fit", "R3.5", message))
    return problems


def _value_problems(me: SeatState, value: int, rule: str) -> Problems:
    if value in VALUES and me.explorers[VALUES.index(value)]:
        return []
    left = listed([str(each) for each, number in zip(VALUES, me.explorers, strict=True) if number])
    have = f"those left have the values {left}" if left else "you have none left"
    return [Violation("explorer_not_left", rule, f"You have no explorer of value {value}; {have}.")]


def place_problems(state: State, action: Place) -> Problems:
    """R4.1, R4.2: why the tile at hand cannot lie so."""
    ground, board, kind = state.table.ground, state.board, state.tile
    space, land = ground.index.get(action.space), LANDS.get(action.land)
    assert kind is not None
    problems: Problems = []
    if land is None:
        problems.append(
            Violation(
                "no_such_land",
                "R4.2",
                f'"{action.land[:20]}" names no edges; write those with land as letters N, E, S, W, in this order.',
            )
        )
    elif KIND_OF[land] != kind:
        shown = f"land on {_edges(land)}" if land else "no land"
        problems.append(
            Violation(
                "wrong_shape",
                "R4.2",
                f"You hold {a(KINDS[kind])}, {_shape(kind)}; it never lies with {shown}. {_possible(state)}",
            )
        )
    if space is None:
        return [
            *problems,
            Violation("no_such_space", "R1.1", f'The board has no space "{action.space[:20]}". {_possible(state)}'),
        ]
    if board[space] != UNEXPLORED:
        return [
            *problems,
            Violation("space_explored", "R4.1", f"{action.space} is explored already. {_possible(state)}"),
        ]
    if state.ship is None or space not in reach(ground, board, state.ship):
        start = "" if state.ship is None else ground.starts[state.ship]
        problems.append(
            Violation(
                "out_of_reach", "R4.1", f"No route leads from the ship ({start}) to {action.space}. {_possible(state)}"
            )
        )
    if land is not None and (clash := _clashes(state, space, land)):
        way = (
            "Other ways round fit there"
            if fits(ground, board, space, kind)
            else f"{a(KINDS[kind]).capitalize()} does not fit there"
        )
        problems.append(Violation("edges_clash", "R4.2", f"On {action.space} {clash}. {way}. {_possible(state)}"))
    return problems


def _clashes(state: State, space: int, land: int) -> str:
    """The edges that would not match, as a sentence part; "" where all do."""
    ground = state.table.ground
    known, wanted = demanded(ground, state.board, space)
    parts = []
    for edge in EDGES:
        if known >> edge & 1 and (land ^ wanted) >> edge & 1:
            other = ground.near[space][edge]
            beyond = "the frame" if other == FRAME else ground.names[other]
            parts.append(f"its {SIDES[edge]} edge has to be {'land' if wanted >> edge & 1 else 'sea'}, as {beyond} is")
    return listed(parts)


def _shape(kind: int) -> str:
    return {
        Kind.SEA: "without land",
        Kind.CAPE: "with land on one edge",
        Kind.COAST: "with land on two adjacent edges",
        Kind.STRAIT: "with land on two opposite edges",
        Kind.BAY: "with land on three edges",
        Kind.INLAND: "with land on all edges",
    }[KINDS[kind]]


def _possible(state: State) -> str:
    """What could be done with the tile at hand."""
    assert state.ship is not None
    assert state.tile is not None
    ground = state.table.ground
    found = [
        f"{ground.names[space]} {LAND_NAMES[land]}".strip()
        for space, land in placements(ground, state.board, state.ship, state.tile)
    ]
    return f"Possible: {_named(found)}."


def explorer_problems(state: State, action: PlaceExplorer) -> Problems:
    """R6.2, R6.3: why the explorer cannot stand there."""
    problems = _value_problems(state.seats[state.seat], action.value, "R6.2")
    land, name = at_hand(state), state.table.ground.names[state.last[0]]
    sides = sides_of(land) if len(PARTS[land]) > 1 else ()
    if not sides and action.part is not None:
        problems.append(Violation("no_parts", "R6.3", f"The land on {name} is all one part; leave {action.part} out."))
    elif sides and action.part is None:
        problems.append(
            Violation("part_missing", "R6.3", f"The strait on {name} has two sides; say {sides[0]} or {sides[1]}.")
        )
    elif sides and action.part not in sides:
        problems.append(
            Violation(
                "no_such_part",
                "R6.3",
                f"The strait on {name} has no land on the {action.part}; say {sides[0]} or {sides[1]}.",
            )
        )
    return problems


def _edges(land: int) -> str:
    return f"the {listed([side.value for side in sides_of(land)])}"


def _named(names: list[str]) -> str:
    more = len(names) - _MOST_NAMED
    return f"{', '.join(names[:_MOST_NAMED])} and {more} more" if more > 0 else listed(names) or "nothing"
