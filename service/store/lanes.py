"""The lanes of notices: which are handed over before others that are due as well.

First what somebody waits for at this moment (signing up, signing in, the answer to a mail), then
turns, then the rest.
"""

from __future__ import annotations

from typing import Final

FIRST: Final = 0
TURNS: Final = 1
REST: Final = 2

_LANES: Final = {
    "confirm_address": FIRST,
    "confirm_another_address": FIRST,
    "sign_in": FIRST,
    "answer": FIRST,
    "unproven_turn": FIRST,
    "match_started": TURNS,
    "your_turn": TURNS,
    "time_up": TURNS,
    "excuse_used": TURNS,
    "absence_began": TURNS,
    "offer_made": TURNS,
    "offer_settled": TURNS,
}


def lane_of(kind: str) -> int:
    """The lane of a kind of notice, unless its writer says otherwise."""
    return _LANES.get(kind, REST)
