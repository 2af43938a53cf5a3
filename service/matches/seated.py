"""A player at their seat.

Whoever wants to act must hold a seat of the match, and the match must have started.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.game import AnyGame
from service.context import Batched, Readable
from service.errors import Conflict, Forbidden
from service.matches import replays
from service.matches.access import existing
from service.players.types import Player
from service.store.matches import StoredMatch


@dataclass(frozen=True, slots=True)
class Seated:
    """A running match, and the seat of whoever sat down at it."""

    match: StoredMatch
    game: AnyGame
    seat: int


def seated(context: Batched, player: Player, match_id: str, seat: int | None) -> Seated:
    """The table, where the player has a seat at it, and this seat if one is named.

    Raises ``NotFound``, ``Forbidden`` or ``Conflict``.
    """
    match = existing(context.batched.match(context.database, match_id), match_id)
    own = match.seat_of(player.id)
    if own is None:
        raise Forbidden("You have no seat in this match.", "not_seated")
    if seat is not None and seat != own:
        raise Forbidden(f"Seat {seat} is not yours; you sit on seat {own}.", "not_your_seat")
    if match.status == "open":
        raise Conflict("The match has not started yet: seats are still free.", "match_not_running")
    if match.status == "cancelled":
        raise Conflict("The match was cancelled before it started.", "match_not_running")
    return Seated(match, replays.game_of(match), own)


def state_of(context: Readable, at: Seated) -> Any:
    """The state of the match, mostly remembered; only where it is not, the database is asked for
    the log up to its ply, which never changes any more.
    """
    with context.database.read() as connection:
        return replays.load(connection, context, at.match)
