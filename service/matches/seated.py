"""Finds the seat of a player who wants to act in a match that has started."""

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
    """A match that has started, and the seat of the player who asks."""

    match: StoredMatch
    game: AnyGame
    seat: int


def seated(context: Batched, player: Player, match_id: str, seat: int | None) -> Seated:
    """The match with the player's seat, which is ``seat`` if one is named.

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
    """The state of the match as it was read; the log up to its ply never changes any more, so no
    common transaction is needed.
    """
    with context.database.read() as connection:
        return replays.load(connection, context, at.match)
