"""What the use cases of a match take and answer.

None of these ever carries a secret of a running match.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias, TypedDict

from engine.types import Outcome
from engine.wording import seat_name

MatchStatus: TypeAlias = Literal["open", "running", "finished", "cancelled"]
TurnStatus: TypeAlias = Literal["queued", "accepted", "partly_accepted", "rejected"]
Document: TypeAlias = Mapping[str, Any]
CUSTOM: Final = "custom"
"""The name of a component set that a player brought along."""


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """How a seat of a new match is to be filled; ``email`` is needed for ``invite`` and for nothing
    else.
    """

    kind: Literal["me", "open", "invite"]
    email: str | None = None


@dataclass(frozen=True, slots=True)
class SeatOfMatch:
    """A seat as an asker may see it: ``invited_email`` is for the creator alone; ``invited`` says
    that it is kept for somebody.

    ``prompt`` is what the seat is asked, where the match waits for it; ``None`` too where nobody
    looked (lists of matches do not).
    """

    seat: int
    player_id: str | None
    player_name: str | None
    invited_email: str | None
    joined_at: datetime | None
    resigned_at: datetime | None
    to_act: bool
    invited: bool = False
    prompt: str | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """A match as an asker may see it.

    ``options`` is the JSON document of all options, ``components_digest`` the SHA-256 of the
    component set, which is called ``custom`` where a player brought it along; ``outcome`` stands
    once the match is finished.
    """

    id: str
    game: str
    title: str
    status: MatchStatus
    options: Document
    components_name: str
    components_digest: str
    rules_version: int
    ply: int
    created_by: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    commitment: str
    seats: tuple[SeatOfMatch, ...]
    outcome: Outcome | None

    def seat_of(self, player_id: str | None) -> int | None:
        """The seat the player holds, ``None`` for a spectator."""
        return next((seat.seat for seat in self.seats if player_id is not None and seat.player_id == player_id), None)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat; an empty seat is named by its number."""
        return tuple(seat.player_name or seat_name(seat.seat) for seat in self.seats)


@dataclass(frozen=True, slots=True)
class LegalAction:
    """Something a seat may do, as a JSON document and as a line of notation."""

    action: Document
    notation: str


@dataclass(frozen=True, slots=True)
class BrokenRule:
    """A further rule that the refused action breaks."""

    code: str
    rule: str
    message: str


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
