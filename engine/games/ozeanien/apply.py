"""The next state. Actions are not checked here: ``refusals.problems`` decides what is legal."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from engine.games.ozeanien.actions import Action, DrawTile, Explore, Place, PlaceExplorer, Skip, UseDiscarded
from engine.games.ozeanien.board import (
    IMAGINED,
    RESERVE,
    UNEXPLORED,
    Board,
    Geometry,
    can_place,
    enclosed,
    land_at,
    open_starts,
)
from engine.games.ozeanien.components import VALUES
from engine.games.ozeanien.state import Ending, Explorer, Phase, SeatState, State, Tally, plus
from engine.games.ozeanien.tiles import KIND_INDEX, KIND_OF, LANDS, SIDE_INDEX
from engine.types import Seat


def apply(state: State, seat: Seat, action: Action) -> State:
    """The state after an action of a seat or of chance."""
    match action:
        case Explore():
            return replace(state, ship=state.table.ground.start_index[action.start], phase=Phase.DRAW)
        case DrawTile():
            return _drawn(state, KIND_INDEX[action.tile])
        case UseDiscarded():
            return _use_discarded(state, action)
        case Place():
            return _place(state, state.table.ground.index[action.space], LANDS[action.land])
        case PlaceExplorer():
            return _place_explorer(state, action)
        case Skip():
            return _end_turn(state)
    assert_never(action)


def _drawn(state: State, kind: int) -> State:
    assert state.ship is not None
    fits = can_place(state.table.ground, state.board, state.ship, kind)
    state = replace(state, bag=plus(state.bag, kind, -1), draws=state.draws - 1)
    if fits:
        return replace(state, tile=kind, phase=Phase.PLACE)
    # R4.4: a tile that fits nowhere is discarded face up, and the turn ends.
    me = state.seats[state.seat]
    return _end_turn(replace(_with(state, replace(me, discarded=plus(me.discarded, kind))), last=()))


def _use_discarded(state: State, action: UseDiscarded) -> State:
    me, kind, value = state.seats[state.seat], KIND_INDEX[action.tile], VALUES.index(action.explorer)
    # R3.4: the explorer is removed from the match.
    me = replace(
        me,
        explorers=plus(me.explorers, value, -1),
        given_up=plus(me.given_up, value),
        discarded=plus(me.discarded, kind, -1),
    )
    return replace(_with(state, me), ship=state.table.ground.start_index[action.start], tile=kind, phase=Phase.PLACE)


def _place(state: State, space: int, land: int) -> State:
    board, reserve, filled = fill(state.table.ground, put(state.board, space, land), state.reserve, space)
    state = replace(state, board=board, reserve=reserve, last=(space, *filled), tile=None)
    # R6.1, R6.4: the explorer phase is skipped without land, or without an explorer left.
    if land and any(state.seats[state.seat].explorers):
        return replace(state, phase=Phase.EXPLORER)
    return _end_turn(state)


def put(board: Board, space: int, tile: int) -> Board:
    """The board with a tile on a space."""
    return (*board[:space], tile, *board[space + 1 :])


def fill(ground: Geometry, board: Board, reserve: Tally, space: int) -> tuple[Board, Tally, tuple[int, ...]]:
    """R5: the board, the reserve left and the spaces after what a tile encloses is filled, once."""
    holes = enclosed(ground, board, space)
    for hole, land in holes:
        kind = KIND_OF[land]
        # R5.4: a tile that the reserve lacks counts as if it had been placed.
        board = put(board, hole, land | (RESERVE if reserve[kind] else IMAGINED))
        reserve = plus(reserve, kind, -1) if reserve[kind] else reserve
    return board, reserve, tuple(hole for hole, _ in holes)


def _place_explorer(state: State, action: PlaceExplorer) -> State:
    me, value = state.seats[state.seat], VALUES.index(action.value)
    part = None if action.part is None else SIDE_INDEX[action.part]
    state = _with(state, replace(me, explorers=plus(me.explorers, value, -1)))
    return _end_turn(
        replace(state, explorers=(*state.explorers, Explorer(state.last[0], part, state.seat, action.value)))
    )


def _end_turn(state: State) -> State:
    ending = _ending(state)
    if ending is not None:
        return replace(state, phase=Phase.OVER, ending=ending)
    return replace(state, phase=Phase.SHIP, seat=(state.seat + 1) % state.table.seats, turn=state.turn + 1)


def _ending(state: State) -> Ending | None:
    """R7.1: why the match ends with this turn; ``None`` if it does not."""
    if UNEXPLORED not in state.board:
        return Ending.EXPLORED
    if not state.draws:
        return Ending.NO_TILES
    return Ending.NO_START if next(open_starts(state.table.ground, state.board), None) is None else None


def _with(state: State, me: SeatState) -> State:
    return replace(state, seats=(*state.seats[: state.seat], me, *state.seats[state.seat + 1 :]))


def at_hand(state: State) -> int:
    """The land of the tile that was placed last, on which an explorer may be placed."""
    return land_at(state.board, state.last[0])
