"""R6: the order of decisions in town, the spaces for representatives, the rewards of the rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement

from engine.games.montana.actions import TakeGoods, Upgrade
from engine.games.montana.components import GOOD_INDEX, GOODS, UPGRADES, Good, ShopRow
from engine.games.montana.state import (
    NO_GOODS,
    OVERTAKEN,
    PASSED,
    PUMPKIN,
    SERVED,
    UNDECIDED,
    Event,
    Happening,
    Phase,
    State,
    Tally,
    add,
    changed,
    less,
    plus,
    with_seat,
)
from engine.games.montana.supply import give_goods, levied, take_goods
from engine.types import Seat

CHOICE = (Good.WHEAT, Good.COPPER, Good.STONE)
"""R6.8: the goods that can be chosen as a reward."""
UPGRADABLE = (Good.COPPER, Good.STONE)


def enter(state: State) -> State:
    """R6.1: the state after the seat has entered the town, before it places its representative."""
    return changed(take_goods(state, state.seat, plus(NO_GOODS, PUMPKIN)), phase=Phase.TOWN)


def pumpkins_to_spend(state: State, seat: Seat) -> int:
    """R6.2: the pumpkins with which a seat could pay, once it has entered the town."""
    held = state.seats[seat].goods[PUMPKIN]
    if state.phase is Phase.TOWN:
        return held
    if state.goods[PUMPKIN]:
        return held + 1
    after, left = levied([each.goods[PUMPKIN] for each in state.seats], 0, 1)
    return after[seat] + min(left, 1)


def occupant(state: State, seat: Seat, row: int) -> tuple[Seat, int] | None:
    """The other seat whose representative is in a row of the shop, with its column; or ``None``."""
    columns = len(state.table.components.shop_columns.value)
    for other, place in enumerate(state.shop):
        if other != seat and place >= 0 and place // columns == row:
            return other, place % columns
    return None


def first_column(state: State, seat: Seat, row: int) -> int:
    """R6.4: the leftmost column of a row that the seat may use."""
    there = occupant(state, seat, row)
    return 0 if there is None else there[1] + 1


def spaces(state: State, seat: Seat) -> Iterator[tuple[int, int]]:
    """The rows and columns (from 0) that the seat may place its representative on, row by row."""
    parts, purse = state.table.components, pumpkins_to_spend(state, seat)
    costs = parts.shop_columns.value
    for row in range(len(parts.shop_rows.value)):
        for column in range(first_column(state, seat, row), len(costs)):
            if costs[column] <= purse:
                yield row, column


def placed(state: State, seat: Seat, row: int, column: int) -> State:
    """R6.4, R6.5: the state after the representative is placed. The seat it has overtaken has to
    move next; if there is none, the next undecided seat is awaited.
    """
    there = occupant(state, seat, row)
    shop = list(state.shop)
    shop[seat] = row * len(state.table.components.shop_columns.value) + column
    if there is not None:
        shop[there[0]] = OVERTAKEN
        return changed(state, shop=tuple(shop), awaited=there[0])
    return next_in_town(changed(state, shop=tuple(shop)))


def passed(state: State, seat: Seat) -> State:
    """R6.6: the state after a seat has passed."""
    return next_in_town(changed(state, shop=_with(state.shop, seat, PASSED)))


def next_in_town(state: State) -> State:
    """R6.3, R6.7: the next undecided seat is awaited; when there is none, the rewards begin."""
    order = [(state.seat + step) % state.table.seats for step in range(state.table.seats)]
    for seat in order:
        if state.shop[seat] == UNDECIDED:
            return changed(state, awaited=seat)
    return next_reward(changed(state, phase=Phase.REWARDS))


def next_reward(state: State) -> State:
    """R6.7: the next seat is awaited for its reward; after the last, all leave the shop."""
    for step in range(state.table.seats):
        seat = (state.seat + step) % state.table.seats
        if state.shop[seat] >= 0:
            return changed(state, awaited=seat)
    return changed(state, phase=Phase.DONE, awaited=state.seat, shop=(UNDECIDED,) * state.table.seats)


def unasked(state: State) -> State:
    """R6.9, R6.10: the state after the awaited seat was skipped or rewarded without a decision."""
    seat = state.awaited
    # R8.3: the seat whose turn it is may still trade a cow before it answers.
    trading = seat == state.seat and state.seats[seat].cows > 0
    if state.phase is Phase.TOWN:
        if trading or next(spaces(state, seat), None) is not None:
            return state
        return passed(_told(state, Event(Happening.PASSED, seat)), seat)
    if state.seats[seat].goods[PUMPKIN] < price(state, seat):
        # R6.11: the seat may have had to give back pumpkins since it placed its representative.
        return next_reward(
            _told(changed(state, shop=_with(state.shop, seat, PASSED)), Event(Happening.CANNOT_PAY, seat))
        )
    if trading and max(row_reward(state, seat).goods, row_reward(state, seat).upgrades):
        return state
    found = rewards(state, seat)
    return rewarded(state, seat, found[0]) if len(found) == 1 else state


def row_of(state: State, seat: Seat) -> int:
    """The row (from 0) of the seat's representative."""
    return state.shop[seat] // len(state.table.components.shop_columns.value)


