"""Reads the parts of actions in Ozeanien's notation: starting points, land edges, sides."""

from __future__ import annotations

from typing import Final, NoReturn

from engine.games.ozeanien import terms
from engine.games.ozeanien.terms import SIDES, Kinds, Line, Token, Verb
from engine.games.ozeanien.tiles import ALL_LAND, SIDE_INDEX, Side
from engine.vocabulary import THEN

START_SAID: Final = ("an explored tile such as tile C4", "a circle such as west 3 or south D")
ON: Final[Kinds] = frozenset([Token.ON, Token.EN, Token.FROM, Token.OF])
_EDGE: Final[Kinds] = frozenset([Token.EDGE])
_CIRCLE: Final[Kinds] = frozenset([Token.CIRCLE])
_ROW: Final[Kinds] = frozenset([Token.ROW])
_COLUMN: Final[Kinds] = frozenset([Token.COLUMN])
_OF_CIRCLES: Final[Kinds] = SIDES | _CIRCLE | _ROW | _COLUMN
_COLUMNS: Final = "ABCDEFG"
_ROWS: Final = range(1, 8)
WITH_ROWS: Final = (Side.WEST, Side.EAST)
_SHORT: Final = {"N": Side.NORTH, "E": Side.EAST, "S": Side.SOUTH, "W": Side.WEST, "O": Side.WEST}


def take_start(reader: Line) -> str:
    """Takes a starting point, and gives its name. Raises ``NotationError``."""
    reader.skip(*ON)
    if reader.skip(Token.TILE, Token.SPACE) is not None:
        reader.skip(*ON)
        return reader.take_space() or reader.fail_at_next(("its space, such as C4",))
    circle = reader.skip(Token.CIRCLE) is not None
    if circle:
        reader.skip(*ON)
    if reader.letter_and_number() is not None:
        return _letter_and_number(reader, circle)
    word = terms.next_word(reader)
    if len(word) == 2 and word[0] in "ns" and word[1] in "abcdfg":
        reader.take_piece("circle")
        return f"{_SHORT[word[0].upper()]} {word[1].upper()}"
    if reader.next_is(*SIDES) is not None:
        return _side_first(reader, circle)
    if reader.at_number() or reader.next_is(Token.ROW) is not None:
        return _row_first(reader, circle)
    return _column_first(reader)


def begins_a_circle(reader: Line) -> bool:
    """Whether a circle is next, by its side or unmistakably by letter and number ("W3")."""
    found = reader.letter_and_number()
    if found is not None:
        return found[0] in ("W", "O")
    return reader.next_is(*_OF_CIRCLES) is not None


def _letter_and_number(reader: Line, circle: bool) -> str:
    """Reads "C4", "W3" or "E 4"."""
    before, found = reader.at, reader.letter_and_number()
    assert found is not None
    letter, number, width = found
    side = _SHORT.get(letter)
    if side is None and circle:
        reader.fail("A circle is named by its side of the board", ("west 3", "south D"))
    if side is Side.EAST and number in _ROWS and not circle:
        _fail_at_either(reader, number, before)
    if side is None:
        return reader.take_space() or reader.fail_at_next(START_SAID)
    if side not in WITH_ROWS or number not in _ROWS:
        _fail_at_place(reader, side, before)
    for _ in range(width):
        reader.take_piece("circle")
    return f"{side} {number}"


def _side_first(reader: Line, circle: bool) -> str:
    """Reads "west 3", "east side of row 3", "south column D"."""
    before, word = reader.at, terms.next_word(reader)
    side = _take_side(reader)
    _skip(reader, _EDGE)
    circle = _skip(reader, _CIRCLE) or circle
    _skip(reader, ON)
    if side not in WITH_ROWS:
        _skip(reader, _COLUMN)
        return f"{side} {_take_column(reader, side)}"
    reader.skip(Token.ROW)
    number = _take_row(reader, side)
    if word == "e" and not circle:
        _fail_at_either(reader, number, before)
    return f"{side} {number}"


def _row_first(reader: Line, circle: bool) -> str:
    """Reads "3 west", "row 3 on the west side", "row 3W"."""
    before, row = reader.at, reader.skip(Token.ROW)
    if row is not None and (found := reader.letter_and_number()) is not None and found[0] in ("W", "O"):
        return _letter_and_number(reader, True)
    number = _take_row(reader, Side.WEST)
    reader.skip(*ON)
    reader.skip(Token.EDGE)
    at, word = reader.at, terms.next_word(reader)
    side = _take_side(reader)
    if side not in WITH_ROWS:
        _fail_at_place(reader, side, at)
    if word == "e" and not circle:
        _fail_at_either(reader, number, before)
    reader.skip(Token.EDGE)
    return f"{side} {number}"


def _column_first(reader: Line) -> str:
    """Reads "D south", "column D in the south"."""
    if reader.skip(Token.COLUMN) is None and reader.here.text.upper() not in tuple(_COLUMNS):
        reader.fail_at_next(START_SAID)
    letter = _take_column(reader, Side.SOUTH)
    reader.skip(*ON)
    reader.skip(Token.EDGE)
    at = reader.at
    side = _take_side(reader)
    if side in WITH_ROWS:
        _fail_at_place(reader, side, at)
    reader.skip(Token.EDGE)
    return f"{side} {letter}"


def _skip(reader: Line, kinds: Kinds) -> bool:
    """Whether a phrase was skipped; an "a" is a column here."""
    return reader.pieces[reader.at].text not in ("A", "a") and reader.skip(*kinds) is not None


