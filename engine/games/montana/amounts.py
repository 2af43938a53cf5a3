"""Reads numbers of workers, goods and settlements in Montana's notation: "2 wheat", "wheat x2",
"2s", "a small copper and a stone".
"""

from __future__ import annotations

from typing import Final

from engine.games.montana.components import Good, Worker
from engine.games.montana.terms import Meaning, Thing, Token
from engine.games.montana.vocabulary import Kinds, Line

AMOUNTS_SAID: Final = tuple(thing.value for thing in Thing)
_THINGS: Final[Kinds] = frozenset(Thing)
_SIZES: Final[Kinds] = frozenset((Token.LARGE, Token.SMALL))
_TIMES: Final[Kinds] = frozenset((Token.TIMES,))
_AND: Final[Kinds] = frozenset((Token.AND,))
_BY_LETTER: Final = {thing.value[0].upper(): thing for thing in Thing}
_LARGE: Final = {Thing.COPPER: Good.LARGE_COPPER, Thing.STONE: Good.LARGE_STONE}
_MOST_NAMED: Final = 9
_MOST_IN_ALL: Final = 36


def read_workers(reader: Line, sentence: str) -> tuple[Worker, ...]:
    """Reads workers, at least one; ``sentence`` says what is missing if there is none. Raises
    ``NotationError``.
    """
    named = _read(reader, sentence, frozenset((Token.WORKER,)), sizes=False)
    return tuple(Worker(thing.value) for thing, _ in named)


def read_goods(reader: Line, sentence: str) -> tuple[Good, ...]:
    """Reads goods, at least one; copper and stone are small ones unless they are called large.
    Raises ``NotationError``.
    """
    return tuple(sized(*each) for each in _read(reader, sentence, frozenset((Token.GOODS,)), sizes=True))


def at_amount(reader: Line) -> bool:
    """Whether workers or goods are next: a number, a letter with a number, or a name."""
    found = reader.letter_and_number()
    counted = found is not None and found[2] == 1 and found[0] in _BY_LETTER
    begun = reader.here.kind == "word" and not reader.ended() and _begins_a_thing(reader)
    return counted or reader.at_number() or begun


def read_times(reader: Line, what: Meaning) -> int | None:
    """Takes a number of ``what``, if one is next, else gives ``None``: "x2", "2x", "x 2", "2
    times", "2 settlements"; of wheat "2w" and "w2".
    """
    if (times := reader.take_times()) is not None:
        return times
    if isinstance(what, Thing):
        found = reader.letter_and_number()
        if found is None or found[0] != what.value[0].upper() or found[2] != 1:
            return None
        reader.take_piece("number")
        return found[1]
    before = reader.at
    number = reader.take_number()
    if number is not None and reader.skip(_TIMES | frozenset((what,))) is None:
        reader.go_back(before)
        return None
    return number


def check_size(reader: Line, thing: Thing, size: Meaning | None) -> None:
    """Raises ``NotationError`` for large wheat or pumpkins."""
    if size is Token.LARGE and thing not in _LARGE:
        reader.fail("Only copper and stone are large or small", tuple(f"large {each.value}" for each in _LARGE))


def sized(thing: Thing, size: Meaning | None) -> Good:
    """The good of that kind and size."""
    return _LARGE.get(thing, Good(thing.value)) if size is Token.LARGE else Good(thing.value)


def _read(reader: Line, sentence: str, nouns: Kinds, sizes: bool) -> list[tuple[Thing, Meaning | None]]:
    """Reads things with their numbers and sizes until something else comes."""
    named: list[tuple[Thing, Meaning | None]] = []
    reader.skip(frozenset((Token.WITH,)))
    while True:
        before = reader.at
        if named:
            reader.skip(_AND)
        each = _read_one(reader, nouns, sizes)
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
        reader.take(_THINGS, AMOUNTS_SAID)
        reader.fail_at_next(AMOUNTS_SAID)
    return named


def _read_one(reader: Line, nouns: Kinds, sizes: bool) -> tuple[int, Thing, Meaning | None] | None:
    """Reads "2 small copper", "copper x2", "2c", "a stone worker"; ``None`` if something else is
    next, which is not taken.
    """
    found = reader.letter_and_number()
    if found is not None and found[2] == 1 and found[0] in _BY_LETTER:
        reader.take_piece("number")
        reader.skip(nouns)
        return found[1], _BY_LETTER[found[0]], None
    count = reader.take_number()
    reader.skip(nouns)
    reader.skip(frozenset((Token.OF,)))
    size = reader.skip(_SIZES) if sizes else None
    if reader.ended() or not _begins_a_thing(reader):
        return None
    thing = reader.take(_THINGS, AMOUNTS_SAID)
    if not isinstance(thing, Thing):
        return None
    if sizes and size is None:
        size = _size_behind(reader)
    check_size(reader, thing, size)
    reader.skip(nouns)
    if count is None:
        count = read_times(reader, Token.TIMES)
    return 1 if count is None else count, thing, size


def _size_behind(reader: Line) -> Meaning | None:
    """Takes a size behind its thing ("cuivre grand"), unless it belongs to the next one."""
    before = reader.at
    size = reader.skip(_SIZES)
    if size is not None and not reader.ended() and _begins_a_thing(reader):
        reader.go_back(before)
        return None
    return size


def _begins_a_thing(reader: Line) -> bool:
    """Whether the next word names a thing, in full or abbreviated, or nothing that is known."""
    if reader.next_is(_THINGS) is not None:
        return reader.next_is(reader.words.everything - _THINGS) is None or len(reader.here.word) > 1
    known = reader.next_is(reader.words.everything) is not None or reader.next_is_verb() is not None
    begun = [meaning for meaning in reader.words.beginning(reader.here.word) if meaning in _THINGS]
    return reader.here.kind == "word" and not known and bool(begun)
