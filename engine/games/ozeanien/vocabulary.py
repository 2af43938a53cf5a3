"""The words of Ozeanien's notation: English, and the French ones of the rulebook."""

from __future__ import annotations

import unicodedata
from enum import StrEnum
from typing import Final, TypeAlias

from engine.games.ozeanien.tiles import Kind, Side


class Verb(StrEnum):
    """What an action begins with."""

    SHIP = "ship"
    PLACE = "place"
    EXPLORER = "explorer"
    SKIP = "skip"
    DRAW = "draw"


Word: TypeAlias = Verb | Side | Kind

_SAID: Final[dict[Word, str]] = {
    Verb.SHIP: "ship sail start explore boat navire bateau",
    Verb.PLACE: "place put lay poser pose placer",
    Verb.EXPLORER: "explorer scout pawn explorateur pion",
    Verb.SKIP: "skip pass no none nobody done end passer rien fin",
    Verb.DRAW: "draw",
    Side.NORTH: "north n top up nord haut",
    Side.EAST: "east e right est droite",
    Side.SOUTH: "south s bottom below down sud bas",
    Side.WEST: "west w left ouest gauche",
    Kind.SEA: "sea ocean mer",
    Kind.CAPE: "cape cap",
    Kind.COAST: "coast cote",
    Kind.STRAIT: "strait detroit",
    Kind.BAY: "bay baie",
    Kind.INLAND: "inland",
}

WORDS: Final = {word: meaning for meaning, words in _SAID.items() for word in words.split()}
SIDE_NAMES: Final = frozenset(side.value for side in Side)
THEN: Final = frozenset(("then", "puis"))
_PASSED_OVER = """a an and at avec cercle circle column de des discarded du edge edges et explorateurs explorers for from giving in la land le les my of on onto
open paying pour row side sur terre the tile to tuile using value valeur vers with"""
FILLERS: Final = frozenset(_PASSED_OVER.split())


def folded(word: str) -> str:
    """The word without case and accents."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(letter))


def directions(word: str) -> tuple[Side, ...]:
    """The sides that a word names: "east", "NE", "north-east" written as one; none where it is no such word."""
    meaning = WORDS.get(word)
    if isinstance(meaning, Side):
        return (meaning,)
    if word and len(set(word)) == len(word) and set(word) <= set(_LETTERS):
        return tuple(_LETTERS[letter] for letter in word)
    for name in SIDE_NAMES:
        if word.startswith(name) and word != name:
            rest = directions(word.removeprefix(name))
            return (Side(name), *rest) if rest else ()
    return ()


_LETTERS: Final = {side.value[0]: side for side in Side}
