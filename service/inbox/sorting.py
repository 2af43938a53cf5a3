"""Sorts the lines that a player typed: moves, doubtful lines, words and chat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.play import is_legal
from service.inbox.lines import plain
from service.inbox.moves import Doubt, Move, Table
from service.inbox.signatures import is_sign_off, is_thanks
from service.inbox.words import Word, read_word
from service.texts import gettext as _

MOST_DOUBTS: Final = 10
"""After so many lines that may be moves no further line is read: nothing is played anyway."""
LONG_LINE: Final = 55
"""From so many characters on a mail program may have broken a line of chat."""


@dataclass(slots=True)
class Read:
    """What was read so far."""

    moves: list[Move] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    chat: list[str] = field(default_factory=list)


def sort_lines(table: Table, lines: Sequence[str]) -> Read:
    """Sorts the lines."""
    read = Read()
    below = False
    saying = False
    before = ""
    for line in map(plain, lines):
        text = line.strip()
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
            _sort(table, read, text, below, before)
        before = text
    return read


def _stands_alone(table: Table, text: str, before: str) -> bool:
    """Whether a line below ``say`` is not the rest of its text: it is read by itself, and the
    line above is not so long that a mail program may have broken it.
    """
    return len(before) < LONG_LINE and (read_word(text) is not None or isinstance(table.line(text), Move))


def _is_meant(table: Table, word: Word, text: str) -> bool:
    """Whether a word is meant, rather than the move that is written in the same way."""
    if table.asked and word.name in ("yes", "no", "confirm"):
        return True
    parsed = table.parsed(text)
    return not (parsed and is_legal(table.game, table.state, table.seat, parsed[0]))


def _sort(table: Table, read: Read, text: str, below: bool, before: str) -> None:
    found = table.line(text)
    if below and isinstance(found, Move) and not table.begins(found):
        found = None
    doubtful = below or len(before) > LONG_LINE
    if isinstance(found, Move):
        if doubtful:
            read.doubts.append(Doubt(text, _("It stands below the text of the mail."), table.offered(found)))
        else:
            read.moves.append(found)
    elif isinstance(found, Doubt) and not below:
        read.doubts.append(found)
    else:
        read.chat.append(text)


def _end(table: Table, read: Read, text: str) -> None:
    """Takes ``end`` as the move of that name, if the game has one, too."""
    parsed = table.parsed(text)
    if parsed:
        read.moves.append(Move(text, (parsed,), is_end=True))
