"""Parts of sentences and text boards: names, enumerations, plurals, padding for monospace text."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

WIDTH: Final = 78
"""The most columns that a text board may have."""
LONGEST_LINE: Final = 5_000
"""The most characters of a narration, or of another line that a game writes, that are shown."""
UNSEEN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
"""Control characters but tabs and line breaks, turns of direction, halves of surrogate pairs."""


def plain(text: str) -> str:
    """The text on one line, without unprintable characters."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def name_of(seat: int, names: Sequence[str]) -> str:
    """The player's name, or that of the seat if the player has none."""
    return (plain(names[seat]) if seat < len(names) else "") or seat_name(seat)


def seat_name(seat: int) -> str:
    """The name of a seat without a player: "Seat 0" is the first."""
    return f"Seat {seat}"


def victory(winners: Sequence[str]) -> str:
    """Who has won: "Ada wins", "Ada and Bela share the victory". ``winners`` is not empty."""
    return f"{winners[0]} wins" if len(winners) == 1 else f"{listed(winners)} share the victory"


def listed(parts: Iterable[str]) -> str:
    """The parts as an enumeration: "a, b and c"."""
    found = tuple(parts)
    return " and ".join((", ".join(found[:-1]), found[-1])) if len(found) > 1 else "".join(found)


def either(parts: Iterable[str]) -> str:
    """The parts as a choice: "a, b or c"."""
    found = tuple(parts)
    return " or ".join((", ".join(found[:-1]), found[-1])) if len(found) > 1 else "".join(found)


def amount(count: int, noun: str) -> str:
    """The number with the noun, in the plural if it is not 1: "1 farmer", "2 farmers"."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def a(noun: str) -> str:
    """The noun with its article: "a farmer", "an eagle"."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def as_sentence(words: str) -> str:
    """The words with a capital letter and a full stop: "End your turn."."""
    return f"{words[0].upper()}{words[1:]}."


def wrapped(line: str, indent: int) -> list[str]:
    """Lines of at most ``WIDTH`` columns, all but the first indented by ``indent``."""
    return textwrap.wrap(line, WIDTH, subsequent_indent=" " * indent)


def padded(name: str, width: int) -> str:
    """The name cut or padded to ``width`` columns of a monospace font."""
    if sum(map(_columns, name)) > width:
        while sum(map(_columns, name)) > width - 2:
            name = name[:-1]
        name += ".."
    return name + " " * (width - sum(map(_columns, name)))


def _columns(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
