"""What the use cases of a turn take and answer.

None of these carries what its reader may not know.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias, TypedDict

from service.matches.types import Document

TurnStatus: TypeAlias = Literal["queued", "accepted", "partly_accepted", "rejected"]


@dataclass(frozen=True, slots=True)
class BrokenRule:
    """A further rule that the refused action breaks."""

    code: str
    rule: str
    message: str


@dataclass(frozen=True, slots=True)
class LegalAction:
    """Something a seat may do, as a JSON document and as a line of notation."""

    action: Document
    notation: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a turn, or its rest, was refused.

    ``action_index`` is the 0-based index of the refused action (JSON pointer ``/actions/N``),
    ``None`` where the whole turn was refused unread. ``legal`` are at most 200 of the
    ``legal_total`` actions that would have been legal in its place.
    """

    code: str
    rule: str
    message: str
    action_index: int | None = None
    others: tuple[BrokenRule, ...] = ()
    legal: tuple[LegalAction, ...] = ()
    legal_total: int = 0

    @property
    def pointer(self) -> str:
        """Where in the turn document the fault is."""
        return "" if self.action_index is None else f"/actions/{self.action_index}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a turn: ``accepted`` actions stand; ``entries`` tell its submitter what
    happened, chance and house included.
    """

    status: Literal["accepted", "partly_accepted", "rejected"]
    accepted: int
    ply_before: int
    ply_after: int
    entries: tuple[str, ...] = ()
    violation: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as its submitter sees it: ``actions`` are documents; ``notation`` the lines they were
    read from, if any.

    ``awaited`` says whether the match waited for the seat when the verdict was looked up, where
    that was looked up with it.
    """

    id: str
    match_id: str
    seat: int
    player_id: str
    ply: int
    actions: tuple[Document, ...]
    status: TurnStatus
    submitted_at: datetime
    judged_at: datetime | None = None
    verdict: Verdict | None = None
    notation: tuple[str, ...] | None = None
    awaited: bool | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class LegalActions:
    """What a seat may do at ``ply``, in canonical order; empty where the match does not wait for
    it, or where a draw comes first.
    """

    match: str
    ply: int
    seat: int
    items: tuple[LegalAction, ...]


@dataclass(frozen=True, slots=True)
class NextTurn:
    """What the match asks of a seat whose turn was just judged: ``legal`` are at most 200 of
    ``legal_total`` actions, a turn has to answer ``ply``.
    """

    ply: int
    prompt: str
    legal: tuple[LegalAction, ...]
    legal_total: int


class Preview(TypedDict):
    """What a turn would do up to its first draw: how many actions are legal, and what the seat
    would then know. Nothing has changed.
    """

    accepted: int
    drawing: bool
    violation: Refusal | None
    entries: tuple[str, ...]
    observation: Document
