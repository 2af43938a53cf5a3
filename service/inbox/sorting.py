"""Sorts the lines that a player typed: moves, doubtful lines, words and chat."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.play import is_legal
from service.inbox.harmless import ADDRESS
from service.inbox.lines import plain
from service.inbox.moves import Doubt, Move, Table
from service.inbox.signatures import is_greeting, is_sign_off, is_thanks
from service.inbox.words import Word, read_word
from service.texts import gettext as _

MOST_DOUBTS: Final = 10
"""After so many lines that may be moves no further line is read: nothing is played anyway."""
LONG_LINE: Final = 55
"""From so many characters on a mail program may have broken a line of chat."""
_CALLED: Final = re.compile(r"[^\W\d_]+[,!:]")
"""A name with which a mail begins."""
_POINTING: Final = re.compile(
    r"(?:(?:please )?see|(?:my )?(?:answer|reply|move)(?: is)?) (?:below|inline)\W*"
    r"|(?:siehe|antwort) unten\W*|voir (?:ci-dessous|plus bas)\W*|vedi sotto\W*"
)
"""It says that the answer stands further below, between quoted lines."""


@dataclass(slots=True)
class Read:
    """What was read so far."""

    moves: list[Move] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    chat: list[str] = field(default_factory=list)
    has_text: bool = False
    """Something was said besides moves, words, greetings and thanks."""


def sort_lines(table: Table, lines: Sequence[str]) -> Read:
    """Sorts the lines."""
    read = Read()
    below = False
    saying = False
    before = ""
    texts = [plain(line).strip() for line in lines]
    for at, text in enumerate(texts):
        if len(read.doubts) >= MOST_DOUBTS:
            break
        if saying and text and not _stands_alone(table, text, before):
            said = read.words.pop()
            read.words.append(Word("say", f"{said.rest} {text}".strip()))
            before = text
            continue
        saying = False
        if not text:
            before = ""
            continue
        if is_sign_off(text) or (is_thanks(text) and (read.moves or read.doubts)):
            below = True
            read.chat.append(text)
            before = text
            continue
        word = read_word(text)
        if word is not None and word.name == "end":
            _end(table, read, text)
            break
        if word is not None and _is_meant(table, word, text):
            if not below or word.name == "say":
                read.words.append(word)
                saying = word.name == "say"
        else:
            _sort(table, read, texts, at, below, before)
        before = text
    return read


def _stands_alone(table: Table, text: str, before: str) -> bool:
    """Whether a line below ``say`` is not the rest of its text: it is, or may be, a move, which the
    others are not to be told; or a word, where the line above is not so long that a mail program
    may have broken it.
    """
    return table.line(text) is not None or (len(before) < LONG_LINE and read_word(text) is not None)


def _is_meant(table: Table, word: Word, text: str) -> bool:
    """Whether a word is meant, rather than the move that is written in the same way."""
    if word.name in ("yes", "no", "withdraw") and (table.asked or word.rest):
        return True
    parsed = table.parsed(text)
    return not parsed or (word.name != "pass" and not is_legal(table.game, table.state, table.seat, parsed[0]))


def _sort(table: Table, read: Read, texts: Sequence[str], at: int, below: bool, before: str) -> None:
    text = texts[at]
    found = table.line(text)
    if below and isinstance(found, Move) and not table.begins(found):
        found = None
    if isinstance(found, Move):
        doubt = _doubt(read, texts, at, found, below, before)
        if doubt:
            read.doubts.append(Doubt(text, doubt, table.offered(found)))
        else:
            read.moves.append(found)
    elif isinstance(found, Doubt) and not below:
        read.doubts.append(found)
    else:
        read.chat.append(text)
        read.has_text = read.has_text or not _is_polite(text, is_first=at == 0)


def _doubt(read: Read, texts: Sequence[str], at: int, move: Move, below: bool, before: str) -> str:
    """Why a move is not played without asking; empty where it is."""
    if below or len(before) > LONG_LINE:
        return _("It stands below the text of the mail.")
    if move.is_bare and (read.has_text or _is_in_address(texts, at)):
        return _("A number alone is played only where nothing but a greeting stands above it.")
    return ""


def _is_polite(text: str, is_first: bool) -> bool:
    """Whether a line only greets, thanks or points below, or has no words."""
    if is_greeting(text) or is_thanks(text) or not any(character.isalnum() for character in text):
        return True
    return _POINTING.fullmatch(text.lower()) is not None or (is_first and _CALLED.fullmatch(text) is not None)


def _is_in_address(texts: Sequence[str], at: int) -> bool:
    """Whether the line above or below is one of an address."""
    beside = " ".join(texts[max(0, at - 1) : at + 2])
    return not ADDRESS.isdisjoint(re.findall(r"[^\W\d_]+", beside.lower()))


def _end(table: Table, read: Read, text: str) -> None:
    """Takes ``end`` as the move of that name, if the game has one, too."""
    parsed = table.parsed(text)
    if parsed:
        read.moves.append(Move(text, (parsed,), is_end=True))
