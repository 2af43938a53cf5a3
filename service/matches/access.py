"""Turns stored matches into what a player, or a spectator, may see of them."""

from __future__ import annotations

from engine.documents import from_document
from engine.types import Outcome
from service.errors import NotFound
from service.matches.types import Match, SeatOfMatch
from service.store.matches import StoredMatch, StoredSeat


def match_seen_by(match: StoredMatch, player_id: str | None) -> Match:
    """The match as that player, or a spectator, may see it."""
    creator = player_id is not None and player_id == match.created_by
    return Match(
        id=match.id,
        game=match.game,
        title=match.title,
        status=match.status,
        options=match.options,
        components_name=match.components_name,
        components_digest=match.components_digest,
        rules_version=match.rules_version,
        ply=match.ply,
        created_by=match.created_by,
        created_at=match.created_at,
        started_at=match.started_at,
        finished_at=match.finished_at,
        commitment=match.commitment,
        seats=tuple(_seat(seat, creator) for seat in match.seats),
        outcome=None if match.outcome is None else from_document(Outcome, match.outcome),
    )


def existing(match: StoredMatch | None, match_id: str) -> StoredMatch:
    """The match, or ``NotFound``."""
    if match is None:
        raise NotFound(f"There is no match {match_id}.", "match_not_found")
    return match


def _seat(seat: StoredSeat, creator: bool) -> SeatOfMatch:
    return SeatOfMatch(
        seat=seat.seat,
        player_id=seat.player_id,
        player_name=seat.player_name,
        invited_email=seat.invited_email if creator else None,
        joined_at=seat.joined_at,
        resigned_at=seat.resigned_at,
        to_act=seat.to_act,
        invited=seat.invited_email is not None,
    )
