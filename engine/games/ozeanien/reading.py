"""Reads a line of Ozeanien's notation piece by piece: words, numbers, spaces of the board."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import Final, NoReturn

from engine.errors import NotationError
from engine.games.ozeanien.vocabulary import FILLERS, THEN, WORDS, Word, directions, folded

_PIECE: Final = re.compile(
    r"(?P<space>(?:[A-Za-z][0-9]+|[0-9]+[A-Za-z])(?![A-Za-z0-9]))|(?P<number>[0-9]+)|(?P<word>(?:[^\W\d_][\u0300-\u036f]*)+)|(?P<stop>[;/|\n\r])"
)
_BLANK: Final = re.compile(r"[\s,.:+&_@()\[\]'\"\u2018\u2019\u201c\u201d\u201e!*>-]*")
_SPACE: Final = re.compile(r"([A-G])([1-7])\Z")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of the line: a ``word``, a ``number``, a ``space`` such as C4, a ``stop`` between actions, or the ``end``."""

    kind: str
    text: str
    column: int

    @property
    def word(self) -> str:
        """The text without case and accents."""
        return folded(self.text)


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

    @property
    def here(self) -> Piece:
        """The next piece that has a meaning."""
        while self.pieces[self.at].kind == "word" and self.pieces[self.at].word in FILLERS:
            self.at += 1
        return self.pieces[self.at]

    def at_end(self) -> bool:
        """Whether nothing is left; passes over stops."""
        while self.here.kind == "stop":
            self.at += 1
        return self.here.kind == "end"

    def ended(self) -> bool:
        """Whether the action ends here, at a stop or the end of the line."""
        return self.here.kind in ("stop", "end")

    def take_space(self) -> str | None:
        """The space of a board, if one is next ("C4", "c 4", "4C"); fails on one that no board has."""
        text, width = self.here.text, 1
        if self._letter_and_number():
            text, width = text + self.pieces[self.at + 1].text, 2
        elif self.here.kind != "space":
            return None
        name = (text if text[0].isalpha() else text[-1] + text[:-1]).upper()
        if not _SPACE.match(name):
            self.fail(f'No board has a space "{shortened(text)}"', ("a column from A to G and a row from 1 to 7, such as C4",))
        self.at += width
        return name

    def take_number(self) -> int | None:
        """The number, if one is next; more than three digits count as 1000."""
        if self.here.kind != "number":
            return None
        digits = self.here.text.lstrip("0")
        self.at += 1
        return int(digits or "0") if len(digits) <= 3 else 1000

    def take_letter(self) -> str | None:
        """A single letter, if one is next, as a capital."""
        piece = self.pieces[self.at]  # "a" is no filler here
        if piece.kind != "word" or len(piece.text) != 1 or not piece.text.isascii():
            return None
        self.at += 1
        return piece.text.upper()

    def take_word(self) -> Word | None:
        """The meaning of the next word; ``None`` where there is no word; fails on one without meaning."""
        if self.here.kind != "word":
            return None
        meaning = WORDS.get(self.here.word)
        if meaning is None:
            self.unknown()
        self.at += 1
        return meaning

    def peek_directions(self) -> bool:
        """Whether the next word names sides."""
        return self.here.kind == "word" and bool(directions(self.here.word))

    def unknown(self) -> NoReturn:
        """Fails on the word here, with one that is near."""
        near = difflib.get_close_matches(self.here.word[:40], [word for word in WORDS if len(word) > 2], 1, 0.6)
        if near:
            self.fail(f'"{shortened(self.here.text)}" is not a word of this notation; did you mean "{near[0]}"?', (near[0],))
        self.fail(f'"{shortened(self.here.text)}" is not a word of this notation', ("ship", "place", "explorer", "skip"))

    def stumble(self, said: tuple[str, ...]) -> NoReturn:
        """Fails on the piece here, which does not fit."""
        self.fail(f'"{shortened(self.here.text)}" does not fit here' if not self.ended() else "The action is not finished", said)

    def _letter_and_number(self) -> bool:
        here = self.pieces[self.at]
        return here.kind == "word" and len(here.text) == 1 and here.text.isascii() and self.pieces[self.at + 1].kind == "number"


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
            expected = ("words, numbers or ;",)
            raise NotationError(f'"{shown}" has no meaning here. {_listed(expected)}', line, at, expected)
        kind = "stop" if folded(match.group()) in THEN else str(match.lastgroup)
        found.append(Piece(kind, match.group(), at))
        at = _blank(line, match.end())
    end = Piece("end", "", len(line.rstrip()))
    return [*found, end, end]


def _blank(line: str, at: int) -> int:
    match = _BLANK.match(line, at)
    return match.end() if match else at


def _listed(expected: tuple[str, ...]) -> str:
    if not expected:
        return ""
    return f"Expected {expected[0]}." if len(expected) == 1 else f"Expected {', '.join(expected[:-1])} or {expected[-1]}."