def row_reward(state: State, seat: Seat) -> ShopRow:
    """The row of the shop with the seat's representative."""
    return state.table.components.shop_rows.value[row_of(state, seat)]


def price(state: State, seat: Seat) -> int:
    """The price in pumpkins of the column of the seat's representative."""
    costs = state.table.components.shop_columns.value
    return costs[state.shop[seat] % len(costs)]


def rewards(state: State, seat: Seat) -> list[TakeGoods | Upgrade]:
    """R6.8: the actions that take the reward, in canonical order, one for each different result."""
    row, me = row_reward(state, seat), state.seats[seat]
    named: list[TakeGoods | Upgrade] = []
    if row.goods:
        named += [TakeGoods(goods) for goods in combinations_with_replacement(CHOICE, row.goods)]
    else:
        held = [good for good in UPGRADABLE for _ in range(min(me.goods[GOOD_INDEX[good]], row.upgrades))]
        most = min(len(held), row.upgrades)
        sets = {
            Upgrade(goods)
            for number in range(most + 1)
            for goods in combinations_with_replacement(UPGRADABLE, number)
            if _among(goods, held)
        }
        named += sorted(sets, key=lambda each: (len(each.goods), [GOOD_INDEX[good] for good in each.goods]))
    if _plenty(state, row):
        return named
    # R3.4: with a short supply different names may come to the same.
    results: dict[tuple[object, Tally], TakeGoods | Upgrade] = {}
    for each in named:
        after = _given(state, seat, each)
        results.setdefault((after.seats, after.goods), each)
    return list(results.values())


def rewarded(state: State, seat: Seat, action: TakeGoods | Upgrade) -> State:
    """R6.7, R6.8: the state after the seat has paid and taken its reward; the next is awaited."""
    row, cost = row_of(state, seat), price(state, seat)
    cows = min(row_reward(state, seat).cows, state.cows)
    event = Event(Happening.REWARDED, seat, str(cost), row, cows)
    state = _told(give_goods(state, seat, plus(NO_GOODS, PUMPKIN, cost)), event)
    state = _given(state, seat, action)
    return next_reward(changed(state, shop=_with(state.shop, seat, SERVED)))


def goods_after(state: State, seat: Seat) -> list[Tally]:
    """The goods of the seat, which can pay, after each of its ``rewards``, in their order."""
    row, found = row_reward(state, seat), rewards(state, seat)
    if not _plenty(state, row):
        return [rewarded(state, seat, action).seats[seat].goods for action in found]
    paid = plus(state.seats[seat].goods, PUMPKIN, -price(state, seat))
    named = [tally(action.goods) for action in found]
    return [add(paid, goods) if row.goods else add(less(paid, goods), _enlarged(goods)) for goods in named]


def _given(state: State, seat: Seat, action: TakeGoods | Upgrade) -> State:
    row, me = row_reward(state, seat), state.seats[seat]
    cows = min(row.cows, state.cows)
    if cows or row.coins:
        state = changed(
            state,
            cows=state.cows - cows,
            seats=with_seat(state, seat, replace(me, cows=me.cows + cows, coins=me.coins + row.coins)),
        )
    if isinstance(action, TakeGoods):
        return take_goods(state, seat, tally(action.goods))
    return upgraded(state, seat, tally(action.goods))


def upgraded(state: State, seat: Seat, given: Tally) -> State:
    """R6.8, R3.4: the state after small goods became large ones, as far as there are some."""
    for small, large in UPGRADES.items():
        if given[small]:
            _, left = levied([each.goods[large] for each in state.seats], state.goods[large], given[small])
            state = take_goods(state, seat, plus(NO_GOODS, large, given[small]))
            state = give_goods(state, seat, plus(NO_GOODS, small, min(left, given[small])))
    return state


def tally(goods: tuple[Good, ...]) -> Tally:
    """The goods as counts."""
    return tuple([goods.count(good) for good in GOODS])


def _plenty(state: State, row: ShopRow) -> bool:
    """Whether the supply has enough for every possible reward of the row."""
    return min(state.goods[:PUMPKIN] + state.goods[PUMPKIN + 1 :]) >= row.goods + row.upgrades


def _enlarged(goods: Tally) -> Tally:
    large = list(NO_GOODS)
    for small, big in UPGRADES.items():
        large[big] = goods[small]
    return tuple(large)


def _among(goods: tuple[Good, ...], held: list[Good]) -> bool:
    return all(goods.count(good) <= held.count(good) for good in goods)


def _with(shop: tuple[int, ...], seat: Seat, place: int) -> tuple[int, ...]:
    return (*shop[:seat], place, *shop[seat + 1 :])


def _told(state: State, event: Event) -> State:
    return changed(state, events=(*state.events, event))
