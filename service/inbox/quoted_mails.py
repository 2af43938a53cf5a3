"""Finds in a reply what we wrote: the mails that it answers, quoted with or without marks.

Our mails list legal moves, so whatever was quoted must not be read as typed. Texts are compared
word by word: however a mail program broke, joined, indented or punctuated them.
"""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from service.addresses import folded
from service.context import Context
from service.inbox.plain_text import lines_of, words_in
from service.store import mails

FEWEST_WORDS: Final = 4
"""Fewer words than this are no quotation, even if they stand in two lines of ours."""
MANY_WORDS: Final = 6
"""As many words are one if they stand in two lines of ours and of the reply, or in three."""
MOST_PLACES: Final = 60
"""Places in a mail of ours in which the same words are looked for."""
MOST_INSERTED: Final = 8
"""Lines that may be typed into a quotation before it goes on."""
MOST_MAILS: Final = 30
"""Of our latest mails, those that a reply is compared with."""
MOST_DIGESTS: Final = 10
"""Of the latest about no match, those that a reply about one is compared with, too."""


@dataclass(frozen=True, slots=True)
class SentText:
    """The words of a text that we sent, between single spaces, and where its lines begin."""

    words: str
    starts: tuple[int, ...]

    def crosses(self, start: int, end: int) -> int:
        """How many lines begin within the words from ``start`` to ``end``, after the first word."""
        return bisect.bisect_left(self.starts, end - 1) - bisect.bisect_right(self.starts, start)

    def at_line_end(self, end: int) -> bool:
        """Whether a line, or the text, ends at ``end``."""
        at = bisect.bisect_left(self.starts, end - 1)
        return end >= len(self.words) or (at < len(self.starts) and self.starts[at] <= end)


@dataclass(frozen=True, slots=True)
class QuotedRun:
    """Lines of a reply that are words of ours in their order: from ``first`` to ``last``, which are
    indices of lines. ``text`` is which of our texts, ``start`` and ``end`` where in its words.
    ``crossed`` counts the beginnings of our lines within it.
    """

    first: int
    last: int
    text: int
    start: int
    end: int
    crossed: int
    is_start: bool
    is_end: bool
    words: int

    @property
    def is_quotation(self) -> bool:
        """Whether this is a quotation beyond doubt, rather than a move that we happen to list."""
        if self.words < FEWEST_WORDS or not (self.crossed or self.is_start or self.is_end):
            return False
        if self.is_start or self.is_end or self.crossed >= 3:
            return True
        return self.words >= MANY_WORDS and (self.crossed >= 2 or self.last > self.first)

    def follows(self, other: QuotedRun) -> bool:
        """Whether this begins in our text where the other ends."""
        return abs(self.start + 1 - other.end) <= 1


def sent_texts(context: Context, player_id: str | None, address: str | None, match_id: str | None) -> tuple[str, ...]:
    """The texts of our latest mails to a player, or to an address that is nobody's or was theirs
    before: about that match, or none. A digest is about none, but is answered at one of its
    matches.
    """
    with context.database.read() as connection:
        to_player = () if player_id is None else mails.texts_of(connection, match_id, player_id, MOST_MAILS)
        if player_id is not None and match_id is not None:
            to_player += mails.texts_of(connection, None, player_id, MOST_DIGESTS)
        to_address = () if not address else mails.texts_of(connection, match_id, folded(address), MOST_MAILS)
    return (*to_player, *to_address)


def prepared(texts: Sequence[str]) -> tuple[SentText, ...]:
    """Prepares texts that we sent for being looked for."""
    found = []
    for text in dict.fromkeys(filter(str.strip, texts)):
        starts, words = [], " "
        for said in filter(None, map(words_in, lines_of(text))):
            starts.append(len(words) - 1)
            words += f"{' '.join(said)} "
        found.append(SentText(words, tuple(starts)))
    return tuple(found)


