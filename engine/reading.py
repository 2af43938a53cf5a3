"""Splits a line of notation into tokens and matches them to a game's vocabulary.

1. Each game builds its ``vocabulary`` once, from the words and phrases for each meaning.
2. A ``Reader`` splits a line into pieces; the game's parser takes them from it one by one.
3. Unreadable input raises ``NotationError`` with the column, a sentence, and what would fit.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from typing import Final, Generic, NoReturn, TypeAlias, TypeVar

from engine.errors import NotationError

M = TypeVar("M", bound=Hashable)
Phrase: TypeAlias = tuple[str, ...]

_CHARACTERS_SAID: Final = ("words, numbers or ;",)
_PIECE: Final = re.compile(
    r"(?P<space>(?:[A-Za-z][0-9]+|[0-9]+[A-Za-z])(?![A-Za-z0-9]))"
    r"|(?P<number>[0-9]+)"
    r"|(?P<word>(?:[^\W\d_][\u0300-\u036f]*)+)"
    r"|(?P<stop>[;/|\n\r])"
)
_BLANK: Final = re.compile(r"(?:[^\S\n\r]|[,.:+&_@()\[\]'\"\u2018\u2019\u201c\u201d\u201e!*>-])*")
_LONGEST_SHOWN: Final = 30
_LARGEST: Final = 1000


@dataclass(frozen=True, slots=True)
class Vocabulary(Generic[M]):
    """The words of a notation.

    ``meanings`` has the meanings of each phrase; ``names`` the phrase that is suggested for each
    meaning; names of the meanings in ``short`` may be abbreviated. ``verbs`` begin an action;
    ``fillers`` are ignored; the words in ``then`` separate actions, as a stop does. All words are
    folded (see ``folded``).
    """

    meanings: Mapping[Phrase, tuple[M, ...]]
    names: Mapping[M, Phrase]
    short: frozenset[M]
    verbs: frozenset[M]
    fillers: frozenset[str]
    then: frozenset[str]

    @property
    def everything(self) -> frozenset[M]:
        """All meanings."""
        return frozenset(self.names)

    @property
    def longest(self) -> int:
        """The number of words of the longest phrase."""
        return max(map(len, self.meanings))

    def name(self, meaning: M) -> str:
        """The word that is suggested for a meaning."""
        return " ".join(self.names[meaning])

    def beginning(self, word: str) -> tuple[M, ...]:
        """The meanings whose name may be abbreviated to this word."""
        return tuple(
            meaning for meaning, phrase in self.names.items() if meaning in self.short and phrase[0].startswith(word)
        )


def vocabulary(
    said: Mapping[M, str], verbs: Collection[M], fillers: str, then: str, in_full: Collection[M] = ()
) -> Vocabulary[M]:
    """Makes a vocabulary. ``said`` gives, for each meaning, its phrases, separated by commas; the
    first one is its name.

    ``fillers`` and ``then`` are words separated by blanks. The names of the meanings in ``in_full``
    may not be abbreviated.
    """
    phrases = {meaning: tuple(tuple(phrase.split()) for phrase in text.split(", ")) for meaning, text in said.items()}
    meanings: dict[Phrase, tuple[M, ...]] = {}
    for meaning, each in phrases.items():
        for phrase in each:
            meanings[phrase] = (*meanings.get(phrase, ()), meaning)
    names = {meaning: each[0] for meaning, each in phrases.items()}
    return Vocabulary(
        meanings,
        names,
        frozenset(names) - frozenset(in_full),
        frozenset(verbs),
        frozenset(fillers.split()),
        frozenset(then.split()),
    )


@dataclass(frozen=True, slots=True)
class Spaces:
    """The names of the spaces of a board: a column letter and a row number.

    ``missing`` is the beginning of the sentence about a space that the board does not have.
    """

    missing: str
    columns: int
    rows: int
    example: str

    @property
    def said(self) -> str:
        """The range of spaces in words, for a sentence."""
        return (
            f"a column from A to {chr(ord('A') + self.columns - 1)} and a row from 1 to {self.rows}, such as"
            f" {self.example}"
        )


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of the line: a ``word``, a ``number``, a ``space`` of the board, a ``stop`` between
    actions, or the ``end``.
    """

    kind: str
    text: str
    column: int

    @property
    def word(self) -> str:
        """The text in lower case without accents."""
        return folded(self.text)


