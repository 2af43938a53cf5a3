"""Which rules an action on the workers' board, the wheel, the landscape or the cows breaks, apart
from its moment.
"""

from __future__ import annotations

from typing import TypeAlias

from engine.games.montana.actions import (
    Build,
    ChooseWorkers,
    Harvest,
    HarvestAgain,
    MoveArrow,
    ReturnWorkers,
    TradeForCoins,
    TradeForGood,
    TradeForWorker,
    UseBank,
)
from engine.games.montana.components import GOOD_INDEX, GOODS, SMALL_GOODS, WORKER_INDEX, WORKERS, Terrain, Worker, noun
from engine.games.montana.landscape import most_settlements
from engine.games.montana.state import MOST_BUILT, MOST_SEGMENTS, WHEAT, Phase, SeatState, State, Tally, surplus
from engine.games.montana.supply import within_reach
from engine.types import Seat, Violation
from engine.wording import amount, listed

Problems: TypeAlias = list[Violation]
_MOST_NAMED = 8


def harvest_problems(state: State, seat: Seat, action: Harvest) -> Problems:
    """R5.3 to R5.5: the slot, the workers, the price."""
    first, last = state.table.spans[action.area]
    place, where = first + action.slot - 1, noun(action.area)
    if not first <= place < last:
        return [Violation("no_such_slot", "R1.6", f"The {where} has slots 1 to {last - first}, not {action.slot}.")]
    me, slot, problems = state.seats[seat], state.table.slots[place], Problems()
    if state.boxes[2 * place]:
        free = [str(other - first + 1) for other in range(first, last) if not state.boxes[2 * other]]
        problems.append(
            Violation(
                "slot_taken", "R5.3", f"Slot {action.slot} of the {where} is taken; free there: {', '.join(free)}."
            )
        )
    problems += _crew_problems(me, action.workers, slot.kind)
    if me.coins < slot.price:
        problems.append(
            Violation(
                "too_few_coins",
                "R5.4",
                f"Slot {action.slot} of the {where} costs {amount(slot.price, 'coin')}; you have {me.coins}.",
            )
        )
    return problems


def again_problems(state: State, seat: Seat, action: HarvestAgain) -> Problems:
    """R5.6: the workers for the small box."""
    kind = state.table.slots[state.slot].kind if state.slot >= 0 else None
    return _crew_problems(state.seats[seat], action.workers, kind)


def bank_problems(state: State, seat: Seat, action: UseBank) -> Problems:
    """R5.2: the space, and exactly its workers."""
    bank = state.table.components.bank.value
    if not 1 <= action.space <= len(bank):
        return [Violation("no_such_space", "R1.7", f"The bank has spaces 1 to {len(bank)}, not {action.space}.")]
    problems, wanted = Problems(), bank[action.space - 1].workers
    if state.bank[action.space - 1]:
        free = [str(place + 1) for place, crew in enumerate(state.bank) if not crew]
        problems.append(
            Violation("space_taken", "R5.2", f"Space {action.space} of the bank is taken; free: {', '.join(free)}.")
        )
    if len(action.workers) != wanted:
        named = len(action.workers)
        problems.append(
            Violation(
                "wrong_workers",
                "R5.2",
                f"Space {action.space} of the bank takes exactly {amount(wanted, 'worker')}; you named {named}.",
            )
        )
    return problems + held_problems(state.seats[seat], action.workers)


def arrow_problems(state: State, seat: Seat, action: MoveArrow) -> Problems:
    """R4.3: one to seven wheat, and as many in hand."""
    problems, held = Problems(), state.seats[seat].goods[WHEAT]
    if not 1 <= action.wheat <= MOST_SEGMENTS:
        problems.append(
            Violation(
                "wrong_segments",
                "R4.3",
                f"The arrow moves 1 to {MOST_SEGMENTS} segments, a wheat for each; you said {action.wheat}.",
            )
        )
    if action.wheat > held:
        problems.append(
            Violation(
                "too_few_goods",
                "R4.3",
                f"Moving the arrow {amount(action.wheat, 'segment')} costs {action.wheat} wheat; you have {held}.",
            )
        )
    return problems


def choice_problems(action: ChooseWorkers) -> Problems:
    """R4.2: two workers."""
    if len(action.workers) == 2:
        return []
    return [Violation("wrong_workers", "R4.2", f"Choose exactly two workers; you named {len(action.workers)}.")]


def return_problems(state: State, seat: Seat, action: ReturnWorkers) -> Problems:
    """R3.5: exactly as many as there is no room for."""
    me = state.seats[seat]
    spare = surplus(me)
    if not spare:
        return [
            Violation(
                "nothing_to_return",
                "R3.5",
                f"Workers go back only when there are more than eight; you have {sum(me.workers)}.",
            )
        ]
    problems = held_problems(me, action.workers)
    if len(action.workers) != spare:
        named = len(action.workers)
        problems.insert(
            0,
            Violation(
                "wrong_workers",
                "R3.5",
                f"You have {sum(me.workers)} workers and room for eight: return exactly {spare}, not {named}.",
            ),
        )
    return problems


