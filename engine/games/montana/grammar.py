"""The grammar of Montana's notation: reads each kind of action from a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from engine.games.montana.actions import (
    Action,
    Build,
    ChooseWorkers,
    EndTurn,
    Harvest,
    HarvestAgain,
    LayStart,
    LayTile,
    MoveArrow,
    Pass,
    PlaceInTown,
    Recruit,
    ReturnWorkers,
    Spin,
    TakeGoods,
    TradeForCoins,
    TradeForGood,
    TradeForWorker,
    Upgrade,
    UseBank,
    UseCanteen,
)
from engine.games.montana.components import Area, Good, Worker
from engine.games.montana.reading import take_counted_letter, take_name, take_times
from engine.games.montana.vocabulary import Kinds, Line, Thing, Token, Verb

_THINGS: Final[Kinds] = frozenset(Thing)
_AREAS: Final[Kinds] = frozenset(Area)
_SIZES: Final[Kinds] = frozenset((Token.LARGE, Token.SMALL))
_WORKER: Final[Kinds] = frozenset((Token.WORKER,))
_FIRST: Final[Kinds] = frozenset(Verb) | _AREAS | frozenset((Thing.WHEAT,))

ACTIONS_SAID: Final = (
    *(
        "recruit",
        "wheat 2",
        "bank",
        "harvest",
        "again",
        "town",
        "pass",
        "take",
        "upgrade",
        "build",
        "trade",
        "choose",
        "return",
        "canteen",
    ),
    "end",
)
_THINGS_SAID: Final = tuple(thing.value for thing in Thing)
_AREAS_SAID: Final = tuple(area.value for area in Area)
_HEX_SAID: Final = "a hex such as C5"
_TRADES_SAID: Final = (*_THINGS_SAID, "coins", "wheat worker")
_BY_LETTER: Final = {thing.value[0]: thing for thing in Thing}
_LARGE: Final = {Thing.COPPER: Good.LARGE_COPPER, Thing.STONE: Good.LARGE_STONE}
_MOST_NAMED: Final = 9


def read_action(reader: Line) -> Iterable[Action]:
    """Reads the action at the current position, or the several actions of one verb. Raises
    ``NotationError``.
    """
    before = reader.at
    if (counted := take_counted_letter(reader)) is not None and counted[0] == "w":
        return (MoveArrow(counted[1]),)
    reader.at = before
    if reader.take_number() is not None:
        reader.at = before
        return _move(reader)
    hexagon = reader.take_space()
    if hexagon is not None:
        reader.at = before
        reader.fail(f"Say what to do on {hexagon}", (f"build {hexagon}",))
    first = reader.take(_FIRST, ACTIONS_SAID)
    if isinstance(first, Verb):
        return _READERS[first](reader)
    if first is None:
        reader.fail_at_next(ACTIONS_SAID)
    reader.at = before
    return _harvest(reader) if isinstance(first, Area) else _move(reader)


def _recruit(reader: Line) -> Iterable[Action]:
    return (Recruit(),)


def _move(reader: Line) -> Iterable[Action]:
    """ "wheat 2", "2 wheat", "move 2"."""
    wheat: Kinds = frozenset((Thing.WHEAT,))
    if (counted := take_counted_letter(reader)) is not None and counted[0] == "w":
        return (MoveArrow(counted[1]),)
    reader.take(wheat, ("wheat 2",))
    number = reader.take_number()
    if number is None:
        reader.fail("Say how much wheat you pay to move the arrow", ("wheat 2",))
    if not reader.ended():
        reader.take(wheat, ('";" before the next action',))
    return (MoveArrow(number),)


def _choose(reader: Line) -> Iterable[Action]:
    return (ChooseWorkers(_workers(reader, "Say which two workers you choose")),)


def _return(reader: Line) -> Iterable[Action]:
    return (ReturnWorkers(_workers(reader, "Say which workers go back")),)


def _bank(reader: Line) -> Iterable[Action]:
    space = reader.take_number()
    if space is None:
        reader.fail("Say which space of the bank, counted from 1", ("bank 2 stone copper",))
    return (UseBank(space, _workers(reader, "Say which workers go to the bank")),)


def _harvest(reader: Line) -> Iterable[Action]:
    before = reader.at
    slot = reader.take_number()
    area = reader.take(_AREAS, _AREAS_SAID)
    if not isinstance(area, Area):
        reader.fail("Say where to harvest", _AREAS_SAID)
    slot = reader.take_number() if slot is None else slot
    if slot is None:
        reader.fail(
            f"Say which slot of the {area}, counted from 1",
            (f"{area} 2 {_THINGS_SAID[0]}",),
            None if reader.ended() else before,
        )
    return (Harvest(area, slot, _workers(reader, f"Say which workers go to the {area}")),)


def _again(reader: Line) -> Iterable[Action]:
    return (HarvestAgain(_workers(reader, "Say which workers go on the small box")),)


def _town(reader: Line) -> Iterable[Action]:
    row = reader.take_number()
    column = reader.take_number()
    if row is None or column is None:
        reader.fail("Say the row and the column of the shop", ("town 2 column 3",))
    return (PlaceInTown(row, column),)


def _pass(reader: Line) -> Iterable[Action]:
    return (Pass(),)


def _take(reader: Line) -> Iterable[Action]:
    return (TakeGoods(_goods(reader, "Say which goods you take")),)


def _upgrade(reader: Line) -> Iterable[Action]:
    before = reader.at
    if reader.take(_THINGS | _SIZES | frozenset((Token.NOTHING,)), (*_THINGS_SAID, "nothing")) is Token.NOTHING:
        return (Upgrade(),)
    reader.at = before
    return (Upgrade(_goods(reader, 'Say which small goods you upgrade, or "nothing"')),)


def _build(reader: Line) -> Iterable[Action]:
    actions: list[Action] = []
    while (hexagon := reader.take_space()) is not None:
        actions.append(Build(hexagon, take_times(reader)))
    if not actions:
        reader.fail("Say where to build", (_HEX_SAID,))
    if not reader.ended() and reader.at_number():
        reader.fail_at_next((_HEX_SAID, '";" before the next action'))
    return actions


def _trade(reader: Line) -> Iterable[Action]:
    """Reads what a cow is traded for: coins, a good, or a worker if the word "worker" is there."""
    reader.take_number()
    kinds = _THINGS | _SIZES | _WORKER | frozenset((Token.COINS,))
    size: Token | None = None
    worker, thing = False, None
    while (said := reader.take(kinds, _TRADES_SAID)) is not None:
        match said:
            case Token.COINS:
                return (TradeForCoins(),)
            case Token.WORKER:
                worker = True
            case Token.LARGE | Token.SMALL:
                size = said
            case Thing() if thing is None:
                thing = said
            case _:
                reader.at -= 1
                reader.fail("A cow is traded for one thing", ('";" before the next action',))
    if thing is None:
        reader.fail("Say what the cow is traded for", _TRADES_SAID)
    if worker:
        return (TradeForWorker(Worker(thing.value)),)
    return (TradeForGood(_good(thing, size)),)


def _canteen(reader: Line) -> Iterable[Action]:
    return (UseCanteen(),)


def _end(reader: Line) -> Iterable[Action]:
    return (EndTurn(),)


def _lay(reader: Line) -> Iterable[Action]:
    """Reads what chance lays: a tile with its rotation, or the start tile on a hex."""
    what = reader.take(frozenset((Token.START, Token.TILE)), ("lay tile C turned 2", "lay start C5"))
    if what is Token.START:
        hexagon = reader.take_space()
        return (LayStart(hexagon),) if hexagon else reader.fail("Say on which hex", (_HEX_SAID,))
    if what is None or reader.ended():
        reader.fail("Say which tile", ("tile C turned 2",))
    tile = take_name(reader)
    reader.take(frozenset((Token.TURNED,)), ("turned 2",))
    return (LayTile(tile, reader.take_number() or 0),)


def _spin(reader: Line) -> Iterable[Action]:
    segment = reader.take_number()
    return (Spin(segment),) if segment is not None else reader.fail("Say where the arrow stops", ("spin 3",))


def _workers(reader: Line, sentence: str) -> tuple[Worker, ...]:
    named: list[Worker] = []
    while True:
        if (counted := take_counted_letter(reader)) is not None:
            named += [Worker(_BY_LETTER[counted[0]].value)] * counted[1]
            continue
        before, count = reader.at, reader.take_number()
        thing = reader.take(_THINGS | _WORKER, _THINGS_SAID)
        if thing is Token.WORKER and count is None and named:
            continue
        if not isinstance(thing, Thing):
            reader.at = before
            break
        if count is not None and not 1 <= count <= _MOST_NAMED:
            reader.fail(f"Name 1 to {_MOST_NAMED} workers", _THINGS_SAID, before)
        named += [Worker(thing.value)] * (count or 1)
    if reader.at_number() or not (named or reader.ended()):
        reader.fail_at_next(_THINGS_SAID)
    if not named:
        reader.fail(sentence, _THINGS_SAID)
    return tuple(named)


def _goods(reader: Line, sentence: str) -> tuple[Good, ...]:
    named: list[Good] = []
    while True:
        if (counted := take_counted_letter(reader)) is not None:
            named += [_good(_BY_LETTER[counted[0]], None)] * counted[1]
            continue
        before, count = reader.at, reader.take_number()
        size = reader.take(_SIZES | _THINGS, _THINGS_SAID)
        thing = size if isinstance(size, Thing) else reader.take(_THINGS, _THINGS_SAID)
        if not isinstance(thing, Thing):
            reader.at = before
            break
        if count is not None and not 1 <= count <= _MOST_NAMED:
            reader.fail(f"Name 1 to {_MOST_NAMED} goods", _THINGS_SAID, before)
        named += [_good(thing, size)] * (count or 1)
    if reader.at_number() or not (named or reader.ended()):
        reader.fail_at_next(_THINGS_SAID)
    if not named:
        reader.fail(sentence, _THINGS_SAID)
    return tuple(named)


def _good(thing: Thing, size: object) -> Good:
    return _LARGE.get(thing, Good(thing.value)) if size is Token.LARGE else Good(thing.value)


_READERS: Final[dict[Verb, Callable[[Line], Iterable[Action]]]] = {
    Verb.RECRUIT: _recruit,
    Verb.MOVE: _move,
    Verb.CHOOSE: _choose,
    Verb.RETURN: _return,
    Verb.BANK: _bank,
    Verb.HARVEST: _harvest,
    Verb.AGAIN: _again,
    Verb.TOWN: _town,
    Verb.PASS: _pass,
    Verb.TAKE: _take,
    Verb.UPGRADE: _upgrade,
    Verb.BUILD: _build,
    Verb.TRADE: _trade,
    Verb.CANTEEN: _canteen,
    Verb.END: _end,
    Verb.LAY: _lay,
    Verb.SPIN: _spin,
}
