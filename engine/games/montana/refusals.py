"""Every rule that an action breaks, in the order of correction: phase, land, town, workers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from engine.documents import to_document
from engine.games.montana import actions
from engine.games.montana.components import (
    GOOD_INDEX,
    GOODS,
    SMALL_GOODS,
    WORKER_INDEX,
    WORKERS,
    ShopRow,
    Terrain,
    Worker,
)
from engine.games.montana.landscape import most_settlements
from engine.games.montana.legal import candidates, end, prompt
from engine.games.montana.state import MOST_BUILT, MOST_SEGMENTS, WHEAT, Phase, SeatState, State, Tally, covers, surplus
from engine.games.montana.supply import within_reach
from engine.games.montana.town import CHOICE, UPGRADABLE, first_column, occupant, pumpkins_to_spend, row_of, row_reward
from engine.types import Problem, Seat, Statement

_MOMENTS: Final = {
    actions.Recruit: (Phase.TURN,),
    actions.UseBank: (Phase.TURN,),
    actions.Harvest: (Phase.TURN,),
    actions.Build: (Phase.TURN, Phase.BUILDING),
    actions.PlaceInTown: (Phase.TURN, Phase.TOWN),
    actions.MoveArrow: (Phase.RECRUITED,),
    actions.HarvestAgain: (Phase.HARVESTED,),
    actions.ChooseWorkers: (Phase.CHOOSE,),
    actions.Pass: (Phase.TOWN,),
    actions.TakeGoods: (Phase.REWARDS,),
    actions.Upgrade: (Phase.REWARDS,),
    actions.EndTurn: (Phase.RECRUITED, Phase.HARVESTED, Phase.BUILDING, Phase.DONE),
    actions.UseCanteen: (Phase.RECRUITED, Phase.HARVESTED, Phase.BUILDING, Phase.DONE),
}
"""The phases in which each action is possible; returning and trading do not depend on the phase."""


_WAYS: Final[Mapping[str, tuple[type[actions.Action], ...]]] = {
    "recruit": (actions.Recruit,),
    "harvest": (actions.UseBank, actions.Harvest, actions.PlaceInTown),
    "build": (actions.Build,),
}
"""What a seat may do in its turn: the kinds of actions with which it begins."""
_FURTHER: Final[Mapping[Phase, type[actions.Action]]] = {
    Phase.RECRUITED: actions.MoveArrow,
    Phase.HARVESTED: actions.HarvestAgain,
    Phase.BUILDING: actions.Build,
}
"""What the phase leaves to do before the turn ends."""


def problems(state: State, seat: Seat, action: actions.Action) -> Iterator[Problem]:
    """Every rule that the action of an awaited seat breaks; nothing if it is legal."""
    out_of_turn = _moment_problem(state, seat, action)
    if out_of_turn is not None:
        yield out_of_turn
    match action:
        case actions.Harvest():
            yield from harvest_problems(state, seat, action)
        case actions.UseBank():
            yield from bank_problems(state, seat, action)
        case actions.PlaceInTown():
            yield from place_problems(state, seat, action)
        case actions.Build():
            yield from build_problems(state, seat, action)
        case actions.TradeForGood() | actions.TradeForCoins() | actions.TradeForWorker():
            yield from trade_problems(state, seat, action)
        case actions.ReturnWorkers():
            yield from return_problems(state, seat, action)
        case actions.MoveArrow():
            yield from arrow_problems(state, seat, action)
        case actions.HarvestAgain():
            yield from again_problems(state, seat, action)
        case actions.ChooseWorkers():
            yield from choice_problems(action)
        case actions.TakeGoods() | actions.Upgrade():
            yield from reward_problems(state, seat, action)
        case actions.UseCanteen() if not state.seats[seat].canteens:
            yield Problem("no_canteen", "R8.6")


def own_prompt(state: State, seat: Seat) -> Statement:
    """What the awaited seat itself is asked: of what ``prompt`` names, what is legal for it."""
    if surplus(state.seats[seat]) or state.phase in (Phase.CHOOSE, Phase.TOWN, Phase.REWARDS):
        return prompt(state, seat)
    legal = {type(action) for action in candidates(state, seat) if not any(problems(state, seat, action))}
    if state.phase is Phase.TURN:
        return Statement(
            "turn", {"possible": tuple(way for way, kinds in _WAYS.items() if not legal.isdisjoint(kinds))}
        )
    further = _FURTHER.get(state.phase)
    if further in legal:
        return prompt(state, seat)
    return end(
        trade=not legal.isdisjoint((actions.TradeForGood, actions.TradeForCoins, actions.TradeForWorker)),
        canteen=actions.UseCanteen in legal,
    )


def _moment_problem(state: State, seat: Seat, action: actions.Action) -> Problem | None:
    if isinstance(
        action, actions.ReturnWorkers | actions.TradeForGood | actions.TradeForCoins | actions.TradeForWorker
    ):
        return None
    if surplus(state.seats[seat]):
        return Problem("return_first", "R3.5", {"asked": _asked(state, seat)})
    moments = _MOMENTS.get(type(action))
    if moments is None or state.phase in moments:
        return None
    match state.phase:
        case Phase.CHOOSE:
            return Problem("choose_first", "R4.2")
        case Phase.TURN:
            return _nothing_done_yet(action)
        case Phase.TOWN:
            return Problem("in_town", "R6.3", {"asked": _asked(state, seat)})
        case Phase.REWARDS:
            return Problem("reward_due", "R6.9", {"asked": _asked(state, seat)})
        case _:
            return _action_taken(state, seat, action)


def _asked(state: State, seat: Seat) -> Mapping[str, Any]:
    asked: Mapping[str, Any] = to_document(own_prompt(state, seat))
    return asked


def _nothing_done_yet(action: actions.Action) -> Problem:
    match action:
        case actions.MoveArrow():
            return Problem("spin_first", "R4.3")
        case actions.HarvestAgain():
            return Problem("harvest_first", "R5.6")
        case _:
            found = _OUT_OF_PLACE.get(type(action))
            return Problem(*found, {"asked": None}) if found else Problem("act_first", "R3.2")


def _action_taken(state: State, seat: Seat, action: actions.Action) -> Problem:
    match action:
        case actions.MoveArrow():
            code, rule = ("arrow_moved", "R4.4") if state.spins else ("no_spin", "R4.3")
        case actions.HarvestAgain():
            code, rule = ("small_box_used" if state.slot >= 0 else "no_slot"), "R5.6"
        case _:
            code, rule = _OUT_OF_PLACE.get(type(action), ("action_taken", "R3.2"))
    return Problem(code, rule, {"asked": _asked(state, seat)})


_OUT_OF_PLACE: Final[Mapping[type[actions.Action], tuple[str, str]]] = {
    actions.ChooseWorkers: ("nothing_to_choose", "R4.2"),
    actions.Pass: ("nobody_in_town", "R6.3"),
    actions.TakeGoods: ("no_reward_due", "R6.7"),
    actions.Upgrade: ("no_reward_due", "R6.7"),
}
"""Code and rule of what only answers a question, where that is not asked."""
_MOST_NAMED: Final = 8


def build_problems(state: State, seat: Seat, action: actions.Build) -> Iterator[Problem]:
    """R7: problems with the number of settlements, the hex and the goods to pay."""
    me = state.seats[seat]
    if state.phase is Phase.BUILDING and state.built >= MOST_BUILT:
        yield Problem("three_built", "R7.3")
    if not me.settlements:
        yield Problem("no_settlement_left", "R7.10")
    hexagon = state.table.geometry.index.get(action.hex)
    if hexagon is None:
        yield Problem("no_such_hex", "R1.1", {"hex": action.hex, **_sites(state, me)})
        return
    ground = state.land[hexagon]
    if ground.terrain is not Terrain.PRAIRIE:
        values = {"hex": action.hex, "terrain": ground.terrain.value, **_sites(state, me)}
        yield Problem("wrong_terrain", "R7.1", values)
        return
    if hexagon == state.start or state.owners[hexagon] >= 0:
        by = "start_tile" if hexagon == state.start else "settlement"
        yield Problem("hex_taken", "R7.1", {"hex": action.hex, "by": by, **_sites(state, me)})
        return
    if hexagon not in state.open:
        yield Problem("not_adjacent", "R7.1", {"hex": action.hex, **_sites(state, me)})
    if not covers(me.goods, ground.cost):
        lacking = tuple(max(0, cost - have) for have, cost in zip(me.goods, ground.cost, strict=True))
        values = {"for": "settlement", "hex": action.hex, "cost": _goods(ground.cost), "lacking": _goods(lacking)}
        yield Problem("too_few_goods", "R7.2", {**values, **_sites(state, me)})
    if action.settlements is not None and me.settlements:
        most = most_settlements(state, seat, hexagon)
        if not 1 <= action.settlements <= most:
            values = {"hex": action.hex, "most": most, "named": action.settlements}
            yield Problem("wrong_settlements", "R7.7", values)


def _goods(goods: Tally) -> list[list[Any]]:
    """The goods with counts above 0, as [good, count] pairs."""
    return [[good.value, count] for good, count in zip(GOODS, goods, strict=True) if count]


def _sites(state: State, me: SeatState) -> Mapping[str, Any]:
    """The first few hexes on which the seat could build, and the number of further ones."""
    names = state.table.geometry.names
    sites = [names[hexagon] for hexagon in state.open if me.settlements and covers(me.goods, state.land[hexagon].cost)]
    return {"sites": sites[:_MOST_NAMED], "more": max(0, len(sites) - _MOST_NAMED)}


def place_problems(state: State, seat: Seat, action: actions.PlaceInTown) -> Iterator[Problem]:
    """R6.2, R6.4: the space has to exist, be right of a representative there, and be affordable."""
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


def reward_problems(state: State, seat: Seat, action: actions.TakeGoods | actions.Upgrade) -> Iterator[Problem]:
    """R6.8: the number and the kinds of goods have to be those that the row gives."""
    if state.phase is not Phase.REWARDS or state.shop[seat] < 0:
        return
    row, line = row_reward(state, seat), row_of(state, seat) + 1
    if isinstance(action, actions.TakeGoods):
        yield from _take_problems(row, line, action)
    else:
        yield from _upgrade_problems(state, seat, row, line, action)


def _take_problems(row: ShopRow, line: int, action: actions.TakeGoods) -> Iterator[Problem]:
    if not row.goods:
        yield Problem("wrong_reward", "R6.8", {"row": line, "goods": 0, "upgrades": row.upgrades})
        return
    for good in dict.fromkeys(action.goods):
        if good not in CHOICE:
            yield Problem("not_in_row", "R6.8", {"row": line, "good": good.value})
    if len(action.goods) != row.goods:
        values = {"row": line, "goods": row.goods, "upgrades": 0, "named": len(action.goods)}
        yield Problem("wrong_number", "R6.8", values)


def _upgrade_problems(state: State, seat: Seat, row: ShopRow, line: int, action: actions.Upgrade) -> Iterator[Problem]:
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


def harvest_problems(state: State, seat: Seat, action: actions.Harvest) -> Iterator[Problem]:
    """R5.3 to R5.5: problems with the slot, the workers and the price."""
    first, last = state.table.spans[action.area]
    place, where = first + action.slot - 1, {"area": action.area.value, "slot": action.slot}
    if not first <= place < last:
        yield Problem("no_such_slot", "R1.6", {**where, "slots": last - first})
        return
    me, slot = state.seats[seat], state.table.slots[place]
    if state.boxes[2 * place]:
        free = [other - first + 1 for other in range(first, last) if not state.boxes[2 * other]]
        yield Problem("slot_taken", "R5.3", {**where, "free": free})
    yield from _crew_problems(me, action.workers, slot.kind)
    if me.coins < slot.price:
        yield Problem("too_few_coins", "R5.4", {**where, "price": slot.price, "held": me.coins})


def again_problems(state: State, seat: Seat, action: actions.HarvestAgain) -> Iterator[Problem]:
    """R5.6: problems with the workers for the small box."""
    kind = state.table.slots[state.slot].kind if state.slot >= 0 else None
    return _crew_problems(state.seats[seat], action.workers, kind)


def bank_problems(state: State, seat: Seat, action: actions.UseBank) -> Iterator[Problem]:
    """R5.2: problems with the space and the number of its workers."""
    bank = state.table.components.bank.value
    if not 1 <= action.space <= len(bank):
        yield Problem("no_such_space", "R1.7", {"place": "bank", "spaces": len(bank), "space": action.space})
        return
    wanted, named = bank[action.space - 1].workers, len(action.workers)
    if state.bank[action.space - 1]:
        free = [place + 1 for place, crew in enumerate(state.bank) if not crew]
        yield Problem("space_taken", "R5.2", {"space": action.space, "free": free})
    if named != wanted:
        values = {"for": "bank", "space": action.space, "wanted": wanted, "named": named}
        yield Problem("wrong_workers", "R5.2", values)
    yield from _held_problems(state.seats[seat], action.workers)


def arrow_problems(state: State, seat: Seat, action: actions.MoveArrow) -> Iterator[Problem]:
    """R4.3: one to seven wheat have to be paid, and the seat has to hold them."""
    held = state.seats[seat].goods[WHEAT]
    if not 1 <= action.wheat <= MOST_SEGMENTS:
        yield Problem("wrong_segments", "R4.3", {"most": MOST_SEGMENTS, "wheat": action.wheat})
    if action.wheat > held:
        yield Problem("too_few_goods", "R4.3", {"for": "arrow", "wheat": action.wheat, "held": held})


def choice_problems(action: actions.ChooseWorkers) -> Iterator[Problem]:
    """R4.2: exactly two workers have to be named."""
    if len(action.workers) != 2:
        yield Problem("wrong_workers", "R4.2", {"for": "choice", "named": len(action.workers)})


def return_problems(state: State, seat: Seat, action: actions.ReturnWorkers) -> Iterator[Problem]:
    """R3.5: exactly the workers beyond the room for them have to be returned, from those held."""
    me = state.seats[seat]
    spare, held, named = surplus(me), sum(me.workers), len(action.workers)
    if not spare:
        yield Problem("nothing_to_return", "R3.5", {"held": held})
        return
    if named != spare:
        yield Problem("wrong_workers", "R3.5", {"for": "return", "held": held, "wanted": spare, "named": named})
    yield from _held_problems(me, action.workers)


def trade_problems(
    state: State, seat: Seat, action: actions.TradeForGood | actions.TradeForCoins | actions.TradeForWorker
) -> Iterator[Problem]:
    """R8.1 to R8.5: a trade is made in the seat's own turn, with a cow, for something available."""
    me = state.seats[seat]
    if seat != state.seat or not state.round:
        yield Problem("not_in_your_turn", "R8.3")
    if not me.cows:
        yield Problem("no_cow", "R8.1")
    if isinstance(action, actions.TradeForWorker) and surplus(me):
        yield Problem("return_first", "R8.4", {"asked": None, "held": sum(me.workers)})
    match action:
        case actions.TradeForGood(good) if good not in SMALL_GOODS:
            yield Problem("not_for_cows", "R8.1", {"good": good.value})
        case actions.TradeForGood(good) if not within_reach(state, seat, GOOD_INDEX[good]):
            yield Problem("nothing_to_take", "R8.5", {"good": good.value})
        case actions.TradeForWorker(worker) if not within_reach(state, seat, WORKER_INDEX[worker], workers=True):
            yield Problem("nothing_to_take", "R8.5", {"worker": worker.value})


def _crew_problems(me: SeatState, workers: tuple[Worker, ...], kind: int | None) -> Iterator[Problem]:
    """R5.3: one worker of the kind (by number) that fits the box, or any two, have to be named."""
    at_home = len(workers) == 1 and (kind is None or WORKER_INDEX[workers[0]] == kind)
    if len(workers) != 2 and not at_home:
        values = {"for": "box", "kind": None if kind is None else WORKERS[kind].value, "named": len(workers)}
        yield Problem("wrong_workers", "R5.3", values)
    yield from _held_problems(me, workers)


def _held_problems(me: SeatState, workers: tuple[Worker, ...]) -> Iterator[Problem]:
    """R5.1: workers that are named but not held."""
    for index, worker in enumerate(WORKERS):
        named = workers.count(worker)
        if named > me.workers[index]:
            crew = [[kind.value, count] for kind, count in zip(WORKERS, me.workers, strict=True) if count]
            values = {"worker": worker.value, "named": named, "held": me.workers[index], "workers": crew}
            yield Problem("worker_missing", "R5.1", values)