def blocks(lines: Sequence[str | None], sent: Sequence[SentText]) -> list[QuotedRun]:
    """The longest runs of lines that are ours, in the order of the lines. ``None`` stands for a
    line that ends every run; blank lines are passed over.
    """
    said = [None if line is None else words_in(line) for line in lines]
    found: list[QuotedRun] = []
    at = 0
    while at < len(said):
        if found and (skipped := _inserted(said, at, sent[found[-1].text], found[-1].end)):
            at += skipped
        block = _block_at(said, at, sent, found[-1] if found else None) if said[at] else None
        if block is not None:
            found.append(block)
        at = at + 1 if block is None else block.last + 1
    return found


def leads_to(line: str, quoted: Sequence[str], sent: Sequence[SentText]) -> bool:
    """Whether we wrote a line without a mark before the ``quoted`` words of the next one; of its
    first word the beginning may be missing.
    """
    words = words_in(line)
    key = f"{' '.join((*words, *quoted))} "
    return bool(words and quoted) and any(key in text.words for text in sent)


def goes_on(quoted: Sequence[str], line: str, sent: Sequence[SentText], is_long: bool) -> bool:
    """Whether a line without a mark is the rest of the ``quoted`` words of the line before it: both
    stand side by side in one line of ours. After a long line, any words of ours are.
    """
    words = words_in(line)
    if not words:
        return False
    key = f" {' '.join((*quoted[-8:], *words))} "
    rest = len(f"{' '.join(words)} ")
    for text in sent:
        for start in _places(text.words, key):
            end = start + len(key)
            if not text.at_line_end(end - rest):
                return True
    return is_long and any(f" {' '.join(words)} " in text.words for text in sent)


def _inserted(said: Sequence[tuple[str, ...] | None], at: int, text: SentText, end: int) -> int:
    """How many lines stand at ``at`` before one that goes on where our text was left at ``end``; 0
    if the next line goes on there, or none of the next few does.
    """
    passed = 0
    for index in range(at, min(at + MOST_INSERTED + 1, len(said))):
        words = said[index]
        if words is None:
            return 0
        if words:
            if text.words.startswith(f" {' '.join(words)} ", end - 1):
                return index - at if passed else 0
            passed += 1
    return 0


def _block_at(
    said: Sequence[tuple[str, ...] | None], at: int, sent: Sequence[SentText], before: QuotedRun | None
) -> QuotedRun | None:
    """The longest block that begins with the line ``at``."""
    best: QuotedRun | None = None
    for number, text in enumerate(sent):
        key, last, count = "", at - 1, 0
        index = at
        while index < len(said) and (words := said[index]) is not None:
            if words:
                longer = f"{key} {' '.join(words)}" if key else " ".join(words)
                if longer not in text.words:
                    break
                key, last, count = longer, index, count + len(words)
            index += 1
        if not key or (best is not None and (best.last, best.words) >= (last, count)):
            continue
        block = _placed(text, number, key, at, last, count, before)
        if block is not None and (best is None or block.last > best.last):
            best = block
    return best


def _placed(
    text: SentText, number: int, key: str, first: int, last: int, count: int, before: QuotedRun | None
) -> QuotedRun | None:
    """The block in the place of our text that fits best: where the block before ended, else where
    it has most of our lines. Parts of words count only at the ends of several lines of ours.
    """
    found: list[QuotedRun] = []
    if count < FEWEST_WORDS and f" {key} " not in text.words:
        return None
    for place in _places(text.words, key):
        start, end = place - 1, place + len(key) + 1
        whole = text.words[start] == " " and text.words[end - 1 : end] == " "
        crossed = text.crosses(start, end)
        if not whole and (count < FEWEST_WORDS or not crossed):
            continue
        is_start = start <= 0
        is_end = end >= len(text.words)
        found.append(QuotedRun(first, last, number, start, end, crossed, is_start, is_end, count))
    if before is not None and before.text == number:
        for block in found:
            if block.follows(before):
                return block
    return max(found, key=lambda block: (block.is_quotation, block.crossed), default=None)


def _places(words: str, key: str) -> list[int]:
    """Where the key stands in the words, at most in ``MOST_PLACES`` places."""
    found: list[int] = []
    at = words.find(key)
    while at >= 0 and len(found) < MOST_PLACES:
        found.append(at)
        at = words.find(key, at + 1)
    return found
