"""Estimates the position of a seat in points, ten for a settlement; for bots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from engine.games.montana.board import Geometry
from engine.games.montana.landscape import lines_made
from engine.games.montana.score import outcome
from engine.games.montana.state import (
    MOST_BUILT,
    OVERTAKEN,
    PUMPKIN,
    UNDECIDED,
    WORKER_ROOM,
    Ground,
    Phase,
    SeatState,
    State,
    Tally,
)
from engine.games.montana.town import goods_after, price, row_reward
from engine.types import Seat

Site: TypeAlias = tuple[int, float, Tally]
"""An open hex: the number of settlements it takes, the value of what else it gives, its cost."""
_Target: TypeAlias = tuple[float, float, int, float, Tally]
"""A ``Site``, preceded by the value of the goods there and the share that they cover."""
SETTLEMENT: Final = 10.0
_WORKERS: Final = (2.4, 2.2, 2.0, 1.8, 1.3, 0.8, 0.4, 0.1)
"""The value of the first worker, the second and so on."""
_COINS: Final = ((10, 0.8), (8, 0.4), (999, 0.1))
_COWS: Final = (1.8, 1.4, 1.0, 0.6, 0.3)
_CANTEEN: Final = 1.2
_CANTEEN_FOUND: Final = 4.0
_TURN: Final = 1.6
_SPARE: Final = (0.0, 0.6, 0.9, 1.0)
_SPARE_GOODS: Final = (_SPARE, (0.0, 0.8, 2.2, 2.9, 3.3), _SPARE, _SPARE, (0.0, 1.2, 1.8), (0.0, 1.2, 1.8))
"""The value of the goods that remain after the best hexes, by good and number."""
_BEGUN: Final = 0.62
_STEEP: Final = 1.4
"""Exponent of the covered share of a cost: half of two hexes is worth less than one."""
_READY: Final = 0.72
_BUILDING: Final = 0.97
_SECOND_CHOICE: Final = 0.1
_IDLE: Final = 1.0
_WON: Final = 200.0
"""More than all savings can be worth, so that a seat that wins by ending the match ends it."""
_TIE: Final = 0.3
_RIVAL: Final = 0.25
_LOOKED_AT: Final = 2 * MOST_BUILT
"""The number of best hexes that are compared."""
_ENTRY: Final = 8.0
"""The value of a reward in the town of another seat."""
_GOES_TO_TOWN: Final = 0.5
"""The probability that a seat that could go to town does so before one's own next turn."""
_FIRST_LARGE: Final = 4
_LATER: Final = (0.1, 0.5, 0.75, 0.9, 1.0)
"""The factor for workers, coins and cows, by the fewest settlements left to another seat."""
_WANTED: Final = 0.12
"""The probability that another seat wants a good of a row."""


def evaluate(state: State, seat: Seat) -> float:
    """The value of what the seat has and can build, less a share of the best rival's."""
    me, best = state.seats[seat], max(-other.settlements for number, other in enumerate(state.seats) if number != seat)
    worth = -SETTLEMENT * me.settlements - _RIVAL * SETTLEMENT * best
    if (over := outcome(state)) is not None:
        return worth + (_WON if over.ranks[seat] == 1 else -_WON)
    if state.ending is not None and seat <= state.seat:
        return worth + _at_the_end(state, seat, me) + (_WON if me.settlements <= -best else 0)
    later = _LATER[min(-best, len(_LATER) - 1)]
    worth += later * (sum(_COWS[: me.cows]) + _purse(me.coins) + _crew(state, seat, me)) + _CANTEEN * me.canteens
    if state.phase is Phase.TURN and seat == state.seat:
        worth += _TURN
    if state.phase in (Phase.TOWN, Phase.REWARDS) and state.shop[seat] >= 0:
        return worth + _in_town(state, seat, later)
    return worth + _plans(state, seat, me.goods) + later * _entry(state, seat, me.goods[PUMPKIN])


def _at_the_end(state: State, seat: Seat, me: SeatState) -> float:
    """R9.3: the value in a seat's last turn and after it: what it can build, and tie-breakers."""
    worth = _TIE * (me.cows + me.canteens) + 0.02 * _TIE * (sum(me.goods) + me.coins + sum(me.workers))
    if seat == state.seat and state.phase in (Phase.TURN, Phase.BUILDING):
        worth += _plans(state, seat, me.goods)
    return worth


def _purse(coins: int) -> float:
    worth = 0.0
    for many, each in _COINS:
        worth += each * min(coins, many)
        coins = max(0, coins - many)
    return worth


def _crew(state: State, seat: Seat, me: SeatState) -> float:
    number = sum(me.workers)
    if seat == state.seat and state.phase in (Phase.SPIN, Phase.CHOOSE):
        number += 2
        if number > WORKER_ROOM:
            return -_IDLE + sum(_WORKERS)
    variety = len([count for count in me.workers if count > 0])
    return sum(_WORKERS[: min(number, len(_WORKERS))]) + 0.2 * variety


def _entry(state: State, seat: Seat, pumpkins: int) -> float:
    """The value of enough pumpkins for the town of another seat, by how many may go there."""
    first = state.table.components.shop_columns.value[0]
    if pumpkins < first:
        return 0.0
    idle = 1.0
    for number, other in enumerate(state.seats):
        # R6.1: who goes to town as its turn takes a pumpkin there.
        if number != seat and other.goods[PUMPKIN] >= first - 1:
            idle *= 1 - _GOES_TO_TOWN
    return _ENTRY * (1 - idle)


