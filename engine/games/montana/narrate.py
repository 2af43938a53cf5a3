"""Narrates entries in sentences, which are the same for all viewers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from engine.games.montana import actions
from engine.games.montana.components import GOODS, WORKER_INDEX, Area, Good, Hiring, Worker, noun, quantity
from engine.games.montana.score import outcome
from engine.games.montana.sentences import SCORE_LABELS
from engine.games.montana.state import OVERTAKEN, Ending, Event, Happening, Phase, State, Tally
from engine.games.montana.town import tally
from engine.types import CHANCE, Seat, Viewer
from engine.wording import amount, listed, victory

Names = Sequence[str]


def narrate(before: State, seat: Seat, action: actions.Action, after: State, viewer: Viewer, names: Names) -> str:
    """The sentences for one log entry and for the events that it caused."""
    sentences = [_what(before, seat, action, after, names)]
    named = isinstance(action, actions.TakeGoods | actions.Upgrade)
    sentences += [
        _event(event, before, names)
        for event in after.events
        if not (named and event.kind is Happening.REWARDED and event.seat == seat)
    ]
    if after.ending and not before.ending:
        sentences.append(_ending(after, seat, names))
    if after.phase is Phase.OVER:
        sentences.append(_result(after, names))
    return " ".join(sentence for sentence in sentences if sentence)


def _what(before: State, seat: Seat, action: actions.Action, after: State, names: Names) -> str:
    who = names[seat] if seat != CHANCE else ""
    match action:
        case actions.Recruit():
            return f"{who} recruits."
        case actions.Spin():
            return f"The arrow stops on segment {action.segment}: {_hired(before, after, names)}."
        case actions.MoveArrow():
            stop = f"It stops on segment {after.arrow + 1}: {_hired(before, after, names)}."
            return f"{who} pays {action.wheat} wheat to move the arrow. {stop}"
        case actions.ChooseWorkers():
            return f"{who} chooses {_workers(action.workers)}."
        case actions.ReturnWorkers():
            return f"{who} returns {_workers(action.workers)}. There is room for eight."
        case actions.UseBank():
            coins = before.table.components.bank.value[action.space - 1].coins
            return f"{who} sends {_workers(action.workers)} to space {action.space} of the bank. {_brings(coins)}"
        case actions.Harvest():
            slot = before.table.slots[before.table.spans[action.area][0] + action.slot - 1]
            sent = f"{who} sends {_workers(action.workers)} to slot {slot.number} of the {noun(slot.area)}."
            return f"{sent} It costs {amount(slot.price, 'coin')} and yields {quantity(slot.goods, GOODS[slot.kind])}."
        case actions.HarvestAgain():
            kind = before.table.slots[before.slot].kind
            more = before.table.components.small_box.value
            sent = f"{who} sends {_workers(action.workers)} to the small box."
            return f"{sent} It yields {quantity(more, GOODS[kind])} more."
        case actions.PlaceInTown():
            return _placed(before, seat, action, after, names)
        case actions.Pass():
            return f"{who} passes."
        case actions.TakeGoods() | actions.Upgrade():
            return _served(before, seat, action, after, names)
        case actions.Build():
            return _built(before, seat, action, after, names)
        case actions.TradeForGood():
            return f"{who} trades a cow for a {noun(action.good)}."
        case actions.TradeForCoins():
            return f"{who} trades a cow for coins. {_brings(before.table.components.cow_price.value)}"
        case actions.TradeForWorker():
            return f"{who} trades a cow for a {action.worker} worker."
        case actions.UseCanteen():
            return f"{who} uses a canteen. Another turn follows."
        case actions.EndTurn():
            return f"{who} ends the turn."
        case actions.LayTile():
            turned = {0: "", 1: ", turned by a sixth"}.get(action.turned, f", turned by {action.turned} sixths")
            return f"Tile {action.tile} is laid{turned}."
        case actions.LayStart():
            return f"The start tile lies on {action.hex}."
    assert_never(action)


def _hired(before: State, after: State, names: Names) -> str:
    segment = before.table.components.wheel.value[after.arrow]
    if segment[0] is Hiring.ANY:
        return f"{names[before.seat]} may choose any two workers"
    return f"{names[before.seat]} takes {_workers(tuple(Worker(each.value) for each in segment))}"


def _placed(before: State, seat: Seat, action: actions.PlaceInTown, after: State, names: Names) -> str:
    where = f"row {action.row}, column {action.column}"
    if before.phase is Phase.TURN:
        told = f"{names[seat]} goes to town, {where}. The town gives a pumpkin."
    elif before.shop[seat] == OVERTAKEN:
        told = f"{names[seat]} moves the representative to {where}."
    else:
        told = f"{names[seat]} places the representative in {where}."
    columns = len(before.table.components.shop_columns.value)
    overtaken = [
        names[other]
        for other, place in enumerate(before.shop)
        if other != seat and place >= 0 and place // columns == action.row - 1
    ]
    return f"{told} This overtakes {overtaken[0]}." if overtaken else told


def _served(before: State, seat: Seat, action: actions.TakeGoods | actions.Upgrade, after: State, names: Names) -> str:
    """What a seat names as its reward, then the price of its row and what else the row brings."""
    parts = before.table.components
    row, column = divmod(before.shop[seat], len(parts.shop_columns.value))
    verb = "takes" if isinstance(action, actions.TakeGoods) else "upgrades"
    reward = parts.shop_rows.value[row]
    gains = _brought(min(reward.cows, before.cows), reward.coins)  # R6.8: as many cows as the supply has
    price = f"Row {row + 1} costs {amount(parts.shop_columns.value[column], 'pumpkin')}"
    more = f" and brings {listed(gains)}" if gains else ""
    return f"{names[seat]} {verb} {_goods_words(tally(action.goods))}. {price}{more}."


def _built(before: State, seat: Seat, action: actions.Build, after: State, names: Names) -> str:
    hexagon = after.table.geometry.index[action.hex]
    count = after.counts[hexagon]
    number = "" if action.settlements is None else f"{amount(action.settlements, 'settlement')} "
    told = f"{names[seat]} builds {number}on {action.hex}. It costs {_goods_words(before.land[hexagon].cost)}"
    free = f" for {count} settlements" if count > 1 else ""
    canteens = after.seats[seat].canteens - before.seats[seat].canteens
    gains = []
    if hexagon in before.cattle:
        gains.append("a cow")
    if canteens:
        gains.append("a canteen" if canteens == 1 else f"{canteens} canteens")
    return f"{told}{free} and brings {listed(gains)}." if gains else f"{told}{free}."


def _brings(coins: int) -> str:
    return f"It brings {amount(coins, 'coin')}."


def _event(event: Event, before: State, names: Names) -> str:
    match event.kind:
        case Happening.LEVIED:
            return f"The supply is short: {names[event.seat]} gives {_counted(event)} back."
        case Happening.SHORT:
            return f"The supply runs out: {names[event.seat]} gets {_counted(event)}."
        case Happening.PASSED:
            return f"{names[event.seat]} cannot place the representative and passes."
        case Happening.REWARDED:
            return _served_unasked(event, before, names)
        case Happening.CANNOT_PAY:
            return f"{names[event.seat]} can no longer pay and leaves the shop."
        case Happening.CLEARED:
            place = "bank" if event.what == "bank" else noun(Area(event.what))
            return f"The {place} is full and is cleared."
        case Happening.COINS:
            return f"{names[event.seat]} takes {amount(event.number, 'coin')} for settlements not built."
    assert_never(event.kind)


def _counted(event: Event) -> str:
    is_worker = event.what.endswith("worker")
    return amount(event.number, event.what) if is_worker else quantity(event.number, Good(event.what))


def _served_unasked(event: Event, before: State, names: Names) -> str:
    """The sentence about a seat that received the reward of its row without a decision."""
    gains = _brought(event.cows, before.table.components.shop_rows.value[event.number].coins)
    paid = f"{names[event.seat]} pays {amount(int(event.what), 'pumpkin')} for row {event.number + 1}"
    return f"{paid} and takes {listed(gains) or 'nothing'}."


def _brought(cows: int, coins: int) -> list[str]:
    """What a row of the shop brings besides goods, in words."""
    cattle = "a cow" if cows == 1 else f"{cows} cows"
    return [cattle] * (cows > 0) + [amount(coins, "coin")] * (coins > 0)


def _ending(after: State, seat: Seat, names: Names) -> str:
    if after.ending is Ending.NO_ROOM:
        return "No hex is left to build on, so the match ends with this round."
    return f"{names[seat]} has built the last settlement, so the match ends with this round."


def _result(after: State, names: Names) -> str:
    result = outcome(after)
    assert result is not None
    order = sorted(range(len(names)), key=lambda seat: (result.ranks[seat], seat))
    standings = ", ".join(f"{names[seat]} {result.scores[seat]}" for seat in order)
    winners = [names[seat] for seat in result.winners]
    tied = [seat for seat in order if result.scores[seat] == result.scores[order[0]]]
    by = ""
    if len(winners) == 1 and len(tied) > 1:
        first, second = ({line.code: line.number for line in result.details[seat]} for seat in order[:2])
        more = "animals" if first["animals"] > second["animals"] else "belongings"
        by = f", with more {SCORE_LABELS[more]}"
    return f"The match is over: {standings}. {victory(winners)}{by}."


def _workers(workers: Sequence[Worker]) -> str:
    counts = {worker: workers.count(worker) for worker in sorted(set(workers), key=WORKER_INDEX.__getitem__)}
    return listed(
        f"a {worker.value} worker" if count == 1 else f"{count} {worker.value} workers"
        for worker, count in counts.items()
    )


def _goods_words(goods: Tally) -> str:
    return listed(quantity(count, good) for good, count in zip(GOODS, goods, strict=True) if count) or "nothing"
