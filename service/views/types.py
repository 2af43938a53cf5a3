"""What the views of a match answer. None of these ever carries a secret of a running match."""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict

from service.matches.types import Document, MatchStatus


class Awaited(TypedDict):
    """A seat that the match waits for, who sits there, and what is asked."""

    seat: int
    player: str
    prompt: str


class LookedAt(TypedDict):
    """A match as its asker may know it: ``seat`` is ``None`` for a spectator.

    ``awaited`` says for each seat of ``to_act`` what it is asked; ``prompt`` is the asker's own, or
    the first of them where the asker is not awaited.
    """

    match: str
    game: str
    status: MatchStatus
    ply: int
    seat: int | None
    to_act: tuple[int, ...]
    awaited: tuple[Awaited, ...]
    prompt: str | None
    observation: Document


class LogEntry(TypedDict):
    """An entry of the log as told to the asker: ``player`` is ``None`` and ``seat`` -1 for chance;
    ``action`` is ``None`` where it is concealed.
    """

    ply: int
    seat: int
    player: str | None
    sentence: str
    action: Document | None
    at: datetime
