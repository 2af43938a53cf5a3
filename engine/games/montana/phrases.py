"""Reads the parts of actions in Montana's notation: workers, goods, and where workers go."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.games.montana.actions import Action, Harvest, HarvestAgain, UseBank
from engine.games.montana.components import Area, Good, Worker
from engine.games.montana.terms import WORDS, Colour, Kinds, Line, Meaning, Thing, Token

AMOUNTS_SAID: Final = tuple(thing.value for thing in Thing)
_THINGS: Final[Kinds] = frozenset(Thing)
_COLOURS: Final[Kinds] = frozenset(Colour)
_WORKER: Final[Kinds] = frozenset((Token.WORKER,))
_GOODS: Final[Kinds] = frozenset((Token.GOODS,))
_COUNTED: Final[Kinds] = frozenset((*Thing, *Colour, *Area, Token.LARGE, Token.SMALL, Token.WORKER, Token.GOODS))
"""The nouns before which a number may stand, and the sizes between the two."""
_BY_LETTER: Final = {thing.value[0].upper(): thing for thing in Thing}
_COLOURED: Final = {
    Colour.BEIGE: Thing.WHEAT,
    Colour.ORANGE: Thing.PUMPKIN,
    Colour.BROWN: Thing.COPPER,
    Colour.GREY: Thing.STONE,
}
_LARGE: Final = {Thing.COPPER: Good.LARGE_COPPER, Thing.STONE: Good.LARGE_STONE}
_MOST_NAMED: Final = 9
_MOST_IN_ALL: Final = 36


def read_workers(reader: Line, sentence: str) -> tuple[Worker, ...]:
    """Reads workers; ``sentence`` says what is missing. Raises ``NotationError``."""
    named = _read(reader, sentence, _WORKER)
    return tuple(Worker(thing.value) for thing, _ in named)


def read_goods(reader: Line, sentence: str) -> tuple[Good, ...]:
    """Reads goods, small ones unless they are called large. Raises ``NotationError``."""
    return tuple(sized(*each) for each in _read(reader, sentence, _GOODS))


def at_amount(reader: Line) -> bool:
    """Whether workers or goods are next: a number, a letter with a number, or a name."""
    found = reader.letter_and_number()
    counted = found is not None and found[2] == 1 and found[0] in _BY_LETTER
    coloured = reader.next_is(*_COLOURS) is not None
    return counted or reader.at_number() or coloured or (reader.here.kind == "word" and _begins_a_thing(reader))


def read_letter_count(reader: Line, thing: Thing) -> int | None:
    """Takes "2w" or "w2" for that thing, if it is next, else gives ``None``."""
    found = reader.letter_and_number()
    if found is None or found[2] != 1 or _BY_LETTER.get(found[0]) is not thing:
        return None
    reader.take_piece("number")
    return found[1]


def check_no_colour(reader: Line) -> None:
    """Raises ``NotationError`` at a colour: it names a worker, not the good that it harvests."""
    colour = reader.next_is(*_COLOURS)
    if isinstance(colour, Colour):
        thing = _COLOURED[colour].value
        text = reader.here.text
        reader.fail(f'"{text}" is the colour of a worker', (thing, f"{thing} worker"))


def check_size(reader: Line, thing: Thing, size: Meaning | None) -> None:
    """Raises ``NotationError`` for large wheat or pumpkins."""
    if size is Token.LARGE and thing not in _LARGE:
        reader.fail("Only copper and stone are large or small", tuple(f"large {each.value}" for each in _LARGE))


def sized(thing: Thing, size: Meaning | None) -> Good:
    """The good of that kind and size."""
    return _LARGE.get(thing, Good(thing.value)) if size is Token.LARGE else Good(thing.value)


def _read(reader: Line, sentence: str, nouns: Kinds) -> list[tuple[Thing, Meaning | None]]:
    """Reads things with their numbers and sizes until something else comes."""
    named: list[tuple[Thing, Meaning | None]] = []
    reader.skip(Token.WITH)
    while True:
        before = reader.at
        if named:
            reader.skip(Token.AND)
        each = _read_one(reader, nouns, bool(named))
        if each is None:
            reader.go_back(before)
            break
        count, thing, size = each
        if not 1 <= count <= _MOST_NAMED:
            reader.fail(f"Name 1 to {_MOST_NAMED} of a kind", AMOUNTS_SAID, before)
        named += [(thing, size)] * count
        if len(named) > _MOST_IN_ALL:
            reader.fail(f"Name at most {_MOST_IN_ALL}", AMOUNTS_SAID, before)
    if not named:
        if reader.ended():
            reader.fail(sentence, AMOUNTS_SAID)
        check_no_colour(reader)
        reader.take(_THINGS, AMOUNTS_SAID)
        reader.fail_at_next(AMOUNTS_SAID)
    return named


def _read_one(reader: Line, nouns: Kinds, following: bool) -> tuple[int, Thing, Meaning | None] | None:
    """Reads "2 small copper", "copper x2", "2c", "a stone worker"; ``None`` if none is next.
    ``nouns`` says whether workers or goods, ``following`` that some were named before.
    """
    found = reader.letter_and_number()
    if found is not None and found[2] == 1 and found[0] in _BY_LETTER:
        reader.take_piece("number")
        reader.skip(*nouns)
        return found[1], _BY_LETTER[found[0]], None
    count = reader.take_count_before()
    reader.skip(*nouns)
    reader.skip(Token.OF)
    size = reader.skip(Token.LARGE, Token.SMALL) if nouns == _GOODS else None
    if nouns == _GOODS and (following or count is not None or size is not None):
        check_no_colour(reader)
    thing = _take_thing(reader, nouns)
    if thing is None:
        return None
    last = [reader.at - 1]
    if nouns == _GOODS and size is None:
        size = _size_behind(reader)
    check_size(reader, thing, size)
    if reader.skip(*nouns) is not None and not following:
        last.append(reader.at - 1)
    behind = reader.take_count_behind(count is not None, _COUNTED)
    count = behind if count is None else count
    for noun in last:
        reader.check_counted(count, noun)
    return 1 if count is None else count, thing, size


def _take_thing(reader: Line, nouns: Kinds) -> Thing | None:
    """Takes the name of a thing, of a worker also its colour, if one is next."""
    colour = reader.skip(*_COLOURS) if nouns == _WORKER else None
    if isinstance(colour, Colour):
        return _COLOURED[colour]
    if reader.ended() or not _begins_a_thing(reader):
        return None
    thing = reader.take(_THINGS, AMOUNTS_SAID)
    return thing if isinstance(thing, Thing) else None


def _size_behind(reader: Line) -> Meaning | None:
    """Takes a size behind its thing ("cuivre grand"), unless it belongs to the next one."""
    before = reader.at
    size = reader.skip(Token.LARGE, Token.SMALL)
    if size is not None and not reader.ended() and _begins_a_thing(reader):
        reader.go_back(before)
        return None
    return size


def _begins_a_thing(reader: Line) -> bool:
    """Whether the next word names a thing, in full or abbreviated, or nothing that is known."""
    if reader.next_is(*_THINGS) is not None:
        return reader.next_is(*(reader.words.everything - _THINGS)) is None or len(reader.here.word) > 1
    known = reader.next_is(*reader.words.everything) is not None or reader.next_is_verb() is not None
    begun = [meaning for meaning in reader.words.beginning(reader.here.word) if meaning in _THINGS]
    return reader.here.kind == "word" and not known and bool(begun)


_PLACES: Final[Kinds] = frozenset((*Area, Token.BANK, Token.SMALL_BOX))
_PLACES_SAID: Final = (*(area.value for area in Area), "bank", "small box")


def read_work(reader: Line, again: bool = False) -> Iterable[Action]:
    """Reads a place (``again``: the small box) and its workers. Raises ``NotationError``."""
    before = reader.at
    place: Meaning | None = Token.SMALL_BOX if again else None
    number: int | None = None
    workers: tuple[Worker, ...] = ()
    while not reader.ended():
        found = _read_place(reader) if place is None else None
        if found is not None:
            place, number = found
        elif not workers and (reader.next_is(Token.WITH) or at_amount(reader)):
            workers = read_workers(reader, "Say which workers are sent")
        else:
            break
    if again and reader.skip(Token.AT) is not None and reader.skip(Token.SMALL_BOX) is None:
        reader.fail_at_next(("the small box",))
    if place is None:
        if not reader.ended():
            reader.take(_PLACES, _PLACES_SAID)
            reader.fail_at_next(_PLACES_SAID)
        reader.fail("Say where to harvest", _PLACES_SAID)
    return (_work(reader, before, place, number, workers),)


def _work(reader: Line, before: int, place: Meaning, number: int | None, workers: tuple[Worker, ...]) -> Action:
    words = " ".join(workers) or "copper"
    where = WORDS.name(place)
    if number is None and place is not Token.SMALL_BOX:
        what = "space of the bank" if place is Token.BANK else f"slot of the {where}"
        reader.fail(f"Say which {what}, counted from 1", (f"{where} 2 {words}",), None if reader.ended() else before)
    if not workers:
        if not reader.ended():
            reader.take(frozenset(Thing), AMOUNTS_SAID)
            reader.fail_at_next(AMOUNTS_SAID)
        reader.fail(f"Say which workers go to the {where}", AMOUNTS_SAID)
    if isinstance(place, Area) and number is not None:
        return Harvest(place, number, workers)
    if number is not None:
        return UseBank(number, workers)
    return HarvestAgain(workers)


def _read_place(reader: Line) -> tuple[Meaning, int | None] | None:
    """Reads "mine 2", "slot 2 of the mine", "2 mine", "the small box"; ``None`` if none is next."""
    before = reader.at
    reader.skip(Token.AT)
    label = reader.skip(Token.SLOT, Token.SPACE)
    number = reader.take_number()
    linked = reader.skip(Token.OF, Token.AT) if number is not None else None
    place = reader.next_is(*_PLACES)
    if place is None or (number is not None and place is Token.SMALL_BOX):
        if label is not None and not reader.ended():
            reader.fail_at_next(_PLACES_SAID)
        reader.go_back(before)
        return None
    reader.skip(place)
    if number is not None or label is not None or linked is not None:
        return place, number
    if place is not Token.SMALL_BOX:
        reader.skip(Token.SLOT, Token.SPACE)
        number = reader.take_number()
    return place, number
