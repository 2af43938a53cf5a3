"""The next state. Actions are not checked here: ``refusals.problems`` decides what is legal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, assert_never

from engine.games.montana import actions
from engine.games.montana.components import GOOD_INDEX, WORKER_INDEX, Hiring, Worker
from engine.games.montana.landscape import laid, most_settlements, open_hexes, opened
from engine.games.montana.state import (
    NO_GOODS,
    NO_WORKERS,
    WHEAT,
    Crew,
    Ending,
    Phase,
    State,
    Tally,
    add,
    changed,
    less,
    plus,
    with_seat,
)
from engine.games.montana.supply import give_goods, take_goods, take_workers
from engine.games.montana.town import enter, passed, placed, rewarded
from engine.games.montana.turn import closed, counted, ended, hired, settled
from engine.types import Seat


def apply(state: State, seat: Seat, action: actions.Action) -> State:
    """The state after an action, and after everything that follows without a decision."""
    if state.events:
        state = changed(state, events=())
    return settled(_applied(state, seat, action))


def _applied(state: State, seat: Seat, action: actions.Action) -> State:
    match action:
        case actions.Harvest():
            return _harvest(state, action)
        case actions.HarvestAgain():
            return _harvest_again(state, action)
        case actions.UseBank():
            return _bank(state, action)
        case actions.Build():
            return _build(state, action)
        case actions.Recruit():
            return replace(state, phase=Phase.SPIN, last=("wheel",))
        case actions.Spin():
            return _shown(replace(state, arrow=action.segment - 1, spins=state.spins + 1, last=("wheel",)))
        case actions.MoveArrow():
            segments = len(state.table.components.wheel.value)
            state = give_goods(state, seat, plus(NO_GOODS, WHEAT, action.wheat))
            arrow = (state.arrow + action.wheat) % segments
            return _shown(replace(state, arrow=arrow, spins=state.spins + 1, last=("wheel",)))
        case actions.ChooseWorkers():
            return hired(take_workers(state, seat, _workers(action.workers)))
        case actions.ReturnWorkers():
            return _dismiss(state, seat, _workers(action.workers))
        case actions.PlaceInTown():
            if state.phase is Phase.TURN:
                state = enter(state)
            state = replace(state, last=(f"town {action.row} {action.column}",))
            return placed(state, seat, action.row - 1, action.column - 1)
        case actions.Pass():
            return passed(state, seat)
        case actions.TakeGoods() | actions.Upgrade():
            return rewarded(state, seat, action)
        case actions.TradeForGood():
            return take_goods(_sold(state, seat), seat, plus(NO_GOODS, GOOD_INDEX[action.good]))
        case actions.TradeForWorker():
            return take_workers(_sold(state, seat), seat, plus(NO_WORKERS, WORKER_INDEX[action.worker]))
        case actions.TradeForCoins():
            state = _sold(state, seat)
            me = state.seats[seat]
            me = replace(me, coins=me.coins + state.table.components.cow_price.value)
            return replace(state, seats=with_seat(state, seat, me))
        case actions.EndTurn():
            return ended(state)
        case actions.UseCanteen():
            me = state.seats[seat]
            seats = with_seat(state, seat, replace(me, canteens=me.canteens - 1))
            return closed(replace(state, seats=seats, spent=state.spent + 1), phase=Phase.TURN)
        case actions.LayTile():
            return _lay_tile(state, action)
        case actions.LayStart():
            state = replace(state, start=state.table.geometry.index[action.hex], phase=Phase.SPIN, last=(action.hex,))
            found = open_hexes(state)
            return replace(state, open=found, ending=None if found else Ending.NO_ROOM)
    assert_never(action)


def _lay_tile(state: State, action: actions.LayTile) -> State:
    ground = laid(state.table.components, action.tile, action.turned)
    land, first = (*state.land, *ground), len(state.land)
    fresh = [(first + place, hexagon) for place, hexagon in enumerate(ground)]
    cattle = state.cattle | {place for place, hexagon in fresh if hexagon.cow}
    canteens = state.canteens | {place for place, hexagon in fresh if hexagon.canteen}
    complete = len(land) == len(state.table.geometry.names)
    return replace(
        state,
        land=land,
        left=state.left - {action.tile},
        # R2.3: the cows of the landscape come out of the supply.
        cows=state.cows - len(cattle) + len(state.cattle),
        cattle=cattle,
        canteens=canteens,
        phase=Phase.START if complete else Phase.LAYING,
        last=tuple(state.table.geometry.names[place] for place, _ in fresh),
    )


def _shown(state: State) -> State:
    """R4.1, R4.2: takes the two workers that the arrow shows, or asks the seat to choose them."""
    segment = state.table.components.wheel.value[state.arrow]
    if Hiring.ANY in segment:
        return replace(state, phase=Phase.CHOOSE)
    return hired(take_workers(state, state.seat, tuple([segment.count(Hiring(worker.value)) for worker in Worker])))


def _bank(state: State, action: actions.UseBank) -> State:
    crew, place = _crew(action.workers), action.space - 1
    me, coins = state.seats[state.seat], state.table.components.bank.value[place].coins
    me = replace(me, workers=less(me.workers, counted(crew)), coins=me.coins + coins)
    seats, bank = with_seat(state, state.seat, me), (*state.bank[:place], crew, *state.bank[place + 1 :])
    return changed(state, seats=seats, bank=bank, phase=Phase.DONE, last=(f"bank {action.space}",))


def _harvest(state: State, action: actions.Harvest) -> State:
    place = state.table.spans[action.area][0] + action.slot - 1
    slot = state.table.slots[place]
    told = {"phase": Phase.HARVESTED, "slot": place, "last": (f"{slot.area} {slot.number}",)}
    return _sent(state, 2 * place, _crew(action.workers), slot.price, slot.goods, told)


def _harvest_again(state: State, action: actions.HarvestAgain) -> State:
    slot = state.table.slots[state.slot]
    told = {"phase": Phase.DONE, "last": (f"{slot.area} {slot.number} again",)}
    return _sent(state, 2 * state.slot + 1, _crew(action.workers), 0, state.table.components.small_box.value, told)


def _sent(state: State, box: int, crew: Crew, price: int, number: int, told: Mapping[str, Any]) -> State:
    """R5.4: puts workers on a box, pays its price and takes ``number`` of its good; in a single
    ``changed`` if the supply has enough, for speed.
    """
    kind = state.table.slots[box // 2].kind
    enough = state.goods[kind] >= number
    me = state.seats[state.seat]
    goods = plus(me.goods, kind, number) if enough else me.goods
    me = replace(me, workers=less(me.workers, counted(crew)), coins=me.coins - price, goods=goods)
    state = changed(
        state,
        seats=with_seat(state, state.seat, me),
        boxes=(*state.boxes[:box], crew, *state.boxes[box + 1 :]),
        goods=plus(state.goods, kind, -number) if enough else state.goods,
        **told,
    )
    return state if enough else take_goods(state, state.seat, plus(NO_GOODS, kind, number))


def _build(state: State, action: actions.Build) -> State:
    hexagon = state.table.geometry.index[action.hex]
    number = action.settlements or most_settlements(state, state.seat, hexagon)
    around, cost = state.table.geometry.around[hexagon], state.land[hexagon].cost
    # R7.8, R7.9: take the cow of the hex and the canteens of the lakes next to it.
    cow = hexagon in state.cattle
    wells = [other for other in around if other in state.canteens]
    me = state.seats[state.seat]
    me = replace(
        me,
        goods=less(me.goods, cost),
        settlements=me.settlements - number,
        cows=me.cows + 1 if cow else me.cows,
        canteens=me.canteens + len(wells),
    )
    state = changed(
        state,
        goods=add(state.goods, cost),
        seats=with_seat(state, state.seat, me),
        owners=(*state.owners[:hexagon], state.seat, *state.owners[hexagon + 1 :]),
        counts=(*state.counts[:hexagon], number, *state.counts[hexagon + 1 :]),
        cattle=state.cattle - {hexagon} if cow else state.cattle,
        canteens=state.canteens.difference(wells) if wells else state.canteens,
        open=opened(state, hexagon),
        phase=Phase.BUILDING,
        built=state.built + 1,
        last=(*state.last, action.hex) if state.built else (action.hex,),
    )
    if state.ending is None and (me.settlements == 0 or not state.open):
        # R9.1, R9.4
        return changed(state, ending=Ending.LAST_SETTLEMENT if me.settlements == 0 else Ending.NO_ROOM)
    return state


def _sold(state: State, seat: Seat) -> State:
    """R8.1: moves a cow from the seat to the supply."""
    me = state.seats[seat]
    return replace(state, cows=state.cows + 1, seats=with_seat(state, seat, replace(me, cows=me.cows - 1)))


def _dismiss(state: State, seat: Seat, workers: Tally) -> State:
    me = state.seats[seat]
    seats = with_seat(state, seat, replace(me, workers=less(me.workers, workers)))
    return replace(state, workers=add(state.workers, workers), seats=seats)


def _crew(workers: tuple[Worker, ...]) -> Crew:
    return tuple([WORKER_INDEX[worker] for worker in workers])


def _workers(workers: tuple[Worker, ...]) -> Tally:
    return counted(_crew(workers))
