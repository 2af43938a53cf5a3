"""Reads a line of Oregon's notation piece by piece: words with a meaning, numbers, spaces of the board."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import Final, NoReturn, TypeAlias

from engine.errors import NotationError
from engine.games.oregon.vocabulary import FILLERS, LONGEST_PHRASE, MEANINGS, THEN, Meaning, Phrase, Verb, beginning, folded, main_word

Kinds: TypeAlias = frozenset[Meaning]
"""The meanings that would fit."""

_COLUMNS, _ROWS = 15, 10
_CHARACTERS_SAID = ("words, numbers or ;",)
_VERBS: Final[Kinds] = frozenset(Verb)
_PIECE: Final = re.compile(
    r"(?P<space>(?:[A-Za-z][0-9]+|[0-9]+[A-Za-z])(?![A-Za-z0-9]))|(?P<number>[0-9]+)|(?P<word>(?:[^\W\d_][\u0300-\u036f]*)+)|(?P<stop>[;/|\n\r])"
)
_BLANK: Final = re.compile(r"(?:[^\S\n\r]|[,.:+&_@()\[\]'\"\u2018\u2019\u201c\u201d\u201e!*>-])*")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of the line: a ``word``, a ``number``, a ``space`` of the board, a ``stop`` between actions, or the ``end``."""

    kind: str
    text: str
    column: int