class Reader(Generic[M]):
    """The pieces of a line, and ``at``, the index of the next piece."""

    def __init__(self, line: str, words: Vocabulary[M], spaces: Spaces) -> None:
        self.line = line
        self.words = words
        self.spaces = spaces
        self.pieces = _pieces(line, words.then)
        self.at = 0

    @property
    def here(self) -> Piece:
        """The next piece. Fillers are skipped, unless they begin a phrase with a meaning ("put
        aside") or name a column ("a 7").
        """
        while (
            self._piece.kind == "word"
            and self._piece.word in self.words.fillers
            and not self._letter_then_number()
            and not self._longest(self.words.everything)[0]
        ):
            self.at += 1
        return self._piece

    def fail(self, sentence: str, expected: tuple[str, ...] = (), at: int | None = None) -> NoReturn:
        """Raises ``NotationError`` at the next piece, or at the piece with the index ``at``."""
        column = self.pieces[self.at if at is None else at].column
        full = sentence if sentence.endswith("?") else f"{sentence}."
        raise NotationError(f"{full} {_listed(expected)}".strip(), self.line, column, expected)

    def fail_at_next(self, said: tuple[str, ...]) -> NoReturn:
        """Raises ``NotationError`` about the next piece, which does not fit; ``said`` is what
        would.
        """
        self.fail(
            "The action is not finished" if self.ended() else f'"{shortened(self.here.text)}" does not fit here', said
        )

    def at_end(self) -> bool:
        """Skips stops; whether nothing is left then."""
        while self.here.kind == "stop":
            self.at += 1
        return self.here.kind == "end"

    def ended(self) -> bool:
        """Whether the action ends here, at a stop or the end of the line."""
        return self.here.kind in ("stop", "end")

    def at_number(self) -> bool:
        """Whether a number is next."""
        return self.here.kind == "number"

    def take_number(self) -> int | None:
        """Takes the number, if one is next, else gives ``None``; numbers above 999 are given as
        1000.
        """
        if not self.at_number():
            return None
        self.at += 1
        return _number(self.pieces[self.at - 1].text)

    def letter_and_number(self) -> tuple[str, int, int] | None:
        """The letter and the number that are next ("C7", "c 7", "7C"), and how many pieces they
        take up; ``None`` if something else is next.
        """
        text, width = self.here.text, 1
        if self._letter_then_number():
            text, width = text + self.pieces[self.at + 1].text, 2
        elif self._piece.kind != "space":
            return None
        letter, digits = (text[0], text[1:]) if text[0].isalpha() else (text[-1], text[:-1])
        return letter.upper(), _number(digits), width

    def take_space(self) -> str | None:
        """Takes the name of a space, if one is next, else gives ``None``. Raises ``NotationError``
        for a space that the board does not have.
        """
        found = self.letter_and_number()
        if found is None:
            return None
        letter, number, width = found
        if ord(letter) - ord("A") >= self.spaces.columns or not 1 <= number <= self.spaces.rows:
            self.fail(f'{self.spaces.missing} "{shortened(f"{letter}{number}")}"', (self.spaces.said,))
        self.at += width
        return f"{letter}{number}"

    def take(self, kinds: frozenset[M], said: tuple[str, ...]) -> M | None:
        """Takes the next phrase with a meaning in ``kinds`` and gives that meaning. Gives ``None``
        at a space or number, and where the action ends: at a stop, at the end, at the next action's
        verb.

        Raises ``NotationError`` at any other word; ``said`` is what the error says was expected.
        """
        if self.ended() or self.here.kind in ("space", "number"):
            return None
        verbs = self.words.verbs
        meanings, width = self._longest(kinds | verbs)
        fitting = tuple(meaning for meaning in meanings if meaning in kinds)
        if not meanings:
            begun = self.words.beginning(self.here.word)
            fitting, width = tuple(meaning for meaning in begun if meaning in kinds), 1
            meanings = fitting or tuple(meaning for meaning in begun if meaning in verbs)
        if len(fitting) > 1 or (len(meanings) > 1 and not fitting):
            names = tuple(self.words.name(meaning) for meaning in fitting or meanings)
            self.fail(f'"{shortened(self.here.text)}" could be more than one word', names)
        if fitting:
            self.at += width
            return fitting[0]
        if not meanings:
            self._fail_at_word(kinds | verbs, said)
        return None

    @property
    def _piece(self) -> Piece:
        return self.pieces[self.at]

    def _letter_then_number(self) -> bool:
        """Whether a single letter and a number are next, in two pieces."""
        here = self._piece
        return (
            here.kind == "word"
            and len(here.text) == 1
            and here.text.isascii()
            and self.pieces[self.at + 1].kind == "number"
        )

    def _longest(self, kinds: frozenset[M]) -> tuple[tuple[M, ...], int]:
        """The meanings in ``kinds`` of the longest phrase that starts at the next piece, and the
        number of its pieces.
        """
        words: list[str] = []
        for piece in self.pieces[self.at : self.at + self.words.longest]:
            if piece.kind != "word":
                break
            words.append(piece.word)
        for width in range(len(words), 0, -1):
            found = tuple(meaning for meaning in self.words.meanings.get(tuple(words[:width]), ()) if meaning in kinds)
            if found:
                return found, width
        return (), 0

    def _fail_at_word(self, kinds: frozenset[M], said: tuple[str, ...]) -> NoReturn:
        word, shown = self.here.word[:40], shortened(self.here.text)
        if self._longest(self.words.everything)[0] or self.words.beginning(word):
            self.fail_at_next(said)
        near = difflib.get_close_matches(word, self._single(kinds), 1, 0.6)
        if not near:
            self.fail(f'"{shown}" is not a word of this notation', said)
        self.fail(
            f'"{shown}" is not a word of this notation; did you mean "{near[0]}"?',
            (near[0], *(name for name in said if name != near[0])),
        )

    def _single(self, kinds: frozenset[M]) -> list[str]:
        """The single words of three letters or more that have a meaning in ``kinds``, for
        suggestions.
        """
        fitting = (
            phrase for phrase, meanings in self.words.meanings.items() if any(meaning in kinds for meaning in meanings)
        )
        return [phrase[0] for phrase in fitting if len(phrase) == 1 and len(phrase[0]) > 2]