def _in_town(state: State, seat: Seat, later: float) -> float:
    """The value of the best reward in the row, less if another seat may still take the row."""
    row, me, cost = row_reward(state, seat), state.seats[seat], price(state, seat)
    nothing = _plans(state, seat, me.goods)
    if me.goods[PUMPKIN] < cost:
        return nothing + later * _entry(state, seat, me.goods[PUMPKIN])
    cows = min(row.cows, state.cows)
    gain = sum(_COWS[me.cows : me.cows + cows]) + _purse(me.coins + row.coins) - _purse(me.coins)
    gain += max(_plans(state, seat, goods) for goods in goods_after(state, seat)) - nothing
    if gain > 0 and any(_may_overtake(state, other, cost) for other in range(len(state.seats)) if other != seat):
        gain *= 1 - _WANTED * (row.goods + row.cows + 0.5 * row.upgrades)
    return nothing + gain + later * _entry(state, seat, me.goods[PUMPKIN] - cost)


def _may_overtake(state: State, other: Seat, cost: int) -> bool:
    return (
        state.phase is Phase.TOWN
        and state.shop[other] in (UNDECIDED, OVERTAKEN)
        and state.seats[other].goods[PUMPKIN] > cost
    )


def _plans(state: State, seat: Seat, goods: Tally) -> float:
    """The value of the goods on the open hexes that they fit best, and of the rest."""
    view = _View(
        seat,
        state.seats[seat].settlements,
        state.open,
        state.owners,
        state.cattle,
        state.canteens,
        state.land,
        state.table.geometry,
    )
    if state.phase is Phase.BUILDING and seat == state.seat:
        return _worth(view, goods, MOST_BUILT - state.built, _BUILDING)
    return _worth(view, goods, MOST_BUILT, _READY)


@dataclass(frozen=True, slots=True)
class _View:
    """What the sites of a seat depend on: the key of a cache, as most actions do not change it."""

    seat: Seat
    settlements: int
    open: tuple[int, ...]
    owners: tuple[int, ...]
    cattle: frozenset[int]
    canteens: frozenset[int]
    land: tuple[Ground, ...]
    geometry: Geometry

    def __hash__(self) -> int:
        return hash((self.seat, self.settlements, self.open, self.owners))


@lru_cache(maxsize=256)
def _sites(view: _View) -> tuple[Site, ...]:
    """The open hexes as sites; none if the seat has no settlement left."""
    return tuple([_site(view, hexagon) for hexagon in view.open]) if view.settlements else ()


def _site(view: _View, hexagon: int) -> Site:
    ground, around, owners = view.land[hexagon], view.geometry.around[hexagon], view.owners
    number, extra = 2 if ground.double else 1, 0.0
    for other in around:
        if owners[other] == view.seat:
            number += lines_made(view.geometry, owners, view.seat, hexagon)
            break
    if hexagon in view.cattle:
        extra += _COWS[0]
    if view.canteens:
        extra += _CANTEEN_FOUND * len(view.canteens.intersection(around))
    return number, extra, ground.cost


@lru_cache(maxsize=8192)
def _worth(view: _View, goods: Tally, room: int, ready: float) -> float:
    """The value of the goods on the open hexes, in the best of the orders that are compared."""
    targets = []
    for number, extra, cost in _sites(view):
        progress = _progress(goods, cost, ready)
        targets.append(((SETTLEMENT * min(number, view.settlements) + extra) * progress, progress, number, extra, cost))
    targets.sort(reverse=True)
    best = targets[:_LOOKED_AT]
    orders = [[target, *best[:place], *best[place + 1 :]] for place, target in enumerate(best)]
    orders.append(
        [target for target in targets if target[1] == ready] + [target for target in targets if target[1] < ready]
    )
    return max(_spent(order, goods, view.settlements, room, ready) for order in orders)


def _spent(targets: Sequence[_Target], goods: Tally, settlements: int, room: int, ready: float) -> float:
    """The value of the goods spent on the targets in this order, ``room`` now, and of the rest."""
    total, left = 0.0, goods
    for _, _, number, extra, cost in targets[:_LOOKED_AT]:
        progress = _progress(left, cost, ready)
        if progress and (not room or not settlements):
            total += _SECOND_CHOICE * SETTLEMENT * progress
            break
        if progress:
            built = min(number, settlements)
            total += (SETTLEMENT * built + extra) * progress
            left = _without(left, cost)
            room, settlements = room - 1, settlements - built
    return total + _left_over(left)


@lru_cache(maxsize=8192)
def _left_over(goods: Tally) -> float:
    return sum([worth[min(held, len(worth) - 1)] for held, worth in zip(goods, _SPARE_GOODS, strict=True)])


@lru_cache(maxsize=8192)
def _without(goods: Tally, cost: Tally) -> Tally:
    """The goods left after paying for a hex; for each missing large good a small one is removed."""
    left = [held - price for held, price in zip(goods, cost, strict=True)]
    for large in range(_FIRST_LARGE, len(left)):
        if left[large] < 0:
            left[large - 2] += left[large]
    return tuple([max(0, held) for held in left])


@lru_cache(maxsize=8192)
def _progress(goods: Tally, cost: Tally, ready: float) -> float:
    """The value of the covered share of a cost; a small good is half of a missing large one."""
    missing = 0.0
    for index, wanted in enumerate(cost):
        if (lacking := wanted - goods[index]) > 0:
            missing += lacking
            if index >= _FIRST_LARGE and (spare := goods[index - 2] - cost[index - 2]) > 0:
                missing -= 0.5 * min(spare, lacking)
    return _BEGUN * (1 - missing / sum(cost)) ** _STEEP if missing else ready
