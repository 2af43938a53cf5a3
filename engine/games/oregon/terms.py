"""The terms of Oregon: every action, piece and place in English, French and Italian; and the
vocabulary of its notation. Each term begins with the word of the rulebook in its language. Verbs
are given as an order, in the infinitive, and as a narration uses them.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final, TypeAlias

from engine.games.oregon.components import Building, Deck, Symbol
from engine.reading import Reader, Spaces
from engine.vocabulary import Term, read_terms, vocabulary

Verb = Enum("Verb", "START FARMER BUILDING PLACE PLAY EXTRA NO_EXTRA USE DRAW SET_ASIDE DISCARD DONE DEAL")
"""The first words of actions; no ``StrEnum``, so that a verb is not equal to the deck "building".
"""
Token = Enum("Token", "JOKER AND WITH ON OF FOR TO SEAT SPACE CARD TILE TOKEN DECK ASIDE REPLACED")
"""Other words with a meaning."""


Meaning: TypeAlias = Verb | Token | Symbol | Building | Deck

TERMS: Final[Mapping[Meaning, Term]] = read_terms("engine.games.oregon", Verb, Token, Symbol, Building, Deck)


Line: TypeAlias = Reader[Meaning]
"""A line that is being read."""
Kinds: TypeAlias = frozenset[Meaning]
"""A set of meanings that are accepted at a position."""

BUILDING_NAMES: Final = {building: building.value.replace("_", " ") for building in Building}
BUILDING_CODES: Final = {
    Building.POST_OFFICE: "PO",
    Building.HARBOUR: "HB",
    Building.CHURCH: "CH",
    Building.COAL_MINE: "CM",
    Building.GOLD_MINE: "GM",
    Building.WAREHOUSE: "WH",
    Building.STATION: "ST",
}

LINKS: Final[Kinds] = frozenset((*Token, Verb.PLACE, Verb.PLAY, Verb.USE)) - {Token.JOKER, Token.SEAT, Token.ASIDE}
"""The words that may be there or not without a difference, where the grammar takes them."""
_IN_FULL: Final[Kinds] = (frozenset(Token) | LINKS | {Verb.DEAL, Verb.NO_EXTRA}) - {Token.JOKER}
WORDS: Final = vocabulary(TERMS, verbs=tuple(Verb), in_full=_IN_FULL)
"""The vocabulary; small words and those of actions of chance may not be abbreviated."""
SPACES: Final = Spaces("The board has no space", columns=15, rows=10, example="C7")


def read(line: str) -> Line:
    """A reader of the line. Raises ``NotationError`` at a character that belongs to no word."""
    return Reader(line, WORDS, SPACES)