def _take_side(reader: Line) -> Side:
    side = reader.skip(*SIDES)
    return side if isinstance(side, Side) else reader.fail_at_next(tuple(each.value for each in Side))


def _take_row(reader: Line, side: Side) -> int:
    is_number, at = reader.at_number(), reader.at
    number = reader.take_number() if is_number else None
    return number if number is not None and number in _ROWS else _fail_at_place(reader, side, at)


def _take_column(reader: Line, side: Side) -> str:
    """Takes a letter that names a column; an "a" is no article here."""
    at, letter = reader.at, reader.take_letter("column")
    if letter is None or letter not in _COLUMNS:
        _fail_at_place(reader, side, at)
    return letter


def _fail_at_place(reader: Line, side: Side, at: int) -> NoReturn:
    what, example = ("a row from 1 to 7", "3") if side in WITH_ROWS else ("a column from A to G", "D")
    reader.fail(f"A circle in the {side} is named by {what}", (f"{side} {example}",), at)


def _fail_at_either(reader: Line, number: int, at: int) -> NoReturn:
    """E is a column, and short for the east."""
    reader.go_back(at)
    readings = (f"ship tile E{number}", f"ship east {number}")
    reader.fail(f'"E{number}" may be a tile or a circle', readings)


SIDES_SAID: Final = ("north", "east", "south", "west")


def take_land(reader: Line) -> int | None:
    """Takes the set of edges with land; ``None`` if none are named. Raises ``NotationError``."""
    if reader.skip(Token.NO_LAND) is not None:
        return 0
    linked = reader.skip(Token.LAND) is not None
    linked = reader.skip(Token.ON) is not None or linked
    if reader.skip(Token.ALL) is not None:
        reader.skip(Token.EDGE)
        return ALL_LAND
    linked = reader.skip(Token.EDGE) is not None or linked
    found = _take_sides(reader)
    if not found:
        terms.check_known(reader, SIDES, SIDES_SAID)
        return reader.fail("Name the edges with land", SIDES_SAID) if linked else None
    reader.skip(Token.EDGE)
    reader.skip(Token.LAND)
    return sum(1 << SIDE_INDEX[side] for side in found)


def take_side(reader: Line) -> Side | None:
    """Takes one side, with "on", "in" or "side", else gives ``None``; raises ``NotationError``."""
    linked = reader.skip(Token.ON, Token.EN) is not None
    linked = reader.skip(Token.EDGE) is not None or linked
    word, at = terms.next_word(reader), reader.at
    if word == "e" and not _is_east(reader, ""):
        return None
    side = reader.skip(*SIDES)
    if isinstance(side, Side):
        reader.skip(Token.EDGE)
        return side
    if terms.directions(word):
        reader.fail("An explorer goes on one side", SIDES_SAID, at)
    if linked:
        reader.fail_at_next(SIDES_SAID)
    terms.check_known(reader, SIDES, SIDES_SAID)
    return None


def _take_sides(reader: Line) -> list[Side]:
    """The sides that are named, up to the first piece that names none."""
    found: list[Side] = []
    last = ""
    while (word := terms.next_word(reader)) and (found or terms.directions(word) or word == "no"):
        before = reader.at
        if word != "e" or not _is_east(reader, last):
            _skip_joint(reader)
        word, at = terms.next_word(reader), reader.at
        named = _take_one(reader, word, last)
        if not named:
            terms.check_known(reader, SIDES, SIDES_SAID)
            reader.go_back(before)
            break
        for side in named:
            if side in found:
                reader.fail(f"The {side} is named twice", ("each side once",), at)
            found.append(side)
        last = word
    return found


def _skip_joint(reader: Line) -> None:
    """Takes the small words between two sides: "and on the east side"."""
    reader.skip(Token.AND)
    reader.skip(Token.ON)
    reader.skip(Token.EDGE)


def _take_one(reader: Line, word: str, last: str) -> tuple[Side, ...]:
    """The sides that the word, which is taken, names; ``last`` is the side before."""
    if word == "no" and reader.next_is(Verb.NO_EXPLORER) is None:
        reader.fail('"no" may be north and west, or no explorer', ("NW", '"; skip"'))
    at, side, named = reader.at, reader.skip(*SIDES), terms.directions(word)
    if side is None and named:
        reader.take_piece(named[0])
    following = terms.next_word(reader)
    if side is None and word == "en" and terms.directions(following):
        reader.fail('"en" may be north and east, or a French word before a side', ("N E", "the sides alone"), at)
    if word == "o" and (terms.is_written_out(last) or terms.is_written_out(following)):
        reader.fail('"o" may be the west or an Italian "or"', ("west",), at)
    return (side,) if isinstance(side, Side) else named


def _is_east(reader: Line, last: str) -> bool:
    """Whether "e" is the east, not an Italian "and"; raises ``NotationError`` if it may be both."""
    at = reader.at
    reader.at += 1
    following = terms.next_word(reader) or reader.here.word
    joins = terms.is_italian(following) and (reader.next_is_verb() is not None or following in THEN)
    reader.at = at
    if not joins and not terms.directions(following):
        return True
    if terms.is_italian_side(last) and (joins or terms.is_italian_side(following)):
        return False
    if not joins and (not last or terms.in_letters(last)) and terms.in_letters(following):
        return True
    return reader.fail('"e" may be the east or an Italian "and"', ("east", "and"))