class Reader:
    """The line in pieces, and ``at``, the position of the reading."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.pieces = _pieces(line)
        self.at = 0

    def fail(self, sentence: str, expected: tuple[str, ...] = (), at: int | None = None) -> NoReturn:
        """Raises the ``NotationError`` about the piece here, or the one at ``at``."""
        column = self.pieces[self.at if at is None else at].column
        full = sentence if sentence.endswith("?") else f"{sentence}."
        raise NotationError(f"{full} {_listed(expected)}".strip(), self.line, column, expected)

    def at_end(self) -> bool:
        """Whether nothing is left; passes over stops."""
        while self.ended() and self._here.kind == "stop":
            self.at += 1
        return self._here.kind == "end"

    def ended(self) -> bool:
        """Whether the action ends here, at a stop or the end of the line."""
        self._skip()
        return self._here.kind in ("stop", "end")

    def peek(self) -> str:
        """The text of the next piece, "" at the end."""
        self._skip()
        return self._here.text

    def at_number(self) -> bool:
        """Whether a number is next."""
        self._skip()
        return self._here.kind == "number"

    def take_number(self) -> int | None:
        """The number, if one is next; more than three digits count as 1000."""
        if not self.at_number():
            return None
        self.at += 1
        return _number(self.pieces[self.at - 1].text)

    def take_space(self) -> str | None:
        """The space of the board, if one is next ("C7", "c 7", "7C"); fails on one that the board does not have."""
        self._skip()
        text, width = self._here.text, 1
        if self._letter_and_number():
            text, width = text + self.pieces[self.at + 1].text, 2
        elif self._here.kind != "space":
            return None
        letter, digits = (text[0], text[1:]) if text[0].isalpha() else (text[-1], text[:-1])
        row = _number(digits)
        if ord(letter.upper()) - ord("A") >= _COLUMNS or not 1 <= row <= _ROWS:
            self.fail(f'The board has no space "{shortened(text)}"', ("a column from A to O and a row from 1 to 10, such as C7",))
        self.at += width
        return f"{letter.upper()}{row}"

    def take(self, kinds: Kinds, said: tuple[str, ...]) -> Meaning | None:
        """The next word's meaning among ``kinds``; ``None`` at a space or number, or where the action ends: at a stop, the end, the next action's verb.

        Fails on any other word, telling that it expected what is ``said``.
        """
        if self.ended() or self._here.kind in ("space", "number"):
            return None
        word = folded(self._here.text)
        meanings, width = self._longest(kinds | _VERBS)
        fitting = tuple(meaning for meaning in meanings if meaning in kinds)
        if not meanings:
            begun = beginning(word)
            fitting, width = tuple(meaning for meaning in begun if meaning in kinds), 1
            meanings = fitting or tuple(meaning for meaning in begun if meaning in _VERBS)
        if len(fitting) > 1 or (len(meanings) > 1 and not fitting):
            names = tuple(main_word(meaning) for meaning in fitting or meanings)
            self.fail(f'"{shortened(self._here.text)}" could be more than one word', names)
        if fitting:
            self.at += width
            return fitting[0]
        if not meanings:
            self._misunderstand(kinds | _VERBS, said)
        return None

    def stumble(self, said: tuple[str, ...]) -> NoReturn:
        """Fails on the piece here, which does not fit."""
        self.fail(f'"{shortened(self._here.text)}" does not fit here', said)

    @property
    def _here(self) -> Piece:
        return self.pieces[self.at]

    def _skip(self) -> None:
        """Passes over words without meaning, unless they begin a phrase that has one ("put aside") or name a column ("a 7")."""
        while self._here.kind == "word" and folded(self._here.text) in FILLERS and not self._letter_and_number() and not self._longest(_ANYTHING)[0]:
            self.at += 1

    def _letter_and_number(self) -> bool:
        here = self._here
        return here.kind == "word" and len(here.text) == 1 and here.text.isascii() and self.pieces[self.at + 1].kind == "number"

    def _longest(self, kinds: Kinds) -> tuple[tuple[Meaning, ...], int]:
        """The meanings among ``kinds`` of the longest phrase that starts here, and how many pieces it has."""
        words: list[str] = []
        for piece in self.pieces[self.at : self.at + LONGEST_PHRASE]:
            if piece.kind != "word":
                break
            words.append(folded(piece.text))
        for width in range(len(words), 0, -1):
            found = tuple(meaning for meaning in MEANINGS.get(tuple(words[:width]), ()) if meaning in kinds)
            if found:
                return found, width
        return (), 0

    def _misunderstand(self, kinds: Kinds, said: tuple[str, ...]) -> NoReturn:
        word, shown = folded(self._here.text)[:40], shortened(self._here.text)
        if self._longest(_ANYTHING)[0] or beginning(word):
            self.stumble(said)
        near = difflib.get_close_matches(word, _words(kinds), 1, 0.6)
        if not near:
            self.fail(f'"{shown}" is not a word of this notation', said)
        self.fail(f'"{shown}" is not a word of this notation; did you mean "{near[0]}"?', (near[0], *(name for name in said if name != near[0])))


_ANYTHING: Final[Kinds] = frozenset(meaning for meanings in MEANINGS.values() for meaning in meanings)


def shortened(text: str) -> str:
    """The text, cut where it would fill the message."""
    return text if len(text) <= 30 else text[:27] + "..."


def _pieces(line: str) -> list[Piece]:
    """The pieces of the line, two ends behind them. Raises ``NotationError`` at a character that has no place in any."""
    found: list[Piece] = []
    at = _blank(line, 0)
    while at < len(line):
        match = _PIECE.match(line, at)
        if match is None:
            shown = line[at] if line[at].isprintable() else f"U+{ord(line[at]):04X}"
            raise NotationError(f'"{shown}" has no meaning here. {_listed(_CHARACTERS_SAID)}', line, at, _CHARACTERS_SAID)
        kind = "stop" if folded(match.group()) in THEN else str(match.lastgroup)
        found.append(Piece(kind, match.group(), at))
        at = _blank(line, match.end())
    end = Piece("end", "", len(line.rstrip()))
    return [*found, end, end]


def _blank(line: str, at: int) -> int:
    match = _BLANK.match(line, at)
    return match.end() if match else at


def _number(digits: str) -> int:
    return int(digits) if len(digits.lstrip("0")) <= 3 else 1000


def _words(kinds: Kinds) -> list[str]:
    """The longer single words that would fit, for suggestions."""
    phrases: list[Phrase] = [phrase for phrase, meanings in MEANINGS.items() if len(phrase) == 1 and any(meaning in kinds for meaning in meanings)]
    return [phrase[0] for phrase in phrases if len(phrase[0]) > 2]


def _listed(expected: tuple[str, ...]) -> str:
    if not expected:
        return ""
    return f"Expected {expected[0]}." if len(expected) == 1 else f"Expected {', '.join(expected[:-1])} or {expected[-1]}."
