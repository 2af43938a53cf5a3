"""The candidate actions in each phase, the prompts, and the outcomes of chance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, product

from engine.games.montana import actions
from engine.games.montana.components import AREA_GOOD, AREAS, SMALL_GOODS, WORKERS, Worker
from engine.games.montana.landscape import most_settlements, start_hexes
from engine.games.montana.state import (
    MOST_BUILT,
    MOST_SEGMENTS,
    OVERTAKEN,
    WHEAT,
    Phase,
    State,
    Tally,
    covers,
    surplus,
    to_act,
)
from engine.games.montana.supply import take_workers, within_reach
from engine.games.montana.town import rewards, row_reward, spaces
from engine.games.montana.turn import counted
from engine.types import Seat, Statement

Hands = tuple[tuple[Worker, ...], ...]


def candidates(state: State, seat: Seat) -> Iterable[actions.SeatAction]:
    """The candidates in canonical order: all legal ones and possibly others, each effect once."""
    me = state.seats[seat]
    if spare := surplus(me):
        yield from (actions.ReturnWorkers(workers) for workers in choices(me.workers, spare))
    else:
        match state.phase:
            case Phase.CHOOSE:
                yield from _hirings(state, seat)
            case Phase.TURN:
                yield actions.Recruit()
                yield from _bank(state, me.workers)
                yield from _harvests(state, seat)
                yield from _places(state, seat)
                yield from _builds(state, seat)
            case Phase.RECRUITED:
                yield from (actions.MoveArrow(wheat) for wheat in range(1, min(me.goods[WHEAT], MOST_SEGMENTS) + 1))
            case Phase.HARVESTED:
                yield from (
                    actions.HarvestAgain(workers) for workers in fitting(me.workers, state.table.slots[state.slot].kind)
                )
            case Phase.TOWN:
                yield from _places(state, seat)
                yield actions.Pass()
            case Phase.REWARDS:
                yield from rewards(state, seat)
            case Phase.BUILDING:
                if state.built < MOST_BUILT:
                    yield from _builds(state, seat)
            case _:
                pass
    if seat == state.seat and me.cows and state.round:
        yield from _trades(state, seat)
    if not surplus(me) and state.phase in (Phase.RECRUITED, Phase.HARVESTED, Phase.BUILDING, Phase.DONE):
        if me.canteens:
            yield actions.UseCanteen()
        yield actions.EndTurn()


def prompt(state: State, seat: Seat) -> Statement:
    """What the seat is asked, from the phase and what it has."""
    me = state.seats[seat]
    if spare := surplus(me):
        return Statement("return", {"number": spare})
    match state.phase:
        case Phase.TURN:
            return Statement("turn", {"possible": ("recruit", "harvest", "build")})
        case Phase.TOWN:
            return Statement("move" if state.shop[seat] == OVERTAKEN else "place")
        case Phase.REWARDS:
            row = row_reward(state, seat)
            if row.goods:
                return Statement("take", {"number": row.goods})
            return Statement("upgrade", {"number": row.upgrades})
        case Phase.BUILDING if state.built < MOST_BUILT and me.settlements:
            return Statement("build")
        case Phase.BUILDING | Phase.DONE:
            return end(trade=me.cows > 0, canteen=me.canteens > 0)
        case Phase.CHOOSE | Phase.RECRUITED | Phase.HARVESTED:
            return Statement(state.phase.value)
        case _:
            raise AssertionError(f"no seat is awaited while the phase is {state.phase}")


def end(*, trade: bool, canteen: bool) -> Statement:
    """What a seat is asked that has acted, and may trade cows or use a canteen before it ends."""
    return Statement("end", {"trade": trade, "canteen": canteen})


@lru_cache(maxsize=4096)
def choices(held: Tally, number: int) -> Hands:
    """The ways to choose ``number`` workers of those held, in canonical order."""
    ways = product(*(range(min(have, number), -1, -1) for have in held))
    return tuple(
        tuple(worker for worker, times in zip(WORKERS, way, strict=True) for _ in range(times))
        for way in ways
        if sum(way) == number
    )


@lru_cache(maxsize=4096)
def fitting(held: Tally, kind: int) -> Hands:
    """R5.3: the ways to occupy a box: one worker of the kind that fits, or any two."""
    return (((WORKERS[kind],),) if held[kind] else ()) + choices(held, 2)


def _hirings(state: State, seat: Seat) -> Iterator[actions.ChooseWorkers]:
    pairs = (actions.ChooseWorkers(pair) for pair in combinations_with_replacement(WORKERS, 2))
    if min(state.workers) >= 2:
        yield from pairs
        return
    # R3.4: with a short supply different choices may have the same result.
    results = set()
    for pair in pairs:
        after = take_workers(state, seat, counted(tuple([WORKERS.index(worker) for worker in pair.workers])))
        result = (tuple([each.workers for each in after.seats]), after.workers)
        if result not in results:
            results.add(result)
            yield pair


def _bank(state: State, held: Tally) -> Iterator[actions.UseBank]:
    for place, space in enumerate(state.table.components.bank.value):
        if not state.bank[place]:
            yield from (actions.UseBank(place + 1, workers) for workers in choices(held, space.workers))


def _harvests(state: State, seat: Seat) -> Iterator[actions.Harvest]:
    me = state.seats[seat]
    for area in AREAS:
        hands = fitting(me.workers, AREA_GOOD[area])
        first, last = state.table.spans[area]
        for place in range(first, last):
            if not state.boxes[2 * place] and state.table.slots[place].price <= me.coins:
                yield from (actions.Harvest(area, place - first + 1, workers) for workers in hands)


def _places(state: State, seat: Seat) -> Iterator[actions.PlaceInTown]:
    return (actions.PlaceInTown(row + 1, column + 1) for row, column in spaces(state, seat))


def _builds(state: State, seat: Seat) -> Iterator[actions.Build]:
    me, names = state.seats[seat], state.table.geometry.names
    if not me.settlements:
        return
    for hexagon in state.open:
        if covers(me.goods, state.land[hexagon].cost):
            most = most_settlements(state, seat, hexagon)
            yield actions.Build(names[hexagon])
            yield from (actions.Build(names[hexagon], number) for number in range(most - 1, 0, -1))


def _trades(
    state: State, seat: Seat
) -> Iterator[actions.TradeForGood | actions.TradeForCoins | actions.TradeForWorker]:
    yield from (
        actions.TradeForGood(good) for index, good in enumerate(SMALL_GOODS) if within_reach(state, seat, index)
    )
    yield actions.TradeForCoins()
    if surplus(state.seats[seat]):
        return
    yield from (
        actions.TradeForWorker(worker)
        for index, worker in enumerate(WORKERS)
        if within_reach(state, seat, index, workers=True)
    )


def superfluous(state: State, seat: Seat, action: actions.Action) -> bool:
    """Whether the seat ends a turn that has ended by itself."""
    return isinstance(action, actions.EndTurn) and seat not in to_act(state)


_TURNS = range(6)


def outcomes(state: State) -> Sequence[tuple[actions.ChanceAction, int]]:
    """R1.10: the outcomes in canonical order, with equal weight; empty if no draw is due."""
    match state.phase:
        case Phase.LAYING:
            return tuple(
                (actions.LayTile(tile, turned), 1)
                for tile in state.table.tiles
                if tile in state.left
                for turned in _TURNS
            )
        case Phase.START:
            return tuple((actions.LayStart(state.table.geometry.names[hexagon]), 1) for hexagon in start_hexes(state))
        case Phase.SPIN:
            return tuple((actions.Spin(segment + 1), 1) for segment in range(len(state.table.components.wheel.value)))
        case _:
            return ()
