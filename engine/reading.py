"""Reads lines of notation by a game's vocabulary: everything in a line is understood, or the line
is refused.

1. Each game makes its ``Vocabulary`` from its table of terms (``engine.vocabulary``).
2. A ``Reader`` splits a line into pieces (``engine.pieces``); the game's grammar takes them one by
   one. Nothing is passed over but the words in ``FILLERS``; other small words are taken by the
   grammar where they belong (``skip``).
3. ``read_actions`` reads a whole line: an action ends at a stop, at the end of the line, or before
   the verb of the next one.
4. Unreadable input raises ``NotationError`` with the column, a sentence, and what would fit.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Final, Generic, NoReturn, TypeVar

from engine.errors import NotationError
from engine.nearness import close_words
from engine.pieces import Piece, is_marker, pieces_of
from engine.vocabulary import AND, FILLERS, Vocabulary

M = TypeVar("M", bound=Hashable)
A = TypeVar("A")

NEXT_SAID: Final = ('";" before the next action',)
_LONGEST_SHOWN: Final = 30
_LARGEST: Final = 1000
_TIMES: Final = "X"


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


class Reader(Generic[M]):
    """The pieces of a line, and ``at``, the index of the next piece.

    ``taken`` says what each piece that was taken was read as: a meaning, "number", "space",
    "marker" or "and"; the fillers are not in it.
    """

    def __init__(self, line: str, words: Vocabulary[M], spaces: Spaces) -> None:
        self.line = line
        self.words = words
        self.spaces = spaces
        self.pieces = pieces_of(line)
        self.fillers = [piece.kind == "word" and piece.word in FILLERS for piece in self.pieces]
        self.at = 0
        self.taken: dict[int, M | str] = {}
        self._phrases: dict[int, list[tuple[tuple[M, ...], int]]] = {}

    @property
    def here(self) -> Piece:
        """The next piece. Fillers are skipped, unless they begin a phrase with a meaning or name a
        column ("a 7").
        """
        while self.fillers[self.at] and not self._letter_then_number() and not self._longest(self.words.everything)[0]:
            self.at += 1
        return self.pieces[self.at]

    def fail(
        self, sentence: str, expected: tuple[str, ...] = (), at: int | None = None, similar: tuple[str, ...] = ()
    ) -> NoReturn:
        """Raises ``NotationError`` at the next piece, or at the piece with the index ``at``."""
        column = self.pieces[self.at if at is None else at].column
        raise NotationError(sentence, self.line, column, expected, similar)

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
        return _number(self._take_pieces(1, "number"))

    def letter_and_number(self) -> tuple[str, int, int] | None:
        """The letter and the number that are next ("C7", "c 7", "7C"), and how many pieces they
        take up; ``None`` if something else is next.
        """
        text, width = self.here.text, 1
        if self._letter_then_number():
            text, width = text + self.pieces[self.at + 1].text, 2
        elif self.pieces[self.at].kind != "space":
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
        self._take_pieces(width, "space")
        return f"{letter}{number}"

    def take_piece(self, role: str) -> str:
        """Takes the next piece, of any kind but a stop and the end, and gives its text."""
        text = self.here.text
        self._take_pieces(1, role)
        return text

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
            self._take_pieces(width, fitting[0])
            return fitting[0]
        if not meanings:
            self._fail_at_word(kinds | verbs, said)
        return None

    def next_is(self, kinds: frozenset[M]) -> M | None:
        """The meaning in ``kinds`` of the next phrase, in full, without taking it; ``None`` if it
        has none, or several.
        """
        meanings, _ = self._longest(kinds) if self.here.kind == "word" else ((), 0)
        return meanings[0] if len(meanings) == 1 else None

    def skip(self, kinds: frozenset[M]) -> M | None:
        """Takes the next phrase if, in full, it has a meaning in ``kinds``, and gives that meaning:
        for small words that belong here and change nothing ("on", "with", "row").
        """
        if self.here.kind != "word":
            return None
        meanings, width = self._longest(kinds)
        if not meanings:
            return None
        self._take_pieces(width, meanings[0])
        return meanings[0]

    def go_back(self, at: int) -> None:
        """Goes back to the piece with the index ``at``; what was taken from there on is not."""
        for index in range(at, self.at):
            self.taken.pop(index, None)
        self.at = at

    def take_times(self) -> int | None:
        """Takes how many times, if that is next, else gives ``None``: "x2", "2x", "x 2"."""
        found = self.letter_and_number()
        if found is None or found[0] != _TIMES:
            return None
        self._take_pieces(found[2], "number")
        return found[1]

    def take_marker(self) -> None:
        """Takes the number of a line in a list ("1.", "1)"), if one is next and something
        follows.
        """
        if is_marker(self.line, self.here) and self.pieces[self.at + 1].kind not in ("stop", "end"):
            self._take_pieces(1, "marker")

    def finish(self) -> None:
        """Checks that the action ends here: at a stop, at the end, or before a verb, with or
        without an "and". Raises ``NotationError``.
        """
        before = self.at
        if not self.ended() and self.here.word in AND and self.here.kind == "word":
            self._take_pieces(1, "and")
            if self.here.kind != "stop" and self.next_is_verb() is None:
                self.go_back(before)
        if not self.ended() and self.next_is_verb() is None:
            self.fail_at_next(NEXT_SAID)

    def next_is_verb(self) -> M | None:
        """A meaning of the next phrase, in full, that begins an action; ``None`` if it has none."""
        meanings, _ = self._longest(self.words.verbs) if self.here.kind == "word" else ((), 0)
        return meanings[0] if meanings else None

    def _take_pieces(self, width: int, role: M | str) -> str:
        """Takes pieces that were read as ``role``, and gives their text."""
        text = "".join(piece.text for piece in self.pieces[self.at : self.at + width])
        for index in range(self.at, self.at + width):
            self.taken[index] = role
        self.at += width
        return text

    def _letter_then_number(self) -> bool:
        """Whether a single letter and a number are next, in two pieces."""
        here = self.pieces[self.at]
        return (
            here.kind == "word"
            and len(here.text) == 1
            and here.text.isascii()
            and self.pieces[self.at + 1].kind == "number"
        )

    def _longest(self, kinds: frozenset[M]) -> tuple[tuple[M, ...], int]:
        """The meanings in ``kinds`` of the longest phrase that starts at the next piece, and the
        number of its pieces; fillers within a phrase count among them ("end your turn").
        """
        if self.at not in self._phrases:
            self._phrases[self.at] = self._phrases_here()
        for meanings, width in self._phrases[self.at]:
            found = tuple(meaning for meaning in meanings if meaning in kinds)
            if found:
                return found, width
        return (), 0

    def _phrases_here(self) -> list[tuple[tuple[M, ...], int]]:
        """The meanings of all phrases that start at the next piece, with the number of pieces of
        each, the longest first.
        """
        found: list[tuple[tuple[M, ...], int]] = []
        if self.pieces[self.at].word not in self.words.first:
            return found
        for without_fillers in (False, True) if any(self.fillers[self.at :]) else (False,):
            words: tuple[str, ...] = ()
            for index in range(self.at, len(self.pieces)):
                if self.pieces[index].kind != "word" or len(words) == self.words.longest:
                    break
                if not (without_fillers and words and self.fillers[index]):
                    words = (*words, self.pieces[index].word)
                    found.append((self.words.meanings.get(words, ()), index + 1 - self.at))
        return sorted(((meanings, width) for meanings, width in found if meanings), key=lambda each: -each[1])

    def _fail_at_word(self, kinds: frozenset[M], said: tuple[str, ...]) -> NoReturn:
        word, shown = self.here.word[:40], shortened(self.here.text)
        if self._longest(self.words.everything)[0] or self.words.beginning(word):
            self.fail_at_next(said)
        similar = close_words(word, self.words.single_words(kinds))
        self.fail(f'"{shown}" is not a word of this notation', said, similar=similar)


def read_actions(
    reader: Reader[M], read_action: Callable[[Reader[M]], Iterable[A]], said: tuple[str, ...]
) -> tuple[A, ...]:
    """All actions on a line, at least one. ``read_action`` reads the action at the reader's
    position, or the several actions of one verb; ``said`` is what an action may begin with.

    Raises ``NotationError``, also for anything that is left after an action.
    """
    actions: list[A] = []
    while not reader.at_end():
        reader.take_marker()
        actions.extend(read_action(reader))
        reader.finish()
    if not actions:
        reader.fail("There is no action on this line", said)
    return tuple(actions)


def shortened(text: str) -> str:
    """The text, cut to at most 30 characters."""
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 3] + "..."


def _number(digits: str) -> int:
    return int(digits) if len(digits.lstrip("0")) <= 3 else _LARGEST
