"""Argument and result types of the use cases of a match.

None of them ever contains a secret of a running match.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final, Literal, TypeAlias

from engine.documents import About
from engine.draws import Scheme
from engine.types import Outcome
from service.statuses import MatchStatus

Document: TypeAlias = Mapping[str, Any]
CUSTOM: Final = "custom"
"""The name of a component set supplied by a player."""


@dataclass(frozen=True, slots=True)
class OfGame:
    """Marks a document whose form depends on the game: the ``part`` of the game it is."""

    part: Literal["options", "action", "logged_action", "observation"]


SeatKind: TypeAlias = Literal["me", "reserved", "open", "invite"]


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """How a seat of a new match is to be filled; ``email`` is required for ``invite`` and otherwise
    ``None``. A ``reserved`` seat is kept for the creator, who takes it by joining.
    """

    kind: SeatKind
    email: str | None = None


@dataclass(frozen=True, slots=True)
class SeatOfMatch:
    """A seat as a caller may see it: ``invited_email`` is set for the creator only; ``invited``
    means that the seat is kept for somebody; ``nonce`` is ``None`` until the match starts.

    ``prompt`` is what the seat is asked, where the match awaits it; it is ``None`` also where it
    was not computed, as in lists of matches.
    """

    seat: int
    player_id: str | None
    player_name: Annotated[str | None, About("The player's name; `null` while the seat is free.")]
    invited_email: Annotated[str | None, About("Who is invited; shown to the creator of the match only.")]
    joined_at: datetime | None
    resigned_at: datetime | None
    to_act: Annotated[bool, About("True if the match waits for this seat.")]
    invited: Annotated[bool, About("True if the seat is kept for somebody who is invited, or for the creator.")] = False
    nonce: Annotated[
        str | None, About("What the seat adds to every draw, shown from the start on; `null` until then.")
    ] = None
    prompt: Annotated[
        str | None,
        About(
            "What the seat is asked, which everybody may know; `null` if the match does not wait for it, and in lists"
            " of matches."
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class Match:
    """A match as a caller may see it.

    ``options`` is the JSON document of all options, ``components_digest`` the SHA-256 of the
    component set, whose name is ``custom`` where a player supplied it; ``outcome`` is set once the
    match is finished.
    """

    id: str
    game: str
    title: str
    status: MatchStatus
    options: Annotated[Document, OfGame("options")]
    components_name: Annotated[str, About("The name of the component set; `custom` for one that the creator supplied.")]
    components_digest: Annotated[
        str,
        About(
            "SHA-256 of the component set as canonical JSON, which the commitment covers; `overland components check`"
            " prints it."
        ),
    ]
    rules_version: int
    ply: Annotated[int, About("The number of entries in the log: the version of the match.")]
    created_by: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    commitment: Annotated[
        str,
        About("What the service committed to before anyone sat down; the record of the finished match reveals it."),
    ]
    scheme: Annotated[
        Scheme,
        About(
            "How the draws are made: `overland/2`, or `overland/1` in older matches, and in those of the hour after an"
            " upgrade from version 0.1.0."
        ),
    ]
    nonces_digest: Annotated[
        str | None,
        About(
            "SHA-256 of the scheme, the match, the commitment and the nonces of all seats. Keep it: with it `overland"
            " verify` finds out whether a nonce was exchanged. `null` until the match starts."
        ),
    ]
    seats: tuple[SeatOfMatch, ...]
    outcome: Outcome | None
    unreadable_at: Annotated[
        datetime | None, About("Since when the log cannot be read; turns are refused until the host has mended it.")
    ] = None
