"""The terms of Ozeanien in three languages, the vocabulary made of them, words for sides."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final, TypeAlias

from engine.games.ozeanien.tiles import Kind, Side
from engine.reading import Reader, Spaces
from engine.vocabulary import AND, THEN, Term, read_terms, vocabulary, words_of

Verb = Enum("Verb", "SHIP TAKE PLACE EXPLORER SKIP NO_EXPLORER DRAW")
"""The first words of actions; ``NO_EXPLORER`` does what ``SKIP`` does."""
Token = Enum(
    "Token",
    "TILE SPACE CIRCLE ROW COLUMN EDGE LAND NO_LAND ALL DISCARDED VALUE THERE NO TURNED AND WITH FOR FROM ON EN OF",
)
"""The words that name pieces, places and their parts within an action, and the small words."""


Meaning: TypeAlias = Verb | Token | Side | Kind

SHIP_NAMES: Final = ("ship", "boat", "navire", "bateau", "nave")
"""What the ship itself is called, beside the verbs that move it."""

TERMS: Final[Mapping[Meaning, Term]] = read_terms("engine.games.ozeanien", Verb, Token, Side, Kind)
"""The terms by meaning; the kinds of tiles have the names of these rules, not of a rulebook."""


Line: TypeAlias = Reader[Meaning]
"""A line that is being read."""
Kinds: TypeAlias = frozenset[Meaning]
"""The meanings that a word may have."""

WORDS: Final = vocabulary(TERMS, verbs=tuple(Verb), in_full=(Verb.DRAW, Verb.NO_EXPLORER, *Side, *Token))
"""The vocabulary. The names of actions of seats and of kinds of tiles may be abbreviated."""
LINKS: Final[frozenset[Meaning]] = frozenset(
    (
        *(Verb.TAKE, Verb.PLACE, Verb.EXPLORER),
        *(Token.TILE, Token.SPACE, Token.CIRCLE, Token.ROW, Token.COLUMN, Token.EDGE, Token.LAND, Token.NO_LAND),
        *(Token.DISCARDED, Token.VALUE, Token.THERE),
        *(Token.AND, Token.WITH, Token.FOR, Token.FROM, Token.ON, Token.EN, Token.OF),
        *Kind,
    )
)
"""The words that may be there or not without a difference, where the grammar has them."""
SPACES: Final = Spaces("No board has a space", columns=7, rows=7, example="C4")
SIDES: Final[Kinds] = frozenset(Side)
KINDS: Final[Kinds] = frozenset(Kind)

_LETTERS: Final = {"n": Side.NORTH, "e": Side.EAST, "s": Side.SOUTH, "w": Side.WEST}
_FRENCH: Final = frozenset(["so", "eo", "neo", "nso", "eso", "neso"])
"""Letters with O for "ouest" and "ovest", clockwise; other orders, and "no", mean other things."""
_ITALIAN_SIDES: Final = frozenset(["nord", "est", "sud", "ovest"])
_ITALIAN: Final = frozenset(
    ["poi", "quindi"] + [word for term in TERMS.values() for word in words_of(term.italian.replace(",", " "))]
)


def read(line: str) -> Line:
    """A reader of the line. Raises ``NotationError`` at a character that belongs to no word."""
    return Reader(line, WORDS, SPACES)


def next_word(reader: Line) -> str:
    """The next word, folded; "" if none is next."""
    return reader.here.word if reader.here.kind == "word" else ""


def check_known(reader: Line, kinds: Kinds, said: tuple[str, ...]) -> None:
    """Raises ``NotationError``, with what is close among ``kinds``, at a word without a meaning."""
    word = next_word(reader)
    if word and (word,) not in WORDS.meanings and not directions(word) and word not in AND | THEN:
        reader.take(kinds, said)


def directions(word: str) -> tuple[Side, ...]:
    """The sides that a word names ("east", "NE", "northeast"); none for any other word."""
    for meaning in WORDS.meanings.get((word,), ()):
        if isinstance(meaning, Side):
            return (meaning,)
    if word in _FRENCH:
        return tuple(_LETTERS["w" if letter == "o" else letter] for letter in word)
    if word and len(set(word)) == len(word) and set(word) <= _LETTERS.keys():
        return tuple(_LETTERS[letter] for letter in word)
    for name in ("north", "south", "nord", "sud"):
        rest = directions(word.removeprefix(name)) if word.startswith(name) else ()
        if len(rest) == 1 and rest[0] in (Side.EAST, Side.WEST):
            return (Side.NORTH if name.startswith("n") else Side.SOUTH, *rest)
    return ()


def in_letters(word: str) -> bool:
    """Whether the word names sides by letters ("e", "ne")."""
    return bool(word) and set(word) <= set("nesow")


def is_written_out(word: str) -> bool:
    """Whether the word names sides by more than letters ("east", "northeast")."""
    return bool(directions(word)) and not in_letters(word)


def is_italian_side(word: str) -> bool:
    """Whether the word is a side's Italian name, written out."""
    return word in _ITALIAN_SIDES


def is_italian(word: str) -> bool:
    """Whether the word is one of the Italian terms, or of the words for "then"."""
    return word in _ITALIAN
