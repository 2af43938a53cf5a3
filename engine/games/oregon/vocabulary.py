"""The vocabulary of Oregon's notation, made from its table of terms."""

from __future__ import annotations

from typing import Final, TypeAlias

from engine.games.oregon.components import Building
from engine.games.oregon.terms import TERMS, Meaning, Token, Verb
from engine.reading import Reader, Spaces
from engine.vocabulary import vocabulary

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

LINKS: Final[Kinds] = frozenset(
    (*Token, Verb.PLACE, Verb.PLAY, Verb.USE),
) - {Token.JOKER, Token.SEAT, Token.ASIDE}
"""The words that may be there or not without a difference, each where the grammar takes it:
connecting words, labels, and the verbs before the name of a piece ("place a farmer").
"""
_IN_FULL: Final[Kinds] = (frozenset(Token) | LINKS | {Verb.DEAL, Verb.NO_EXTRA}) - {Token.JOKER}
WORDS: Final = vocabulary(TERMS, verbs=tuple(Verb), in_full=_IN_FULL)
"""The vocabulary; small words and those of actions of chance may not be abbreviated."""
SPACES: Final = Spaces("The board has no space", columns=15, rows=10, example="C7")


def read(line: str) -> Line:
    """A reader of the line with this vocabulary.

    Raises ``NotationError`` at a character that belongs to no word.
    """
    return Reader(line, WORDS, SPACES)
