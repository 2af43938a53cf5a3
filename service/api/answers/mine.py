"""Preferences, chat, notes and blocks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from engine.documents import About
from service.api.answers.pages import NextPage
from service.api.shapes import Inlined
from service.matches.chat import Said
from service.notices.mails import MailToPlayer
from service.players.preferences import Preferences
from service.store.players import Stopped


@dataclass(frozen=True, slots=True)
class PreferencesAnswer:
    """What you want to be mailed."""

    preferences: Annotated[Preferences, Inlined()]
    stopped: Annotated[
        tuple[Stopped, ...], About("What links in your mails were used to stop, newest first, at most 20.")
    ]


@dataclass(frozen=True, slots=True)
class MatchPreferencesAnswer:
    """What you want to be mailed about one match."""

    preferences: Annotated[Preferences, Inlined()]
    chosen: Annotated[
        tuple[str, ...], About("The preferences that you chose for this match; the others are those of all matches.")
    ]


@dataclass(frozen=True, slots=True)
class ChatPage:
    """A page of what was said."""

    items: tuple[Said, ...]
    next: NextPage


@dataclass(frozen=True, slots=True)
class MailPage:
    """A page of mails."""

    items: tuple[MailToPlayer, ...]
    next: NextPage


@dataclass(frozen=True, slots=True)
class NoteAnswer:
    """What you have noted on a match, which nobody else sees."""

    text: str
    changed_at: Annotated[datetime | None, About("`null` where nothing is noted.")]


@dataclass(frozen=True, slots=True)
class BlockedAnswer:
    """A player whom you have blocked."""

    player: Annotated[str, About("The id of the player.")]
    name: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Blocks:
    """Whom you have blocked."""

    items: tuple[BlockedAnswer, ...]
