"""Access to a match: what a player or spectator may see of it, and the seat of an acting player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from engine.documents import from_document
from engine.draws import SCHEME
from engine.game import AnyGame
from engine.record import EarlyEnd
from engine.sentences import outcome_told
from engine.types import Outcome, ToldOutcome
from service.context import Context
from service.errors import Conflict, Forbidden, NotFound
from service.links import join_page
from service.matches import replays, timekeeping
from service.matches.clock_shown import clock_shown
from service.matches.fairness import digest_of, has_started
from service.matches.types import Match, SeatOfMatch
from service.players.admission import admitted, has_link
from service.store.matches import StoredMatch, StoredSeat
from service.store.players import Player
from service.texts import gettext as _

NOT_STARTED: Final = "The match has not started yet: seats are still free."
OVER: Final = "The match is over."
JOIN_SECRET_LENGTH: Final = 26
"""Characters of base32: 130 bits, which nobody finds by trying."""


def match_seen_by(match: StoredMatch, player_id: str | None) -> Match:
    """The match as that player, or with ``None`` a spectator, may see it."""
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
        scheme=SCHEME,
        nonces_digest=digest_of(match),
        seats=tuple(_seat(seat, creator, has_started(match)) for seat in match.seats),
        unreadable_at=match.unreadable_at,
        clock=clock_shown(timekeeping.rule_of(match)),
        outcome=outcome_shown(match),
        unlisted=match.unlisted,
        early_end=None if match.early_end is None else from_document(EarlyEnd, match.early_end),
    )


def outcome_shown(match: StoredMatch) -> ToldOutcome | None:
    """How a match ended, with the sentences; ``None`` where it has no outcome."""
    if match.outcome is None:
        return None
    return outcome_told(replays.game_at_hand(match), from_document(Outcome, match.outcome))


def existing(match: StoredMatch | None, match_id: str) -> StoredMatch:
    """Returns the match; raises ``NotFound`` where it is ``None``. Whether it is shown to whoever
    asks for it is said by ``service.players.admission``.
    """
    if match is None:
        raise NotFound(f"There is no match {match_id}.", "match_not_found")
    return match


def join_url_for(context: Context, match: StoredMatch, player_id: str | None) -> str | None:
    """The join link of a match, for whoever created it and, while a seat is free, whoever sits in
    it; ``None`` for others, and where nothing leads to it.
    """
    is_free = match.status == "open" and any(seat.player_id is None for seat in match.seats)
    passes_on = player_id == match.created_by or (is_free and match.seat_of(player_id) is not None)
    if match.join_secret is None or not passes_on:
        return None
    return join_page(context.settings.base_url, match.join_secret)


def linked(match: StoredMatch | None) -> StoredMatch:
    """Returns the match to which a join link leads; raises ``NotFound`` (``join_link_not_found``)
    where it is ``None``.
    """
    if match is None:
        sentence = _(
            "This link leads to no match. Copy all of it; if it is whole, whoever created the match has replaced it:"
            " ask for the new one."
        )
        raise NotFound(sentence, "join_link_not_found")
    return match


def check_link(match: StoredMatch, link: str) -> None:
    """Raises ``NotFound`` (``join_link_not_found``) where ``link`` is not the secret that leads to
    the match.
    """
    if not has_link(match, link):
        linked(None)


def check_started(match: StoredMatch) -> None:
    """Raises ``Conflict`` (``match_not_started``)."""
    if match.started_at is None:
        if match.status == "cancelled":
            raise Conflict("The match was cancelled before it started.", "match_not_started")
        raise Conflict(NOT_STARTED, "match_not_started")


def check_on(match: StoredMatch, seat: int) -> None:
    """Raises ``Conflict`` (``match_not_started``, ``match_over``, ``resigned``) where the seat does
    not play yet, or no more.
    """
    check_started(match)
    if not match.is_on:
        raise Conflict(OVER, "match_over")
    if match.seats[seat].resigned_at is not None:
        raise Conflict("You have resigned from this match; a bot plays your seat.", "resigned")


def _seat(seat: StoredSeat, creator: bool, started: bool) -> SeatOfMatch:
    return SeatOfMatch(
        seat=seat.seat,
        player_id=seat.player_id,
        player_name=seat.player_name,
        invited_email=seat.invited_email if creator else None,
        joined_at=seat.joined_at,
        resigned_at=seat.resigned_at,
        to_act=seat.to_act,
        bot=seat.bot,
        invited=seat.invited_email is not None,
        nonce=seat.nonce if started else None,
        by_bot=seat.by_bot,
        owner_id=seat.owner_id,
    )


@dataclass(frozen=True, slots=True)
class Seated:
    """A match that has started, and the player's seat."""

    match: StoredMatch
    game: AnyGame
    seat: int


def seated(
    context: Context, player: Player, match_id: str, seat: int | None, read: StoredMatch | None = None
) -> Seated:
    """Returns the match with the player's seat, which must be ``seat`` if one is named; ``read`` is
    the match, where the request has read it already.

    Raises ``NotFound``, ``Forbidden`` or ``Conflict``.
    """
    match, own = own_seat(context, player, match_id, seat, read)
    check_started(match)
    return Seated(match, replays.game_of(match), own)


def own_seat(
    context: Context, player: Player, match_id: str, seat: int | None, read: StoredMatch | None = None
) -> tuple[StoredMatch, int]:
    """Returns the match, started or not, and the player's seat, which must be ``seat`` if one is
    named. Raises ``NotFound`` or ``Forbidden``.
    """
    match = existing(read or context.batched.match(context.database, match_id), match_id)
    own = match.seat_of(player.id)
    if own is None:
        with context.database.read() as connection:
            admitted(connection, match, match_id, player)
        raise Forbidden("You have no seat in this match.", "not_seated")
    if seat is not None and seat != own:
        raise Forbidden(f"Seat {seat} is not yours; you have seat {own}.", "not_your_seat")
    return match, own


def check_ply(match: StoredMatch, ply: int | None) -> None:
    """Raises ``Conflict`` (``ply_ahead``) for a ply that the match has not reached, and
    ``NotFound`` for one below 0.
    """
    if ply is not None and ply > match.ply:
        raise Conflict(f"The match has not come to ply {ply}: its plies are 0 to {match.ply}.", "ply_ahead")
    if ply is not None and ply < 0:
        raise NotFound(f"No match has a ply {ply}: the plies of this one are 0 to {match.ply}.")


def state_of(context: Context, at: Seated, ply: int | None = None) -> Any:
    """The state of the match at ``ply``, by default as it was read; the log up to its ply never
    changes any more, so no common transaction is needed.
    """
    with context.database.read() as connection:
        return replays.load(connection, context, at.match, ply)