def trade_problems(state: State, seat: Seat, action: TradeForGood | TradeForCoins | TradeForWorker) -> Problems:
    """R8.1 to R8.5: in the own turn, for a cow, and for something that can be had."""
    problems, me = Problems(), state.seats[seat]
    if seat != state.seat or not state.round:
        problems.append(Violation("not_in_your_turn", "R8.3", "Cows are traded in your own turn only."))
    if not me.cows:
        problems.append(
            Violation(
                "no_cow", "R8.1", "You have no cow to trade; a settlement on a hex with a cow, or the shop, gives one."
            )
        )
    if isinstance(action, TradeForWorker) and surplus(me):
        problems.append(
            Violation(
                "return_first",
                "R8.4",
                f"You have {sum(me.workers)} workers and room for eight; return some before you take another.",
            )
        )
    match action:
        case TradeForGood() if action.good not in SMALL_GOODS:
            problems.append(
                Violation(
                    "not_for_cows",
                    "R8.1",
                    f"A cow is not traded for {noun(action.good)}; small copper and small stone, wheat and pumpkin can"
                    " be had.",
                )
            )
        case TradeForGood() if not within_reach(state, seat, GOOD_INDEX[action.good]):
            problems.append(_nothing_there(noun(action.good)))
        case TradeForWorker() if not within_reach(state, seat, WORKER_INDEX[action.worker], workers=True):
            problems.append(_nothing_there(f"{action.worker} worker"))
        case _:
            pass
    return problems


def build_problems(state: State, seat: Seat, action: Build) -> Problems:
    """R7: the number of settlements, the hex, its goods."""
    me, problems = state.seats[seat], Problems()
    if state.phase is Phase.BUILDING and state.built >= MOST_BUILT:
        problems.append(Violation("three_built", "R7.3", "You have built three times this turn, which is the most."))
    if not me.settlements:
        problems.append(Violation("no_settlement_left", "R7.10", "All your settlements are on the board."))
    hex = state.table.geometry.index.get(action.hex)
    if hex is None:
        return [*problems, Violation("no_such_hex", "R1.1", f"The board has no hex {action.hex}.{_hint(state, me)}")]
    ground = state.land[hex]
    if ground.terrain is not Terrain.PRAIRIE:
        return [
            *problems,
            Violation(
                "wrong_terrain",
                "R7.1",
                f"{action.hex} is a {ground.terrain}, where nothing is built.{_hint(state, me)}",
            ),
        ]
    if hex == state.start or state.owners[hex] >= 0:
        what = "the start tile" if hex == state.start else "a settlement"
        return [*problems, Violation("hex_taken", "R7.1", f"{action.hex} bears {what} already.{_hint(state, me)}")]
    if hex not in state.open:
        problems.append(
            Violation(
                "not_adjacent",
                "R7.1",
                f"{action.hex} is next to neither the start tile nor a settlement.{_hint(state, me)}",
            )
        )
    if any(have < cost for have, cost in zip(me.goods, ground.cost, strict=True)):
        lacking = tuple(max(0, cost - have) for have, cost in zip(me.goods, ground.cost, strict=True))
        problems.append(
            Violation(
                "too_few_goods",
                "R7.2",
                f"{action.hex} costs {goods_words(ground.cost)}; you lack {goods_words(lacking)}.{_hint(state, me)}",
            )
        )
    if action.settlements is not None and me.settlements:
        problems += _number_problems(state, seat, hex, action.settlements)
    return problems


def held_problems(me: SeatState, workers: tuple[Worker, ...]) -> Problems:
    """R5.1: the workers that are named but not there."""
    for worker in workers:
        if workers.count(worker) > me.workers[WORKER_INDEX[worker]]:
            break
    else:
        return []
    return [
        Violation(
            "worker_missing",
            "R5.1",
            f"You named {amount(workers.count(worker), f'{worker} worker')} and have {me.workers[index]}; your workers:"
            f" {worker_words(me.workers)}.",
        )
        for index, worker in enumerate(WORKERS)
        if workers.count(worker) > me.workers[index]
    ]


def goods_words(goods: Tally) -> str:
    """Goods in words: "1 wheat and 2 small copper"."""
    parts = [f"{count} {noun(good)}" for good, count in zip(GOODS, goods, strict=True) if count]
    return listed(parts) or "nothing"


def worker_words(workers: Tally) -> str:
    """Workers in words: "2 wheat, 1 stone"."""
    return ", ".join(f"{count} {worker}" for worker, count in zip(WORKERS, workers, strict=True) if count) or "none"


def _crew_problems(me: SeatState, workers: tuple[Worker, ...], kind: int | None) -> Problems:
    problems = held_problems(me, workers)
    if len(workers) == 2 or (len(workers) == 1 and (kind is None or WORKER_INDEX[workers[0]] == kind)):
        return problems
    wanted = "one that is at home there" if kind is None else f"one {WORKERS[kind]} worker"
    named = "one of another kind" if len(workers) == 1 else str(len(workers))
    return [Violation("wrong_workers", "R5.3", f"A box takes {wanted}, or any two; you named {named}."), *problems]


def _number_problems(state: State, seat: Seat, hex: int, settlements: int) -> Problems:
    most = most_settlements(state, seat, hex)
    if 1 <= settlements <= most:
        return []
    name = state.table.geometry.names[hex]
    return [
        Violation(
            "wrong_settlements",
            "R7.7",
            f"On {name} you can put {'one settlement' if most == 1 else f'1 to {most} settlements'} now, not"
            f" {settlements}.",
        )
    ]


def _hint(state: State, me: SeatState) -> str:
    fitting = [
        state.table.geometry.names[hex]
        for hex in state.open
        if all(have >= cost for have, cost in zip(me.goods, state.land[hex].cost, strict=True))
    ]
    if not fitting or not me.settlements:
        return ""
    more = f" and {len(fitting) - _MOST_NAMED} more" if len(fitting) > _MOST_NAMED else ""
    return f" You could build on {', '.join(fitting[:_MOST_NAMED])}{more}."


def _nothing_there(what: str) -> Violation:
    return Violation(
        "nothing_to_take",
        "R8.5",
        f"There is no {what} in the supply, and no other seat has one to give back; trade the cow for something else.",
    )
