"""What the use cases of a match take and answer.

None of these ever carries a secret of a running match.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias

from engine.types import Outcome
from engine.wording import seat_name

MatchStatus: TypeAlias = Literal["open", "running", "finished", "cancelled"]
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
