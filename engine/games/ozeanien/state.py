"""The state of a match of Ozeanien, its invariants, and its first value."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

from engine.games.ozeanien.board import (
    IMAGINED,
    RESERVE,
    UNEXPLORED,
    Board,
    Geometry,
    demanded,
    enclosed,
    geometry,
    land_at,
)
from engine.games.ozeanien.components import VALUES, Components, Options
from engine.games.ozeanien.tiles import KIND_OF, KINDS, PARTS
from engine.types import CHANCE, Seat, Setup

Tally: TypeAlias = tuple[int, ...]
"""Counts of the six kinds of tiles, or of the three values of explorers."""

NO_TILES: Final[Tally] = (0,) * len(KINDS)
NO_EXPLORERS: Final[Tally] = (0,) * len(VALUES)


Phase = StrEnum("Phase", "SHIP DRAW PLACE EXPLORER OVER")
"""The phases of a turn. ``DRAW``: a draw of a tile is due."""
Ending = StrEnum("Ending", "EXPLORED NO_TILES NO_START")
"""R7.1: what ended the match."""


@dataclass(frozen=True, slots=True)
class Table:
    """The constant part of the states of a match."""

    seats: int
    options: Options
    components: Components
    ground: Geometry = field(compare=False, repr=False)

    @property
    def solo(self) -> bool:
        """R9: whether one seat plays alone."""
        return self.seats == 1


@dataclass(frozen=True, slots=True)
class Explorer:
    """An explorer; ``part`` is the edge of its side of a strait, ``None`` on any other tile."""

    space: int
    part: int | None
    seat: Seat
    value: int


@dataclass(frozen=True, slots=True)
class SeatState:
    """One seat: explorers left and given up by value, discarded tiles by kind."""

    explorers: Tally
    given_up: Tally = NO_EXPLORERS
    discarded: Tally = NO_TILES


@dataclass(frozen=True, slots=True)
class State:
    """The state of a match.

    ``bag`` counts the unseen tiles by kind, those removed at the start included; ``draws`` is the
    number that may still be drawn. ``ship`` is a starting point of ``Geometry``, ``tile`` the kind
    at hand. ``last`` are the spaces of the latest placement: the tile, then what the reserve
    filled.
    """

    table: Table
    board: Board
    seats: tuple[SeatState, ...]
    bag: Tally
    draws: int
    reserve: Tally
    explorers: tuple[Explorer, ...] = ()
    phase: Phase = Phase.SHIP
    seat: Seat = 0
    turn: int = 1
    ship: int | None = None
    tile: int | None = None
    last: tuple[int, ...] = ()
    ending: Ending | None = None


def to_act(state: State) -> tuple[Seat, ...]:
    """The awaited seat, or chance; () when the match is over."""
    if state.phase is Phase.DRAW:
        return (CHANCE,)
    return () if state.phase is Phase.OVER else (state.seat,)


def plus(tally: Tally, index: int, number: int = 1) -> Tally:
    """The tally with ``number`` added at ``index``."""
    return (*tally[:index], tally[index] + number, *tally[index + 1 :])


def unexplored(state: State) -> int:
    """The number of unexplored spaces."""
    return state.board.count(UNEXPLORED)


def check(state: State) -> tuple[str, ...]:
    """The broken invariants as sentences: all is conserved, edges match, nothing is enclosed."""
    return (*_check_tiles(state), *_check_board(state), *_check_explorers(state), *_check_turn(state))


def _check_tiles(state: State) -> list[str]:
    parts, broken = state.table.components, []
    for index, kind in enumerate(KINDS):
        placed = [tile for tile in state.board if tile != UNEXPLORED and KIND_OF[tile & 15] == index]
        drawn = sum(1 for tile in placed if not tile & (RESERVE | IMAGINED))
        seen = drawn + sum(seat.discarded[index] for seat in state.seats)
        if state.tile == index:
            seen += 1
        if state.bag[index] < 0 or state.bag[index] + seen != parts.sea_tiles.value[kind]:
            broken.append(f"there are {state.bag[index] + seen} {kind} sea tiles")
        filled = sum(1 for tile in placed if tile & RESERVE)
        if state.reserve[index] < 0 or state.reserve[index] + filled != parts.reserve_tiles.value[kind]:
            broken.append(f"there are {state.reserve[index] + filled} {kind} reserve tiles")
        if state.reserve[index] and any(tile & IMAGINED for tile in placed):
            broken.append(f"a {kind} tile is imagined although the reserve has some")
    if state.draws < 0 or sum(state.bag) != state.draws + parts.removed.value:
        broken.append(f"{state.draws} tiles may be drawn, and {sum(state.bag)} are unseen")
    return broken


def _check_board(state: State) -> list[str]:
    ground, board, broken = state.table.ground, state.board, []
    if len(board) != len(ground.names):
        return [f"the board has {len(board)} spaces"]
    for space, tile in enumerate(board):
        if tile == UNEXPLORED:
            continue
        known, land = demanded(ground, board, space)
        if tile & known & 15 != land:
            broken.append(f"the tile on {ground.names[space]} does not match its neighbours")
        if holes := enclosed(ground, board, space):
            broken.append(f"{ground.names[holes[0][0]]} stays enclosed")
    return broken


def _check_explorers(state: State) -> list[str]:
    broken = []
    counts = state.table.components.explorers.value
    for number, seat in enumerate(state.seats):
        for index, value in enumerate(VALUES):
            on_board = sum(1 for each in state.explorers if (each.seat, each.value) == (number, value))
            have = seat.explorers[index] + seat.given_up[index] + on_board
            if seat.explorers[index] < 0 or have != (0 if state.table.solo else counts[str(value)]):
                broken.append(f"seat {number} has {have} explorers of value {value}")
    if len({each.space for each in state.explorers}) != len(state.explorers):
        broken.append("a tile has two explorers")
    for each in state.explorers:
        tile = state.board[each.space]
        if tile == UNEXPLORED or tile >= RESERVE:
            broken.append(f"an explorer is on {state.table.ground.names[each.space]}, which no seat has explored")
        elif (each.part is None) != (len(PARTS[land_at(state.board, each.space)]) == 1) or (
            each.part is not None and not tile >> each.part & 1
        ):
            broken.append(f"an explorer on {state.table.ground.names[each.space]} is on no part of an island")
    return broken


def _check_turn(state: State) -> list[str]:
    broken = []
    if (state.tile is not None) != (state.phase is Phase.PLACE):
        broken.append(f"a tile is at hand: {state.tile}; the phase is {state.phase}")
    if (state.ending is not None) != (state.phase is Phase.OVER):
        broken.append(f"the ending is {state.ending}; the phase is {state.phase}")
    if state.phase not in (Phase.SHIP, Phase.OVER) and state.ship is None:
        broken.append("the ship has no place")
    return broken


_PLIES_OF_A_TURN = 5


def setup(setup: Setup) -> State:
    """R2: the state before the first turn."""
    parts = setup.components
    table = lay(setup.seats, setup.options, parts)
    # R9.1: a seat that plays alone has no explorers.
    explorers = NO_EXPLORERS if table.solo else tuple(parts.explorers.value[str(value)] for value in VALUES)
    bag = tuple(parts.sea_tiles.value[kind] for kind in KINDS)
    return State(
        table=table,
        board=(UNEXPLORED,) * len(table.ground.names),
        seats=(SeatState(explorers),) * setup.seats,
        bag=bag,
        # R2.2: tiles are removed unseen; only the number that can be drawn decreases.
        draws=sum(bag) - parts.removed.value,
        reserve=tuple(parts.reserve_tiles.value[kind] for kind in KINDS),
    )


def longest(state: State) -> int:
    """R8.7: the most plies of the match: five for each tile and each explorer."""
    parts = state.table.components
    explorers = state.table.seats * sum(parts.explorers.value.values())
    return _PLIES_OF_A_TURN * (sum(parts.sea_tiles.value.values()) + explorers)


def lay(seats: int, options: Options, components: Components) -> Table:
    """The constant part of the states of a match, its geometry included."""
    size = components.board.value
    columns, rows = (size.rows, size.columns) if options.upright else (size.columns, size.rows)
    return Table(seats, options, components, geometry(columns, rows, components.circles.value))
