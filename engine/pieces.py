"""Splits a line of notation into pieces, and says which words are close to a word."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.errors import NotationError
from engine.vocabulary import NUMBERS, THEN, folded

_PIECE: Final = re.compile(
    r"(?P<space>(?:[A-Za-z][0-9]+|[0-9]+[A-Za-z])(?![A-Za-z0-9]))"
    r"|(?P<number>[0-9]+)"
    r"|(?P<word>(?:[^\W\d_][\u0300-\u036f]*)+)"
    r"|(?P<stop>[;/|\n\r])"
)
_UNSEEN: Final = r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
_BLANK: Final = re.compile(
    r"(?:[^\S\n\r]"
    r"|[,.:+&_@()\[\]{}'\"\u00ab\u00bb\u2018\u2019\u201a\u201c\u201d\u201e!*=>\u2022\u00b7\u2190-\u21ff]"
    rf"|(?<![^\W_]){_UNSEEN}+|{_UNSEEN}++(?![^\W_])"
    r"|[-\u2010-\u2015\u2212](?![0-9])"
    r"|(?<=[^\W_])[-\u2010-\u2015](?=[0-9])"
    r"|(?<=[^\W_])/(?=[^\W_])"
    r"|(?<![^\W_])(?:[JjLl]|[Uu]n|[Dd]ell|[Aa]ll|[Nn]ell|[Ss]ull)['\u2019](?=[^\W\d_])"
    r"|(?<![^\W_])[Ii]['\u2019](?:m|ll)(?![^\W_])"
    r")*"
)
"""What is ignored between pieces: blanks and punctuation; marks that nobody sees, at the ends of a
word; dashes, but not a minus; a slash between two words ("wagon/bison"); an elided article or
pronoun ("l'or", "j'utilise", "I'm").
"""
_PARTING: Final = re.compile(r"[,&+)]")
_DECIMAL: Final = re.compile(r"[0-9]+\.[0-9]+")
_MARKER: Final = re.compile(r"[.)](?=\s)")
_WANTED: Final = ("words, numbers or ;",)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of the line: a ``word``, a ``number``, also in words, a ``space`` of the board, a
    ``stop`` between actions, or the ``end``; folded in ``word``, ``column`` from 0. ``parted``:
    after a comma.
    """

    kind: str
    text: str
    word: str
    column: int
    parted: bool = False


def pieces_of(line: str) -> list[Piece]:
    """The pieces of the line and two of the kind ``end``. Raises ``NotationError`` at a character
    that belongs to none, and at a number that is not whole or negative.
    """
    found: list[Piece] = []
    at = _after_blank(line, 0)
    parted = False
    while at < len(line):
        if (decimal := _DECIMAL.match(line, at)) is not None:
            raise NotationError(f'"{decimal.group()[:30]}" is not a whole number', line, at, ("a whole number",))
        match = _PIECE.match(line, at)
        if match is None:
            shown = line[at] if line[at].isprintable() else f"U+{ord(line[at]):04X}"
            raise NotationError(f'"{shown}" has no meaning here', line, at, _WANTED)
        word = folded(match.group())
        kind = "stop" if word in THEN else "number" if word in NUMBERS else str(match.lastgroup)
        found.append(Piece(kind, match.group(), word, at, parted))
        at = _after_blank(line, match.end())
        parted = _PARTING.search(line, match.end(), at) is not None
    end = Piece("end", "", "", len(line.rstrip()))
    return [*found, end, end]


def is_marker(line: str, piece: Piece) -> bool:
    """Whether a number counts the line in a list ("1." or "1)") instead of saying something."""
    return piece.text.isdecimal() and _MARKER.match(line, piece.column + len(piece.text)) is not None


def _after_blank(line: str, at: int) -> int:
    match = _BLANK.match(line, at)
    return match.end() if match else at


MOST_OFFERED = 3
MOST_COMPARED = 100
"""More lines than that are not compared letter by letter."""


def close_words(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """The known words that the word is probably a slip of, the closest first, at most three.

    Words of 4 or 5 letters may differ by one slip, longer ones by two if both have the same first
    letter, shorter ones not at all; the longer word counts. A slip is a letter added, left out or
    replaced, or two neighbours exchanged.
    """
    found = []
    for other in dict.fromkeys(known):
        longest = max(len(word), len(other))
        most = 0 if longest < 4 else 1 if longest < 6 or word[:1] != other[:1] else 2
        if abs(len(other) - len(word)) <= most and (slips := distance(word, other)) <= most:
            found.append((slips, other))
    return tuple(other for _, other in sorted(found)[:MOST_OFFERED])


def nearest_lines(line: str, known: Sequence[str], most: int) -> tuple[str, ...]:
    """The known lines, at most ``most``, with most words of the line, then with fewest slips."""
    words = Counter(line.split())
    shared = {other: (words & Counter(other.split())).total() for other in known}
    found: list[str] = []
    for count in sorted(set(shared.values()) - {0}, reverse=True):
        alike = [other for other in known if shared[other] == count]
        found += sorted(alike, key=lambda other: distance(line, other)) if len(alike) <= MOST_COMPARED else alike
        if len(found) >= most:
            break
    return tuple(found[:most])


def distance(one: str, other: str) -> int:
    """The number of slips between two words: the optimal string alignment distance."""
    older: list[int] = []
    previous = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        row = [at]
        for along, wanted in enumerate(other, 1):
            slips = min(previous[along] + 1, row[-1] + 1, previous[along - 1] + (letter != wanted))
            if at > 1 and along > 1 and letter == other[along - 2] and one[at - 2] == wanted:
                slips = min(slips, older[along - 2] + 1)
            row.append(slips)
        older, previous = previous, row
    return previous[-1]
