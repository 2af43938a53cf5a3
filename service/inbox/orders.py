"""What a mail asks for, once it is read (see ``service.inbox.readings``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from service.inbox.words import Word


@dataclass(frozen=True, slots=True)
class Option:
    """A turn that is offered to a player, who did not clearly say one: its notation, which can be
    sent, and its number among the legal actions if it is one of them.
    """

    line: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """A turn: its actions, in the order in which they were typed, and the lines they were read
    from; ``words`` are those that were on other lines.
    """

    lines: tuple[str, ...]
    actions: tuple[Any, ...]
    words: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class Words:
    """Words only."""

    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """More than one reading, or a turn beside something that could be another: nothing is played.

    ``options`` are the readings, each once, in the order of the mail; ``lines`` what was read.
    """

    options: tuple[Option, ...]
    lines: tuple[str, ...] = ()
    words: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that could be a move, but cannot be read: why, and the turns it is nearest to."""

    line: str
    why: str
    nearest: tuple[Option, ...] = ()
    words: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class Empty:
    """Nothing that asks for anything: no text, greetings, chat. ``chat`` are the lines of it."""

    chat: tuple[str, ...] = ()


Orders: TypeAlias = Play | Words | Ambiguous | Unread | Empty
