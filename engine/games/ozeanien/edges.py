"""Reads sides from a line: the edges of a tile that are land, and the side of a strait."""

from __future__ import annotations

from typing import Final

from engine.games.ozeanien.terms import Token, Verb
from engine.games.ozeanien.tiles import ALL_LAND, SIDE_INDEX, Side
from engine.games.ozeanien.vocabulary import (
    SIDES,
    Kinds,
    Line,
    check_known,
    directions,
    in_letters,
    is_italian,
    is_italian_side,
    is_written_out,
    next_word,
)
from engine.vocabulary import THEN

SIDES_SAID: Final = ("north", "east", "south", "west")
_ON: Final[Kinds] = frozenset([Token.ON])
_ON_OR_EN: Final[Kinds] = frozenset([Token.ON, Token.EN])
_AND: Final[Kinds] = frozenset([Token.AND])
_ALL: Final[Kinds] = frozenset([Token.ALL])
_LAND: Final[Kinds] = frozenset([Token.LAND])
_NO_LAND: Final[Kinds] = frozenset([Token.NO_LAND])
_NO_EXPLORER: Final[Kinds] = frozenset([Verb.NO_EXPLORER])
_EDGE: Final[Kinds] = frozenset([Token.EDGE])


def take_land(reader: Line) -> int | None:
    """Takes the edges with land, as a set of edges; ``None`` if none are named. Raises
    ``NotationError``.
    """
    if reader.skip(_NO_LAND) is not None:
        return 0
    linked = reader.skip(_LAND) is not None
    linked = reader.skip(_ON) is not None or linked
    if reader.skip(_ALL) is not None:
        reader.skip(_EDGE)
        return ALL_LAND
    linked = reader.skip(_EDGE) is not None or linked
    found = _take_sides(reader)
    if not found:
        check_known(reader, SIDES, SIDES_SAID)
        return reader.fail("Name the edges with land", SIDES_SAID) if linked else None
    reader.skip(_EDGE)
    reader.skip(_LAND)
    return sum(1 << SIDE_INDEX[side] for side in found)


def take_side(reader: Line) -> Side | None:
    """Takes the name of one side, with "on", "in" or "side" around it; ``None`` if none is next.

    Raises ``NotationError``.
    """
    linked = reader.skip(_ON_OR_EN) is not None
    linked = reader.skip(_EDGE) is not None or linked
    word, at = next_word(reader), reader.at
    if word == "e" and not _is_east(reader, ""):
        return None
    side = reader.skip(SIDES)
    if isinstance(side, Side):
        reader.skip(_EDGE)
        return side
    if directions(word):
        reader.fail("An explorer goes on one side", SIDES_SAID, at)
    if linked:
        reader.fail_at_next(SIDES_SAID)
    check_known(reader, SIDES, SIDES_SAID)
    return None


def _take_sides(reader: Line) -> list[Side]:
    """The sides that are named, up to the first piece that names none."""
    found: list[Side] = []
    last = ""
    while (word := next_word(reader)) and (found or directions(word) or word == "no"):
        before = reader.at
        if word != "e" or not _is_east(reader, last):
            _skip_joint(reader)
        word, at = next_word(reader), reader.at
        named = _take_one(reader, word, last)
        if not named:
            check_known(reader, SIDES, SIDES_SAID)
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
    reader.skip(_AND)
    reader.skip(_ON)
    reader.skip(_EDGE)


def _take_one(reader: Line, word: str, last: str) -> tuple[Side, ...]:
    """Takes a word that names sides, and gives them; none at any other word. ``last`` is the side
    named before.
    """
    if word == "no" and reader.next_is(_NO_EXPLORER) is None:
        reader.fail('"no" may be north and west, or no explorer', ("NW", '"; skip"'))
    at, side, named = reader.at, reader.skip(SIDES), directions(word)
    if side is None and named:
        reader.take_piece(named[0])
    following = next_word(reader)
    if side is None and word == "en" and directions(following):
        reader.fail('"en" may be north and east, or a French word before a side', ("N E", "the sides alone"), at)
    if word == "o" and (is_written_out(last) or is_written_out(following)):
        reader.fail('"o" may be the west or an Italian "or"', ("west",), at)
    return (side,) if isinstance(side, Side) else named


def _is_east(reader: Line, last: str) -> bool:
    """Whether the "e" that is next is the east, and not the Italian "and"; ``last`` is the side
    named before. Raises ``NotationError`` where it may be both.
    """
    at = reader.at
    reader.at += 1
    following = next_word(reader) or reader.here.word
    joins = is_italian(following) and (reader.next_is_verb() is not None or following in THEN)
    reader.at = at
    if not joins and not directions(following):
        return True
    if is_italian_side(last) and (joins or is_italian_side(following)):
        return False
    if not joins and (not last or in_letters(last)) and in_letters(following):
        return True
    return reader.fail('"e" may be the east or an Italian "and"', ("east", "and"))
