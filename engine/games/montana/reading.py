"""Reads the parts of Montana's notation other than words and hexes: letters with a number, the
number of settlements, the name of a tile.
"""

from __future__ import annotations

from typing import Final

from engine.games.montana.vocabulary import Line

_TIMES: Final = frozenset(("x", "times", "settlements", "settlement"))
_LETTERS: Final = frozenset("WPCS")
_MOST_NAMED: Final = 9


def take_times(reader: Line) -> int | None:
    """Takes the number of settlements, if one is next, else gives ``None``: "x2", "2x", "x 2", "2
    settlements".
    """
    found = reader.letter_and_number()
    if found is not None and found[0] == "X":
        reader.at += found[2]
        return found[1]
    if reader.here.word in _TIMES and reader.pieces[reader.at + 1].kind == "number":
        reader.at += 1
        return reader.take_number()
    number = reader.take_number()
    if number is not None and reader.pieces[reader.at].word in _TIMES:
        reader.at += 1
    return number


def take_counted_letter(reader: Line) -> tuple[str, int] | None:
    """Takes a letter with a number in one piece ("2s", "s2"), if one is next, else gives
    ``None``.
    """
    found = reader.letter_and_number() if reader.here.kind == "space" else None
    if found is None or found[0] not in _LETTERS or not 1 <= found[1] <= _MOST_NAMED:
        return None
    reader.at += 1
    return found[0].lower(), found[1]


def take_name(reader: Line) -> str:
    """Takes the next piece, of any kind but the end, and gives its text."""
    text = reader.here.text
    reader.at += 1
    return text
