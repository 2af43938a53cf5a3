"""The notation of Montana: reads lines in many spellings, writes each action in one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, assert_never

from engine.games.montana import actions, phrases
from engine.games.montana.components import Area, Good, Worker
from engine.games.montana.terms import WORDS, Colour, Kinds, Line, Meaning, Thing, Token, Verb, read
from engine.reading import read_actions
from engine.texts import read_text

NOTATION: Final = read_text("engine.games.montana", "notation.txt")


def format_action(action: actions.Action) -> str:
    """The action as a line of notation; ``parse`` reads it back."""
    match action:
        case actions.Recruit():
            return "recruit"
        case actions.MoveArrow(wheat):
            return f"wheat {wheat}"
        case actions.ChooseWorkers(workers):
            return " ".join(("choose", *workers))
        case actions.ReturnWorkers(workers):
            return " ".join(("return", *workers))
        case actions.UseBank(space, workers):
            return " ".join((f"bank {space}", *workers))
        case actions.Harvest(area, slot, workers):
            return " ".join((f"harvest {area} {slot}", *workers))
        case actions.HarvestAgain(workers):
            return " ".join(("again", *workers))
        case actions.PlaceInTown(row, column):
            return f"town {row} column {column}"
        case actions.Pass():
            return "pass"
        case actions.TakeGoods(goods):
            return " ".join(("take", *(_good_words(good) for good in goods)))
        case actions.Upgrade(goods):
            return " ".join(("upgrade", *(_good_words(good) for good in goods))) if goods else "upgrade nothing"
        case actions.Build(hexagon, settlements):
            return f"build {hexagon}" if settlements is None else f"build {hexagon} x{settlements}"
        case actions.TradeForGood(good):
            return f"trade cow for {_good_words(good)}"
        case actions.TradeForCoins():
            return "trade cow for coins"
        case actions.TradeForWorker(worker):
            return f"trade cow for {worker} worker"
        case actions.UseCanteen():
            return "canteen"
        case actions.EndTurn():
            return "end"
        case actions.LayTile(tile, turned):
            return f"lay tile {tile} turned {turned}"
        case actions.LayStart(hexagon):
            return f"lay start {hexagon}"
        case actions.Spin(segment):
            return f"spin {segment}"
        case _:
            assert_never(action)


def parse(line: str) -> tuple[actions.Action, ...]:
    """The actions on a line, legal or not, at least one. Raises ``NotationError``."""
    return read_actions(read(line), read_action, ACTIONS_SAID)


def _good_words(good: Good) -> str:
    return good.value.replace("_", " ")


ACTIONS_SAID: Final = (
    *("recruit", "wheat 2", "bank", "harvest", "again", "town", "pass", "take", "upgrade", "build", "trade"),
    *("choose", "return", "canteen", "end"),
)
_TOWN_SAID: Final = ("town 2 column 3",)
_HEX_SAID: Final = "a hex such as C5"
_TRADES_SAID: Final = (*phrases.AMOUNTS_SAID, "coins", "wheat worker")
_AT: Final[Kinds] = frozenset((Token.AT,))
_SIZES: Final[Kinds] = frozenset((Token.LARGE, Token.SMALL))
_WORKPLACES: Final[Kinds] = frozenset((*Area, Token.BANK))
_LABELS: Final[Kinds] = frozenset((Token.ROW, Token.COLUMN))
_GOODS: Final[Kinds] = frozenset((Token.LARGE, Token.SMALL, Token.GOODS))
_COLOURS: Final[Kinds] = frozenset((*Colour, Token.WORKER))
_NO_COLUMNS: Final = ("W", "S")
"""The letters of things that no column of hexes has."""
_AT_PLACE: Final[Kinds] = frozenset((*_WORKPLACES, Token.AT, Token.SLOT, Token.SPACE, Token.SMALL_BOX))
_FIRST: Final[Kinds] = frozenset((*Verb, *_LABELS, *Thing, *_GOODS, *_COLOURS, *_AT_PLACE)) - _AT


def read_action(reader: Line) -> Iterable[actions.Action]:
    """Reads the action, or the several ones of a verb, that are next. Raises ``NotationError``."""
    before = reader.at
    if reader.letter_and_number() is not None or reader.at_number():
        return _amount(reader)
    first = reader.take(_FIRST, ACTIONS_SAID)
    if isinstance(first, Verb):
        return _READERS[first](reader)
    if first is None:
        reader.fail_at_next(ACTIONS_SAID)
    reader.go_back(before)
    if isinstance(first, Thing) or first in _GOODS | _COLOURS:
        return _amount(reader)
    return _town(reader) if first in _LABELS else phrases.read_work(reader)


def _amount(reader: Line) -> Iterable[actions.Action]:
    """Reads a line that begins with workers or goods: "2 wheat" moves the arrow, "stone to bank 1"
    sends workers, "wheat wheat stone" takes goods, "orange grey" chooses workers.
    """
    before, found = reader.at, reader.letter_and_number()
    if found is not None and found[0] not in _NO_COLUMNS and (hexagon := reader.take_space()) is not None:
        reader.fail(f"Say what to do on {hexagon}", (f"build {hexagon}",), before)
    if _is_arrow(reader):
        return _arrow(reader)
    number = reader.take_count()
    sized_next = reader.next_is(Token.LARGE, Token.SMALL, Token.GOODS) is not None
    if number is not None and reader.ended():
        reader.fail("Say what the number is for", (f"wheat {number}", "an action before it"), before)
    reader.go_back(before)
    if reader.pieces[before + 1].kind in ("stop", "end"):
        reader.fail(f'Say what to do with "{reader.here.text}"', ("take copper", "return copper", "upgrade copper"))
    if not sized_next:
        workers = phrases.read_workers(reader, "Say which workers")
        coloured = any(reader.taken.get(index) in _COLOURS for index in range(before, reader.at))
        placed = reader.next_is(*_AT_PLACE) is not None
        if coloured and not placed:
            return (actions.ChooseWorkers(workers),)
        reader.go_back(before)
        if placed:
            return phrases.read_work(reader)
    return _take(reader)


def _is_arrow(reader: Line) -> bool:
    """Whether nothing but an amount of wheat is next, perhaps "to move the arrow"."""
    before = reader.at
    number = phrases.read_letter_count(reader, Thing.WHEAT)
    if number is None:
        leading = reader.take_count()
        named = reader.skip(Thing.WHEAT) is not None
        if not named:
            reader.go_back(before)
            return False
        if leading is None:
            reader.take_count()
    reader.skip(Token.AND)
    reader.skip(Token.AT, Token.FOR)
    only = reader.ended() or reader.next_is_verb() is not None
    reader.go_back(before)
    return only


def _recruit(reader: Line) -> Iterable[actions.Action]:
    reader.skip(Token.WORKER)
    return (actions.Recruit(),)


def _arrow(reader: Line) -> Iterable[actions.Action]:
    """ "wheat 2", "2 wheat", "2w", each with "to move the arrow" or without."""
    phrases.check_no_colour(reader)
    number = phrases.read_letter_count(reader, Thing.WHEAT)
    named = number is not None or reader.skip(Thing.WHEAT) is not None
    number = reader.take_count() if number is None else number
    if number is None:
        reader.fail("Say how much wheat you pay to move the arrow", ("wheat 2",))
    if not named and reader.skip(Thing.WHEAT) is None:
        reader.fail("Say what the number is for", (f"wheat {number}", "an action before it"))
    before = reader.at
    reader.skip(Token.AT, Token.FOR)
    if reader.next_is(Verb.MOVE) is Verb.MOVE:
        reader.skip(Verb.MOVE)
        reader.skip(Token.ARROW)
    else:
        reader.go_back(before)
    return (actions.MoveArrow(number),)


def _move(reader: Line) -> Iterable[actions.Action]:
    """ "move arrow 2 segments", or an overtaken representative: "move to row 2 column 3"."""
    arrow = reader.skip(Token.ARROW)
    before = reader.at
    linked = reader.skip(Token.AT, Token.FOR, Token.OF)
    if arrow is None and reader.next_is(Token.ROW, Token.COLUMN, Token.REPRESENTATIVE):
        return _town(reader)
    if linked is Token.AT and reader.pieces[before].word in ("to", "on", "onto", "at") and reader.at_number():
        number = reader.take_number()
        reader.fail(
            f'"{reader.pieces[before].text} {number}" could be segment {number}, or {number} segments further',
            (f'"wheat {number}" for {number} segments', f"as much wheat as segment {number} is away"),
            before,
        )
    number = reader.take_number()
    if number is None:
        reader.fail("Say by how many segments", ("move arrow 2 segments", "wheat 2", "move to row 2 column 3"))
    reader.skip(Token.SEGMENT, Thing.WHEAT)
    return (actions.MoveArrow(number),)


def _choose(reader: Line) -> Iterable[actions.Action]:
    return (actions.ChooseWorkers(phrases.read_workers(reader, "Say which two workers you choose")),)


def _return(reader: Line) -> Iterable[actions.Action]:
    return (actions.ReturnWorkers(phrases.read_workers(reader, "Say which workers go back")),)


def _town(reader: Line) -> Iterable[actions.Action]:
    """Reads row and column: two numbers are the row and the column; with a label in any order."""
    named: dict[Meaning, int] = {}
    reader.skip(Token.REPRESENTATIVE)
    while len(named) < 2 and not reader.ended():
        before = reader.at
        reader.skip(Token.AT, Token.AND)
        label = reader.skip(Token.ROW, Token.COLUMN)
        number = reader.take_number()
        if number is None:
            reader.go_back(before)
            break
        if label is None:
            label = Token.COLUMN if Token.ROW in named else Token.ROW
        if label in named:
            reader.fail(f"The {WORDS.name(label)} was already named", _TOWN_SAID, before)
        named[label] = number
    if len(named) < 2:
        reader.fail("Say the row and the column of the shop", _TOWN_SAID)
    return (actions.PlaceInTown(named[Token.ROW], named[Token.COLUMN]),)


def _place(reader: Line) -> Iterable[actions.Action]:
    """What is placed says what is meant: the representative, a settlement, or workers."""
    if reader.next_is(Token.ROW, Token.COLUMN, Token.REPRESENTATIVE):
        return _town(reader)
    before = reader.at
    reader.take_number()
    building = reader.next_is(Token.SETTLEMENT) is not None
    reader.go_back(before)
    return _build(reader) if building else phrases.read_work(reader)


def _take(reader: Line) -> Iterable[actions.Action]:
    return (actions.TakeGoods(phrases.read_goods(reader, "Say which goods you take")),)


def _upgrade(reader: Line) -> Iterable[actions.Action]:
    """ "upgrade copper stone", "upgrade small copper to large copper", "upgrade nothing"."""
    if reader.skip(Token.NOTHING) is not None:
        return (actions.Upgrade(),)
    goods = phrases.read_goods(reader, 'Say which small goods you upgrade, or "nothing"')
    before = reader.at
    if reader.skip(Token.FOR, Token.AT) is not None:
        wanted = phrases.read_goods(reader, "Say what they become")
        large = tuple(phrases.sized(Thing(good.value), Token.LARGE) for good in goods if good in _SMALL)
        if sorted(wanted) not in (sorted(large), sorted(set(large))):
            reader.fail("An upgrade makes large goods of small ones, as many of each", NEXT_UPGRADE, before)
    return (actions.Upgrade(goods),)


def _exchange(reader: Line) -> Iterable[actions.Action]:
    """A cow is traded; small goods are upgraded."""
    before = reader.at
    reader.take_number()
    cow = reader.next_is(Token.COW) is not None
    reader.go_back(before)
    return _trade(reader) if cow else _upgrade(reader)


def _build(reader: Line) -> Iterable[actions.Action]:
    """ "build C5", "build C5 D4 x2", "build 2 settlements on D4"."""
    total = reader.take_number()
    if reader.skip(Token.SETTLEMENT) is None and total is not None:
        reader.fail("Say what the number is for", (f"build {total} settlements on C5", "build C5 x2"))
    found: list[actions.Action] = []
    while True:
        before = reader.at
        reader.skip(Token.AT, Token.AND)
        reader.skip(Token.HEX)
        times = reader.letter_and_number()
        hexagon = None if times is not None and times[0] == "X" else reader.take_space()
        if hexagon is None:
            reader.go_back(before)
            break
        number = _read_times(reader)
        if number is not None and total is not None:
            reader.fail("The number of settlements was already named", (f"build {hexagon} x{number}",))
        found.append(actions.Build(hexagon, number if total is None else total))
    if not found:
        reader.fail("Say where to build", (_HEX_SAID,))
    if total is not None and len(found) > 1:
        reader.fail(f'"{total} settlements" could be for one hex or for all', ("build C5 x2; build D4",))
    return found


def _read_times(reader: Line) -> int | None:
    """Takes "x2", "2 times" or "2 settlements", if that is next, else gives ``None``."""
    before, times = reader.at, reader.take_times()
    number = reader.take_number() if times is None else times
    if times is None and number is not None and reader.skip(Token.SETTLEMENT) is None:
        reader.go_back(before)
        return None
    return number


def _trade(reader: Line) -> Iterable[actions.Action]:
    """Reads what a cow, or each of several cows, is traded for."""
    before = reader.at
    cows = reader.take_number()
    if reader.skip(Token.COW) is not None:
        reader.check_counted(cows, reader.at - 1)
    elif cows is not None:
        reader.fail("Say what the number is for", ("trade 2 cows for wheat",), before)
    cows = 1 if cows is None else cows
    if not 1 <= cows <= _MOST_COWS:
        reader.fail(f"Trade 1 to {_MOST_COWS} cows", ("trade 2 cows for wheat",), before)
    reader.skip(Token.FOR)
    before = reader.at
    number = reader.take_number()
    if reader.next_is(Token.COINS):
        if number is not None:
            reader.fail("The number of coins for a cow is fixed", ('"coins" without a number',), before)
        reader.skip(Token.COINS)
        return (actions.TradeForCoins(),) * cows
    if number not in (None, 1, cows):
        reader.fail("A cow is traded for one good or worker", ("trade cow for wheat", "trade 2 cows for wheat"), before)
    is_worker = reader.skip(Token.WORKER) is not None
    reader.skip(Token.OF)
    if reader.next_is(*Colour) is not None:
        return (actions.TradeForWorker(_coloured_worker(reader, is_worker)),) * cows
    size = reader.skip(Token.LARGE, Token.SMALL)
    thing = reader.take(frozenset((*Thing, *_SIZES)), _TRADES_SAID)
    if not isinstance(thing, Thing):
        reader.fail("Say what the cow is traded for", _TRADES_SAID)
    reader.check_counted(number if cows == 1 else cows, reader.at - 1)
    size = size or reader.skip(Token.LARGE, Token.SMALL)
    phrases.check_size(reader, thing, size)
    if is_worker or reader.skip(Token.WORKER):
        if size is not None:
            reader.fail("A worker is neither large nor small", _TRADES_SAID, before)
        return (actions.TradeForWorker(Worker(thing.value)),) * cows
    return (actions.TradeForGood(phrases.sized(thing, size)),) * cows


def _coloured_worker(reader: Line, is_worker: bool) -> Worker:
    """Reads "grey worker": the colour alone might be meant for the good, too."""
    before = reader.at
    worker, *others = phrases.read_workers(reader, "Say which worker")
    if others:
        reader.fail("A cow is traded for one good or worker", ("trade 2 cows for wheat",), before)
    if not is_worker and Token.WORKER not in (reader.taken.get(index) for index in range(before, reader.at)):
        reader.go_back(before)
        phrases.check_no_colour(reader)
    return worker


def _use(reader: Line) -> Iterable[actions.Action]:
    return (actions.UseCanteen(),) if reader.skip(Verb.CANTEEN) is not None else phrases.read_work(reader)


def _end(reader: Line) -> Iterable[actions.Action]:
    """ "end turn"; "end turn with canteen" begins another one."""
    if reader.skip(Token.WITH) is not None:
        return (actions.UseCanteen(),) if reader.skip(Verb.CANTEEN) is not None else reader.fail_at_next(("canteen",))
    return (actions.EndTurn(),)


def _lay(reader: Line) -> Iterable[actions.Action]:
    """Reads what chance lays: a tile with its rotation, or the start tile on a hex."""
    what = reader.take(frozenset((Token.START, Token.TILE)), ("lay tile C turned 2", "lay start C5"))
    if what is Token.START:
        reader.skip(Token.AT)
        hexagon = reader.take_space()
        return (actions.LayStart(hexagon),) if hexagon else reader.fail("Say on which hex", (_HEX_SAID,))
    tile = None if what is None else reader.take_letter("tile")
    if tile is None:
        reader.fail("Say which tile", ("tile C turned 2",))
    turned = reader.skip(Token.TURNED)
    number = reader.take_number() if turned else None
    if turned and number is None:
        reader.fail("Say by how many sixths the tile is turned", ("turned 2",))
    return (actions.LayTile(tile, number or 0),)


def _spin(reader: Line) -> Iterable[actions.Action]:
    segment = reader.take_number()
    return (actions.Spin(segment),) if segment is not None else reader.fail("Say where the arrow stops", ("spin 3",))


_MOST_COWS: Final = 9
NEXT_UPGRADE: Final = ("upgrade copper stone", "upgrade small copper to large copper")
_SMALL: Final = frozenset((Good.COPPER, Good.STONE))
_READERS: Final[dict[Verb, Callable[[Line], Iterable[actions.Action]]]] = {
    Verb.RECRUIT: _recruit,
    Verb.MOVE: _move,
    Verb.PAY: _arrow,
    Verb.CHOOSE: _choose,
    Verb.RETURN: _return,
    Verb.SEND: phrases.read_work,
    Verb.HARVEST: phrases.read_work,
    Verb.AGAIN: lambda reader: phrases.read_work(reader, again=True),
    Verb.TOWN: _town,
    Verb.PLACE: _place,
    Verb.PASS: lambda reader: (actions.Pass(),),
    Verb.TAKE: _take,
    Verb.UPGRADE: _upgrade,
    Verb.EXCHANGE: _exchange,
    Verb.BUILD: _build,
    Verb.TRADE: _trade,
    Verb.USE: _use,
    Verb.CANTEEN: lambda reader: (actions.UseCanteen(),),
    Verb.END: _end,
    Verb.LAY: _lay,
    Verb.SPIN: _spin,
}
