"""The vocabulary of Montana's notation, made from the table of terms."""

from __future__ import annotations

from typing import Final, TypeAlias

from engine.games.montana.terms import TERMS, Meaning, Token, Verb
from engine.reading import Reader, Spaces
from engine.vocabulary import vocabulary

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
"""The words that may be there or not without a difference: links, labels, and verbs of which the
rest of the action says enough.
"""
SPACES: Final = Spaces("No board has a hex", columns=16, rows=16, example="C5")


def read(line: str) -> Line:
    """A reader of the line with this vocabulary.

    Raises ``NotationError`` at a character that belongs to no word.
    """
    return Reader(line, WORDS, SPACES)
