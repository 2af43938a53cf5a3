"""Which rules a placement or a reward in town breaks, apart from its moment."""

from __future__ import annotations

from engine.games.montana.actions import PlaceInTown, TakeGoods, Upgrade
from engine.games.montana.components import GOOD_INDEX, noun
from engine.games.montana.refusals import Problems
from engine.games.montana.state import Phase, State
from engine.games.montana.town import CHOICE, UPGRADABLE, first_column, occupant, pumpkins_to_spend, row_of, row_reward
from engine.types import Seat, Violation
from engine.wording import amount


def place_problems(state: State, seat: Seat, action: PlaceInTown) -> Problems:
    """R6.2, R6.4: the space is there, right of whoever stands in the row, and can be paid."""
    parts, problems = state.table.components, Problems()
    costs, rows = parts.shop_columns.value, len(parts.shop_rows.value)
    if not (1 <= action.row <= rows and 1 <= action.column <= len(costs)):
        return [
            Violation(
                "no_such_space",
                "R1.8",
                f"The shop has rows 1 to {rows} and columns 1 to {len(costs)}; you said row {action.row}, column"
                f" {action.column}.",
            )
        ]
    leftmost = first_column(state, seat, action.row - 1)
    if action.column <= leftmost:
        there = occupant(state, seat, action.row - 1)
        column = there[1] + 1 if there else 0
        free = f"use column {leftmost + 1} or further right" if leftmost < len(costs) else "use another row"
        problems.append(
            Violation(
                "not_to_the_right", "R6.4", f"A representative stands in row {action.row}, column {column}; {free}."
            )
        )
    purse, cost = pumpkins_to_spend(state, seat), costs[action.column - 1]
    if cost > purse:
        with_it = ", the one you take counted in" if state.phase is not Phase.TOWN else ""
        problems.append(
            Violation(
                "too_few_pumpkins",
                "R6.2",
                f"Column {action.column} costs {amount(cost, 'pumpkin')}; you have {purse}{with_it}.",
            )
        )
    return problems


def reward_problems(state: State, seat: Seat, action: TakeGoods | Upgrade) -> Problems:
    """R6.8: as many goods as the row gives, of the kinds it gives."""
    if state.phase is not Phase.REWARDS or state.shop[seat] < 0:
        return []
    row, line, named = row_reward(state, seat), row_of(state, seat) + 1, len(action.goods)
    if isinstance(action, TakeGoods):
        if not row.goods:
            return [
                Violation(
                    "wrong_reward",
                    "R6.8",
                    f"Row {line} gives no goods to take; name up to {amount(row.upgrades, 'good')} to upgrade.",
                )
            ]
        problems = [
            Violation("not_in_row", "R6.8", f"Row {line} gives wheat, small copper and small stone; not {noun(good)}.")
            for good in dict.fromkeys(action.goods)
            if good not in CHOICE
        ]
        if named != row.goods:
            problems.append(
                Violation(
                    "wrong_number", "R6.8", f"Row {line} gives exactly {amount(row.goods, 'good')}; you named {named}."
                )
            )
        return problems
    if row.goods:
        return [
            Violation("wrong_reward", "R6.8", f"Row {line} upgrades nothing; name {amount(row.goods, 'good')} to take.")
        ]
    problems = []
    for good in dict.fromkeys(action.goods):
        held = state.seats[seat].goods[GOOD_INDEX[good]]
        if good not in UPGRADABLE:
            problems.append(
                Violation(
                    "not_upgradable", "R6.8", f"Only small copper and small stone are upgraded; not {noun(good)}."
                )
            )
        elif action.goods.count(good) > held:
            problems.append(
                Violation(
                    "too_few_goods",
                    "R6.8",
                    f"You named {action.goods.count(good)} {noun(good)} to upgrade and have {held}.",
                )
            )
    if named > row.upgrades:
        problems.append(
            Violation("wrong_number", "R6.8", f"Row {line} upgrades up to {row.upgrades}; you named {named}.")
        )
    return problems
