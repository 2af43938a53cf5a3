"""The kinds of events, and who may know of each."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from service.store.events import Audience

EventKind: TypeAlias = Literal[
    "invitation",
    "match_started",
    "turn_awaited",
    "turn_played",
    "verdict",
    "resigned",
    "match_over",
    "chat",
    "excuse_used",
    "time_up",
    "back",
    "absence_began",
    "reminder",
    "offer_made",
    "offer_settled",
    "seat_offered",
    "seat_handed",
    "archive",
]

AUDIENCES: Final[dict[EventKind, tuple[Audience, ...]]] = {
    "invitation": ("player", "address"),
    "match_started": ("all",),
    "turn_awaited": ("player",),
    "turn_played": ("all",),
    "verdict": ("player",),
    "resigned": ("all",),
    "match_over": ("all",),
    "chat": ("seats", "player"),
    "excuse_used": ("player",),
    "time_up": ("all",),
    "back": ("all",),
    "absence_began": ("player",),
    "reminder": ("player",),
    "offer_made": ("all",),
    "offer_settled": ("all",),
    "seat_offered": ("player", "address"),
    "seat_handed": ("player",),
    "archive": ("all",),
}
"""Who may know of an event of that kind: a public one discloses no more than the log of the match
does to spectators, the plies that it spans and the seat that acted.
"""
TOLD_BY: Final[dict[str, EventKind]] = {
    "invitation": "invitation",
    "match_started": "match_started",
    "your_turn": "turn_awaited",
    "verdict": "verdict",
    "match_over": "match_over",
    "chat": "chat",
    "excuse_used": "excuse_used",
    "time_up": "time_up",
    "absence_began": "absence_began",
    "reminder": "reminder",
    "offer_made": "offer_made",
    "offer_settled": "offer_settled",
    "seat_offered": "seat_offered",
    "seat_handed": "seat_handed",
    "archive": "archive",
}
"""The kinds of notices that tell of an event each."""