def folded(word: str) -> str:
    """The word in lower case without accents."""
    return "".join(
        letter for letter in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(letter)
    )


def shortened(text: str) -> str:
    """The text, cut to at most 30 characters."""
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 3] + "..."


def _pieces(line: str, then: frozenset[str]) -> list[Piece]:
    """The pieces of the line, followed by two of the kind ``end``.

    Raises ``NotationError`` at a character that belongs to no piece.
    """
    found: list[Piece] = []
    at = _blank(line, 0)
    while at < len(line):
        match = _PIECE.match(line, at)
        if match is None:
            shown = line[at] if line[at].isprintable() else f"U+{ord(line[at]):04X}"
            raise NotationError(
                f'"{shown}" has no meaning here. {_listed(_CHARACTERS_SAID)}', line, at, _CHARACTERS_SAID
            )
        kind = "stop" if folded(match.group()) in then else str(match.lastgroup)
        found.append(Piece(kind, match.group(), at))
        at = _blank(line, match.end())
    end = Piece("end", "", len(line.rstrip()))
    return [*found, end, end]


def _blank(line: str, at: int) -> int:
    match = _BLANK.match(line, at)
    return match.end() if match else at


def _number(digits: str) -> int:
    return int(digits) if len(digits.lstrip("0")) <= 3 else _LARGEST


def _listed(expected: tuple[str, ...]) -> str:
    if not expected:
        return ""
    return (
        f"Expected {expected[0]}." if len(expected) == 1 else f"Expected {', '.join(expected[:-1])} or {expected[-1]}."
    )
