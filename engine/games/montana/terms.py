"""The terms of Montana: every action, piece and place in English, French (of the rulebook) and
Italian; and the vocabulary of its notation. Help and errors use the English names.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final, TypeAlias

from engine.games.montana.components import Area
from engine.reading import Reader, Spaces
from engine.vocabulary import Term, read_terms, vocabulary

Verb = Enum(
    "Verb",
    "RECRUIT MOVE PAY CHOOSE RETURN SEND HARVEST AGAIN TOWN PLACE PASS TAKE UPGRADE EXCHANGE BUILD TRADE USE "
    "CANTEEN END LAY SPIN",
)
"""The first words of actions."""


class Thing(Enum):
    """A good or the worker that harvests it; the action determines which of the two is meant."""

    WHEAT = "wheat"
    PUMPKIN = "pumpkin"
    COPPER = "copper"
    STONE = "stone"


class Colour(Enum):
    """The colours of the workers; goods have none."""

    BEIGE = "beige"
    ORANGE = "orange"
    BROWN = "brown"
    GREY = "grey"


Token = Enum(
    "Token",
    "BANK SMALL_BOX SLOT SPACE ROW COLUMN HEX SEGMENT ARROW REPRESENTATIVE SETTLEMENT WORKER GOODS COW COINS "
    "LARGE SMALL NOTHING START TILE TURNED AT WITH FOR OF AND",
)
"""Other pieces and places, and the small words between them."""


Meaning: TypeAlias = Verb | Thing | Colour | Token | Area

TERMS: Final[Mapping[Meaning, Term]] = read_terms("engine.games.montana", Verb, Thing, Colour, Token, Area)


Line: TypeAlias = Reader[Meaning]
"""A line that is being read."""
Kinds: TypeAlias = frozenset[Meaning]
"""A set of meanings that are accepted at a position."""

WORDS: Final = vocabulary(TERMS, verbs=tuple(Verb), in_full=(Verb.LAY, Verb.SPIN, *Token))
"""The vocabulary; actions of chance and small words may not be abbreviated."""
LINKS: Final[Kinds] = frozenset(
    (
        *(Token.AT, Token.WITH, Token.FOR, Token.OF, Token.AND),
        *(Token.SLOT, Token.SPACE, Token.ROW, Token.COLUMN, Token.HEX, Token.SEGMENT, Token.ARROW),
        *(Token.REPRESENTATIVE, Token.SETTLEMENT, Token.WORKER, Token.GOODS, Token.COW, Token.SMALL),
        *(Verb.HARVEST, Verb.SEND, Verb.PLACE, Verb.USE, Verb.PAY, Verb.MOVE),
    )
)
"""The words that may be there or not without a difference, such as links and labels."""
SPACES: Final = Spaces("No board has a hex", columns=16, rows=16, example="C5")


def read(line: str) -> Line:
    """A reader of the line. Raises ``NotationError`` at a character that belongs to no word."""
    return Reader(line, WORDS, SPACES)
