"""The next state. Actions are not checked here: ``refusals.problems`` decides what is legal."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from engine.games.oregon import actions
from engine.games.oregon.board import INDEX
from engine.games.oregon.components import BUILDING_INDEX, BUILDINGS, SYMBOL_INDEX, SYMBOLS, Deck, Symbol
from engine.games.oregon.legal import might_set_aside
from engine.games.oregon.score import building_gains, earn, farmer_gains
from engine.games.oregon.state import (
    FIRST_BUILDING,
    FIRST_FARMER,
    HAND,
    Due,
    Ending,
    Phase,
    SeatState,
    State,
    Tally,
    add,
    plus,
)
from engine.types import Seat

_NO_SYMBOLS: Tally = (0,) * len(SYMBOLS)
_NO_BUILDINGS: Tally = (0,) * len(BUILDINGS)


def apply(state: State, seat: Seat, action: actions.Action) -> State:
    """The state after an action of a seat or of chance."""
    match action:
        case actions.PlaceFarmer():
            return _place_farmer(state, action)
        case actions.PlaceBuilding():
            return _place_building(state, action)
        case actions.DrawCard():
            return _draw(state, action)
        case (
            actions.DealSymbol()
            | actions.DealBuilding()
            | actions.DealStartTile()
            | actions.DealCoal()
            | actions.DealGold()
        ):
            return _dealt(_deal(state, action))
        case actions.UseExtraTurn():
            # R7.3: the token flips before the second play, which may make it active again.
            return replace(_with(state, replace(state.seats[state.seat], extra=False)), phase=Phase.EXTRA)
        case actions.SetAside():
            return _set_aside(state, action)
        case actions.Discard():
            return _discard(state, action)
        case actions.PlaceStart():
            return _place_start(state, action)
        case actions.Done():
            return _end_turn(state)
    assert_never(action)


def _place_start(state: State, action: actions.PlaceStart) -> State:
    space, tile = INDEX[action.space], state.seats[state.seat].start_tile
    assert tile is not None
    state = replace(
        _with(state, replace(state.seats[state.seat], start_tile=None)),
        board=_put(state.board, space, FIRST_BUILDING + tile),
        last=(space,),
    )
    if state.seat + 1 < state.table.seats:
        return replace(state, seat=state.seat + 1)
    return replace(state, phase=Phase.PLAY, seat=0, round=1)


def _place_farmer(state: State, action: actions.PlaceFarmer) -> State:
    space, me = INDEX[action.space], state.seats[state.seat]
    symbols, discards = _play_symbols(me.symbols, state.landscape_discards, action.cards)
    # R5.3: the joker flips before the scoring.
    me = replace(me, symbols=symbols, farmers=me.farmers - 1, joker=me.joker and not action.joker)
    board = _put(state.board, space, FIRST_FARMER + state.seat)
    state = _placed(state, me, board, space, Ending.LAST_FARMER if me.farmers == 0 else None, discards)
    return earn(state, farmer_gains(board, state.seat, space))


def _place_building(state: State, action: actions.PlaceBuilding) -> State:
    space, me, building = INDEX[action.space], state.seats[state.seat], BUILDING_INDEX[action.building]
    symbols, discards = _play_symbols(me.symbols, state.landscape_discards, action.cards)
    me = replace(me, symbols=symbols, buildings=plus(me.buildings, building, -1), joker=me.joker and not action.joker)
    board, stacks = _put(state.board, space, FIRST_BUILDING + building), plus(state.stacks, building, -1)
    # R9.1: the end is triggered by as many empty stacks as there are seats.
    ending = Ending.EMPTY_STACKS if stacks.count(0) >= state.table.seats else None
    state = _placed(state, me, board, space, ending, discards)
    state = replace(state, stacks=stacks, building_discards=plus(state.building_discards, building))
    return earn(state, building_gains(board, state.seat, state.table.seats, space))


def _placed(
    state: State, me: SeatState, board: tuple[int, ...], space: int, ending: Ending | None, discards: Tally
) -> State:
    return replace(
        state,
        seats=(*state.seats[: state.seat], me, *state.seats[state.seat + 1 :]),
        board=board,
        landscape_discards=discards,
        phase=Phase.REFILL,
        plays=state.plays + 1,
        last=(*state.last, space) if state.plays else (space,),
        ending=state.ending or ending,
    )


def _play_symbols(hand: Tally, discards: Tally, cards: tuple[Symbol, ...]) -> tuple[Tally, Tally]:
    for card in cards:
        index = SYMBOL_INDEX[card]
        hand, discards = plus(hand, index, -1), plus(discards, index)
    return hand, discards


def _discard(state: State, action: actions.Discard) -> State:
    me = state.seats[state.seat]
    symbols, discards = _play_symbols(me.symbols, state.landscape_discards, action.symbols)
    buildings, building_discards = me.buildings, state.building_discards
    for building in action.buildings:
        index = BUILDING_INDEX[building]
        buildings, building_discards = plus(buildings, index, -1), plus(building_discards, index)
    state = _with(state, replace(me, symbols=symbols, buildings=buildings))
    # R3.4: no extra turn follows.
    return replace(
        state, landscape_discards=discards, building_discards=building_discards, phase=Phase.REFILL, refilling=True
    )


def _draw(state: State, action: actions.DrawCard) -> State:
    if action.deck is Deck.LANDSCAPE:
        if not any(state.landscape_deck):
            state = replace(state, landscape_deck=state.landscape_discards, landscape_discards=_NO_SYMBOLS)
        return replace(state, refilling=True, just_drawn=None, due=((Due.SYMBOL, state.seat),))
    if not any(state.building_deck):
        state = replace(state, building_deck=state.building_discards, building_discards=_NO_BUILDINGS)
    return replace(state, refilling=True, just_drawn=None, due=((Due.BUILDING, state.seat),))


def _set_aside(state: State, action: actions.SetAside) -> State:
    me, index = state.seats[state.seat], BUILDING_INDEX[action.building]
    state = _with(state, replace(me, buildings=plus(me.buildings, index, -1)))
    # R8.8: the card drawn last stays just drawn when another one is set aside.
    just_drawn = None if index == state.just_drawn else state.just_drawn
    return replace(state, aside=plus(state.aside, index), refilling=True, just_drawn=just_drawn)


def _deal(state: State, action: actions.Deal) -> State:
    me = state.seats[action.to]
    match action:
        case actions.DealSymbol():
            index = SYMBOL_INDEX[action.symbol]
            state = _with(state, replace(me, symbols=plus(me.symbols, index)), action.to)
            return replace(state, landscape_deck=plus(state.landscape_deck, index, -1))
        case actions.DealBuilding():
            index = BUILDING_INDEX[action.building]
            state = _with(state, replace(me, buildings=plus(me.buildings, index)), action.to)
            just_drawn = index if state.phase is Phase.REFILL else state.just_drawn
            return replace(state, building_deck=plus(state.building_deck, index, -1), just_drawn=just_drawn)
        case actions.DealStartTile():
            index = BUILDING_INDEX[action.building]
            state = _with(state, replace(me, start_tile=index), action.to)
            return replace(state, start_tiles=plus(state.start_tiles, index, -1))
        case actions.DealCoal():
            me = replace(me, coal=tuple(sorted((*me.coal, action.value))))
            supply = plus(state.coal, state.table.coal_values.index(action.value), -1)
            return replace(_with(state, me, action.to), coal=supply)
        case actions.DealGold():
            me = replace(me, gold=tuple(sorted((*me.gold, action.value))))
            supply = plus(state.gold, state.table.gold_values.index(action.value), -1)
            return replace(_with(state, me, action.to), gold=supply)


def _dealt(state: State) -> State:
    state = replace(state, due=state.due[1:])
    if state.due:
        return state
    if state.phase is Phase.DEALING:
        return replace(state, phase=Phase.START)
    # R8.7: a full hand ends the turn automatically if it is public that nothing can be set aside.
    if state.refilling and state.seats[state.seat].cards == HAND and not might_set_aside(state):
        return _end_turn(state)
    return state


def _end_turn(state: State) -> State:
    state = replace(
        state,
        # R8.5: cards set aside are moved to the discards now.
        building_discards=add(state.building_discards, state.aside),
        aside=_NO_BUILDINGS,
        plays=0,
        refilling=False,
        just_drawn=None,
    )
    if state.seat + 1 < state.table.seats:
        return replace(state, phase=Phase.PLAY, seat=state.seat + 1)
    if state.ending:
        return replace(state, phase=Phase.OVER)  # R9.2: the round is finished.
    return replace(state, phase=Phase.PLAY, seat=0, round=state.round + 1)


def _put(board: tuple[int, ...], space: int, code: int) -> tuple[int, ...]:
    return (*board[:space], code, *board[space + 1 :])


def _with(state: State, me: SeatState, seat: Seat | None = None) -> State:
    number = state.seat if seat is None else seat
    return replace(state, seats=(*state.seats[:number], me, *state.seats[number + 1 :]))
