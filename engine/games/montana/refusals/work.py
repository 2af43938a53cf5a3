"""The problems of actions with workers, the wheel or a cow, except those of the phase."""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.montana.actions import (
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
from engine.games.montana.components import GOOD_INDEX, SMALL_GOODS, WORKER_INDEX, WORKERS, Worker
from engine.games.montana.state import MOST_SEGMENTS, WHEAT, SeatState, State, surplus
from engine.games.montana.supply import within_reach
from engine.types import Problem, Seat


def harvest_problems(state: State, seat: Seat, action: Harvest) -> Iterator[Problem]:
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


def again_problems(state: State, seat: Seat, action: HarvestAgain) -> Iterator[Problem]:
    """R5.6: problems with the workers for the small box."""
    kind = state.table.slots[state.slot].kind if state.slot >= 0 else None
    return _crew_problems(state.seats[seat], action.workers, kind)


def bank_problems(state: State, seat: Seat, action: UseBank) -> Iterator[Problem]:
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


def arrow_problems(state: State, seat: Seat, action: MoveArrow) -> Iterator[Problem]:
    """R4.3: one to seven wheat have to be paid, and the seat has to hold them."""
    held = state.seats[seat].goods[WHEAT]
    if not 1 <= action.wheat <= MOST_SEGMENTS:
        yield Problem("wrong_segments", "R4.3", {"most": MOST_SEGMENTS, "wheat": action.wheat})
    if action.wheat > held:
        yield Problem("too_few_goods", "R4.3", {"for": "arrow", "wheat": action.wheat, "held": held})


def choice_problems(action: ChooseWorkers) -> Iterator[Problem]:
    """R4.2: exactly two workers have to be named."""
    if len(action.workers) != 2:
        yield Problem("wrong_workers", "R4.2", {"for": "choice", "named": len(action.workers)})


def return_problems(state: State, seat: Seat, action: ReturnWorkers) -> Iterator[Problem]:
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
    state: State, seat: Seat, action: TradeForGood | TradeForCoins | TradeForWorker
) -> Iterator[Problem]:
    """R8.1 to R8.5: a trade is made in the seat's own turn, with a cow, for something available."""
    me = state.seats[seat]
    if seat != state.seat or not state.round:
        yield Problem("not_in_your_turn", "R8.3")
    if not me.cows:
        yield Problem("no_cow", "R8.1")
    if isinstance(action, TradeForWorker) and surplus(me):
        yield Problem("return_first", "R8.4", {"asked": None, "held": sum(me.workers)})
    match action:
        case TradeForGood(good) if good not in SMALL_GOODS:
            yield Problem("not_for_cows", "R8.1", {"good": good.value})
        case TradeForGood(good) if not within_reach(state, seat, GOOD_INDEX[good]):
            yield Problem("nothing_to_take", "R8.5", {"good": good.value})
        case TradeForWorker(worker) if not within_reach(state, seat, WORKER_INDEX[worker], workers=True):
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
