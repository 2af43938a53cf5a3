"""R6: the problems of placements and rewards in town, except those of the phase."""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.montana.actions import PlaceInTown, TakeGoods, Upgrade
from engine.games.montana.components import GOOD_INDEX, ShopRow
from engine.games.montana.state import Phase, State
from engine.games.montana.town import CHOICE, UPGRADABLE, first_column, occupant, pumpkins_to_spend, row_of, row_reward
from engine.types import Problem, Seat


def place_problems(state: State, seat: Seat, action: PlaceInTown) -> Iterator[Problem]:
    """R6.2, R6.4: the space has to exist, to be right of the other representative in the row, and
    to be affordable.
    """
    parts = state.table.components
    costs, rows = parts.shop_columns.value, len(parts.shop_rows.value)
    row, column = action.row, action.column
    if not (1 <= row <= rows and 1 <= column <= len(costs)):
        values = {"place": "shop", "rows": rows, "columns": len(costs), "row": row, "column": column}
        yield Problem("no_such_space", "R1.8", values)
        return
    leftmost = first_column(state, seat, row - 1)
    if column <= leftmost:
        there = occupant(state, seat, row - 1)
        free_from = leftmost + 1 if leftmost < len(costs) else None
        values = {"row": row, "column": there[1] + 1 if there else 0, "free_from": free_from}
        yield Problem("not_to_the_right", "R6.4", values)
    purse, cost = pumpkins_to_spend(state, seat), costs[column - 1]
    if cost > purse:
        values = {"column": column, "cost": cost, "held": purse, "one_to_come": state.phase is not Phase.TOWN}
        yield Problem("too_few_pumpkins", "R6.2", values)


def reward_problems(state: State, seat: Seat, action: TakeGoods | Upgrade) -> Iterator[Problem]:
    """R6.8: the number and the kinds of goods have to be those that the row gives."""
    if state.phase is not Phase.REWARDS or state.shop[seat] < 0:
        return
    row, line = row_reward(state, seat), row_of(state, seat) + 1
    if isinstance(action, TakeGoods):
        yield from _take_problems(row, line, action)
    else:
        yield from _upgrade_problems(state, seat, row, line, action)


def _take_problems(row: ShopRow, line: int, action: TakeGoods) -> Iterator[Problem]:
    if not row.goods:
        yield Problem("wrong_reward", "R6.8", {"row": line, "goods": 0, "upgrades": row.upgrades})
        return
    for good in dict.fromkeys(action.goods):
        if good not in CHOICE:
            yield Problem("not_in_row", "R6.8", {"row": line, "good": good.value})
    if len(action.goods) != row.goods:
        values = {"row": line, "goods": row.goods, "upgrades": 0, "named": len(action.goods)}
        yield Problem("wrong_number", "R6.8", values)


def _upgrade_problems(state: State, seat: Seat, row: ShopRow, line: int, action: Upgrade) -> Iterator[Problem]:
    if row.goods:
        yield Problem("wrong_reward", "R6.8", {"row": line, "goods": row.goods})
        return
    for good in dict.fromkeys(action.goods):
        named, held = action.goods.count(good), state.seats[seat].goods[GOOD_INDEX[good]]
        if good not in UPGRADABLE:
            yield Problem("not_upgradable", "R6.8", {"good": good.value})
        elif named > held:
            yield Problem("too_few_goods", "R6.8", {"for": "upgrade", "good": good.value, "named": named, "held": held})
    if len(action.goods) > row.upgrades:
        values = {"row": line, "goods": 0, "upgrades": row.upgrades, "named": len(action.goods)}
        yield Problem("wrong_number", "R6.8", values)
