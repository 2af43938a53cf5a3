"""Reads lines of notation by a game's vocabulary: everything in a line is understood, or the line
is refused.

1. Each game makes its ``Vocabulary`` from its table of terms (``engine.vocabulary``).
2. A ``Reader`` splits a line into pieces (``engine.pieces``); the game's grammar takes them one by
   one. Nothing is passed over but the words in ``FILLERS``; other small words are taken by the
   grammar where they belong (``skip``).
3. A number counts the noun before it or the one behind it, by one rule for all games
   (``take_count_behind``); where several are named, their number is said (``check_counted``).
4. ``read_actions`` reads a whole line: an action ends at a stop, at the end of the line, or before
   the verb of the next one.
5. Unreadable input raises ``NotationError`` with the column, a sentence, and what would fit.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from dataclasses import dataclass
from typing import Final, Generic, NoReturn, TypeVar

from engine.errors import NotationError
from engine.pieces import Piece, close_words, is_marker, pieces_of
from engine.vocabulary import AND, FILLERS, NO, NUMBERS, TIMES, YES, Vocabulary

M = TypeVar("M", bound=Hashable)
A = TypeVar("A")

NEXT_SAID: Final = ('";" before the next action',)
_LONGEST_SHOWN: Final = 30
_LARGEST: Final = 1000
_TIMES: Final = "X"


@dataclass(frozen=True, slots=True)
class Spaces:
    """The spaces of a board; ``missing`` begins the sentence about one that it does not have."""

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
    "marker" or "and"; the fillers are not in it. ``plurals`` are the last pieces of the phrases
    among them that are plurals.
    """

    def __init__(self, line: str, words: Vocabulary[M], spaces: Spaces) -> None:
        self.line = line
        self.words = words
        self.spaces = spaces
        self.pieces = pieces_of(line)
        self.fillers = [piece.kind == "word" and piece.word in FILLERS for piece in self.pieces]
        self.at = 0
        self.taken: dict[int, M | str] = {}
        self.plurals: set[int] = set()
        self._phrases: dict[int, list[tuple[tuple[M, ...], int]]] = {}

    @property
    def here(self) -> Piece:
        """The next piece. Fillers are skipped, unless they begin a phrase with a meaning."""
        while self.fillers[self.at] and not self._longest(self.words.everything)[0]:
            self.at += 1
        return self.pieces[self.at]

    def fail(
        self, sentence: str, expected: tuple[str, ...] = (), at: int | None = None, similar: tuple[str, ...] = ()
    ) -> NoReturn:
        """Raises ``NotationError`` at the next piece, or at the piece with the index ``at``."""
        column = self.pieces[self.at if at is None else at].column
        raise NotationError(sentence, self.line, column, expected, similar)

    def fail_at_next(self, said: tuple[str, ...]) -> NoReturn:
        """Raises ``NotationError`` about the next piece; ``said`` is what would fit."""
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
        """Takes the number, if one is next, else ``None``; numbers above 999 are 1000."""
        if not self.at_number():
            return None
        word = self.here.word
        self._take_pieces(1, "number")
        return NUMBERS.get(word) or _number(word)

    def take_times(self) -> int | None:
        """Takes how many times, else gives ``None``: "x2", "2x", "x 2", "2 times"."""
        found = self.letter_and_number()
        if found is not None and found[0] == _TIMES:
            self._take_pieces(found[2], "number")
            return found[1]
        if not self.at_number() or self.pieces[self.at + 1].word not in TIMES:
            return None
        number = self.take_number()
        self._take_pieces(1, "number")
        return number

    def take_count_before(self) -> int | None:
        """As ``take_count``, of the noun that follows: with no comma between."""
        before, count = self.at, self.take_count()
        if count is not None and self.here.parted:
            self.go_back(before)
            return None
        return count

    def take_count(self) -> int | None:
        """Takes how many of something, else gives ``None``: "2", "two", "2x", "x2", "2 times"."""
        times = self.take_times()
        return self.take_number() if times is None else times

    def take_count_behind(self, counted: bool, nouns: frozenset[M]) -> int | None:
        """Takes how many there are of the noun that was taken last, else gives ``None``: "wheat 2",
        "wheat x2"; ``counted`` says that a number is before it, ``nouns`` may be counted, too.

        A number between two nouns belongs to the one that no comma separates from it; without a
        comma to the second where the first is ``counted``, otherwise to either: then
        ``NotationError`` is raised, unless it is 1, which changes nothing.
        """
        noun = self.at
        parted = self.here.parted
        number = self.take_count()
        if number is None:
            return None
        behind = self.at
        follows = self._at_noun(nouns)
        tied = follows and not any(piece.parted for piece in self.pieces[behind : self.at + 1])
        if tied and not (parted or counted or number == 1):
            one, other = self.pieces[noun - 1].text, shortened(self.here.text)
            readings = (f'"{number} {one}, {other}"', f'"{one}, {number} {other}"')
            self.fail(f'The number {number} could belong to "{one}" or to "{other}"', readings, noun)
        if tied or parted or counted:
            self.go_back(noun)
            return None
        self.at = behind
        return number

    def check_counted(self, count: int | None, noun: int) -> None:
        """Raises ``NotationError`` if the noun, of which the piece with the index ``noun`` is the
        last, is a plural and its number, ``count``, was not said.
        """
        if count is None and noun in self.plurals:
            text = shortened(self.pieces[noun].text)
            self.fail(f'Say how many "{text}" are meant', (f'"2 {text}"',), noun)

    def letter_and_number(self) -> tuple[str, int, int] | None:
        """The letter and the number that are next ("C7", "7C") and their pieces; or ``None``."""
        text, width = self.here.text, 1
        if self._letter_then_number():
            text, width = text + self.pieces[self.at + 1].text, 2
        elif self.pieces[self.at].kind != "space":
            return None
        letter, digits = (text[0], text[1:]) if text[0].isalpha() else (text[-1], text[:-1])
        return letter.upper(), _number(digits), width

    def take_space(self) -> str | None:
        """Takes a space, else gives ``None``; raises ``NotationError`` if the board lacks it."""
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
        """Takes the next phrase and gives its meaning in ``kinds``; ``None`` at a space or number,
        and where the action ends: at a stop, at the end, at the next action's verb. At any other
        word raises ``NotationError``, in which ``said`` is what was expected.
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
            self._fail_at_several(fitting or meanings)
        if fitting:
            return self._take_phrase(width, fitting[0])
        if not meanings:
            self._fail_at_word(kinds | verbs, said)
        return None

    def next_is(self, *kinds: M) -> M | None:
        """The only meaning of the next phrase among ``kinds``, without taking it, or ``None``."""
        meanings, _ = self._longest(kinds) if self.here.kind == "word" else ((), 0)
        return meanings[0] if len(meanings) == 1 else None

    def skip(self, *kinds: M) -> M | None:
        """Takes the next phrase if, in full, it has a meaning in ``kinds``, and gives that meaning:
        for small words that belong here and change nothing ("on", "with", "row"). Raises
        ``NotationError`` if it has several of these meanings.
        """
        if self.here.kind != "word":
            return None
        meanings, width = self._longest(kinds)
        if len(meanings) > 1:
            self._fail_at_several(meanings)
        return self._take_phrase(width, meanings[0]) if meanings else None

    def go_back(self, at: int) -> None:
        """Goes back to the piece with the index ``at``; what was taken from there on is not."""
        for index in range(at, self.at):
            self.taken.pop(index, None)
        self.at = at

    def take_lead(self) -> None:
        """Takes "yes", or "no" and its comma, before an action that says the answer in full."""
        word, following = self.here.word, self.pieces[self.at + 1] if self.here.kind == "word" else self.here
        if following.kind not in ("stop", "end") and (word in YES or (word in NO and following.parted)):
            self._take_pieces(1, "marker")

    def take_marker(self) -> None:
        """Takes the number of a line in a list ("1.", "1)") if something follows it."""
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

    def take_letter(self, role: str) -> str | None:
        """Takes a single letter, also one that is an article elsewhere, else gives ``None``."""
        raw = self.pieces[self.at]
        piece = raw if len(raw.text) == 1 else self.here
        if piece.kind != "word" or len(piece.text) > 1:
            return None
        return self._take_pieces(1, role).upper()

    def _at_noun(self, nouns: frozenset[M]) -> bool:
        """Whether a noun in ``nouns`` is next, in full or abbreviated."""
        if self.here.kind != "word":
            return False
        meanings = self._longest(self.words.everything)[0]
        return bool(self._longest(nouns)[0]) if meanings else not nouns.isdisjoint(self.words.beginning(self.here.word))

    def _take_phrase(self, width: int, meaning: M) -> M:
        """Takes a phrase of ``width`` pieces, and gives its meaning."""
        words = (index for index in range(self.at, self.at + width) if width == 1 or not self.fillers[index])
        if tuple(self.pieces[index].word for index in words) in self.words.plurals:
            self.plurals.add(self.at + width - 1)
        self._take_pieces(width, meaning)
        return meaning

    def _take_pieces(self, width: int, role: M | str) -> str:
        """Takes pieces that were read as ``role``, and gives their text."""
        text = "".join(piece.text for piece in self.pieces[self.at : self.at + width])
        for index in range(self.at, self.at + width):
            self.taken[index] = role
        self.at += width
        return text

    def _letter_then_number(self) -> bool:
        """Whether a single letter, which is no article, and a number are next, in two pieces."""
        here = self.pieces[self.at]
        return (
            here.kind == "word"
            and not self.fillers[self.at]
            and len(here.text) == 1
            and here.text.isascii()
            and self.pieces[self.at + 1].text.isdecimal()
        )

    def _longest(self, kinds: Collection[M]) -> tuple[tuple[M, ...], int]:
        """The meanings in ``kinds`` of the longest phrase here, and its pieces, with fillers."""
        if self.at not in self._phrases:
            self._phrases[self.at] = self._phrases_here()
        for meanings, width in self._phrases[self.at]:
            found = tuple(meaning for meaning in meanings if meaning in kinds)
            if found:
                return found, width
        return (), 0

    def _phrases_here(self) -> list[tuple[tuple[M, ...], int]]:
        """The meanings of all phrases here with their numbers of pieces, the longest first."""
        found: list[tuple[tuple[M, ...], int]] = []
        if self.pieces[self.at].word not in self.words.first:
            return found
        for without_fillers in (False, True) if any(self.fillers[self.at :]) else (False,):
            words: tuple[str, ...] = ()
            for index in range(self.at, len(self.pieces)):
                if not self.pieces[index].word.isalpha() or len(words) == self.words.longest:
                    break
                if not (without_fillers and words and self.fillers[index]):
                    words = (*words, self.pieces[index].word)
                    found.append((self.words.meanings.get(words, ()), index + 1 - self.at))
        return sorted(((meanings, width) for meanings, width in found if meanings), key=lambda each: -each[1])

    def _fail_at_several(self, meanings: tuple[M, ...]) -> NoReturn:
        names = tuple(self.words.name(meaning) for meaning in meanings)
        self.fail(f'"{shortened(self.here.text)}" could be more than one word', names)

    def _fail_at_word(self, kinds: frozenset[M], said: tuple[str, ...]) -> NoReturn:
        word, shown = self.here.word[:40], shortened(self.here.text)
        if self._longest(self.words.everything)[0] or self.words.beginning(word):
            self.fail_at_next(said)
        similar = close_words(word, self.words.single_words(kinds))
        self.fail(f'"{shown}" is not a word of this notation', said, similar=similar)


def read_actions(
    reader: Reader[M], read_action: Callable[[Reader[M]], Iterable[A]], said: tuple[str, ...]
) -> tuple[A, ...]:
    """All actions on a line, at least one: ``read_action`` reads the next one, or the several of a
    verb; ``said`` is what an action may begin with. Raises ``NotationError``.
    """
    actions: list[A] = []
    reader.take_marker()
    reader.take_lead()
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
