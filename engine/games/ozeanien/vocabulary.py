"""The vocabulary of Ozeanien's notation: English words, and the French names of the rulebook."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, TypeAlias

from engine.games.ozeanien.tiles import Kind, Side
from engine.reading import Reader, Spaces, vocabulary


class Verb(StrEnum):
    """The first words of actions."""

    SHIP = "ship"
    PLACE = "place"
    EXPLORER = "explorer"
    SKIP = "skip"
    DRAW = "draw"


Word: TypeAlias = Verb | Side | Kind
Line: TypeAlias = Reader[Word]
"""A line that is being read."""

_SAID: Final[dict[Word, str]] = {
    Verb.SHIP: "ship, sail, start, explore, boat, navire, bateau",
    Verb.PLACE: "place, put, lay, poser, pose, placer",
    Verb.EXPLORER: "explorer, scout, pawn, explorateur, pion",
    Verb.SKIP: "skip, pass, no, none, nobody, done, end, passer, rien, fin",
    Verb.DRAW: "draw",
    Side.NORTH: "north, n, top, up, nord, haut",
    Side.EAST: "east, e, right, est, droite",
    Side.SOUTH: "south, s, bottom, below, down, sud, bas",
    Side.WEST: "west, w, left, ouest, gauche",
    Kind.SEA: "sea, ocean, mer",
    Kind.CAPE: "cape, cap",
    Kind.COAST: "coast, cote",
    Kind.STRAIT: "strait, detroit",
    Kind.BAY: "bay, baie",
    Kind.INLAND: "inland",
}

SIDE_NAMES: Final = frozenset(side.value for side in Side)
_PASSED_OVER: Final = """
a an and at avec cercle circle column de des discarded du edge edges et explorateurs explorers for
from giving in la land le les my of on onto open paying pour row side sur terre the tile to tuile
using value valeur vers with
"""
WORDS: Final = vocabulary(_SAID, verbs=tuple(Verb), fillers=_PASSED_OVER, then="then puis", in_full=(Verb.DRAW, *Side))
"""The vocabulary. The names of meanings used in actions of chance and of sides may not be
abbreviated; letters for sides are read by ``directions``.
"""
_SPACES: Final = Spaces("No board has a space", columns=7, rows=7, example="C4")
_SAID_FIRST: Final = ("ship", "place", "explorer", "skip")


def read(line: str) -> Line:
    """A reader of the line with this vocabulary.

    Raises ``NotationError`` at a character that belongs to no word.
    """
    return Reader(line, WORDS, _SPACES)


def take_word(reader: Line) -> Word | None:
    """Takes the next word and gives its meaning; ``None`` if no word is next. Raises
    ``NotationError`` for an unknown word.
    """
    return reader.take(WORDS.everything, _SAID_FIRST)


def peek_directions(reader: Line) -> bool:
    """Whether the next word names sides."""
    return reader.here.kind == "word" and bool(directions(reader.here.word))


def directions(word: str) -> tuple[Side, ...]:
    """The sides that a word names ("east", "NE", "northeast"); none for any other word."""
    meaning = WORDS.meanings.get((word,), ())
    if meaning and isinstance(meaning[0], Side):
        return (meaning[0],)
    if word and len(set(word)) == len(word) and set(word) <= set(_LETTERS):
        return tuple(_LETTERS[letter] for letter in word)
    for name in SIDE_NAMES:
        if word.startswith(name) and word != name:
            rest = directions(word.removeprefix(name))
            return (Side(name), *rest) if rest else ()
    return ()


_LETTERS: Final = {side.value[0]: side for side in Side}
