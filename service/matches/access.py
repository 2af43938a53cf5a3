"""Access to a match: what a player or spectator may see of it, and the seat of an acting player.

The time that is left on the clocks is public, why a player takes days off is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from engine.documents import from_document
from engine.draws import SCHEME
from engine.game import AnyGame
from engine.record import EarlyEnd
from engine.sentences import outcome_told
from engine.types import Outcome, ToldOutcome
from service.clocks.rule import RESERVE, ClockRule, document_of, policy_words, preset_of, rule_words
from service.clocks.spans import instant, moment, write_duration
from service.context import Context
from service.errors import Conflict, Forbidden, NotFound
from service.links import join_page
from service.matches import replays, timekeeping
from service.matches.replays import RulesFail
from service.matches.timekeeping import SeatTime
from service.matches.types import Clock, Match, SeatClockShown, SeatOfMatch
from service.players.admission import admitted, has_link
from service.store import clocks
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
        nonces_digest=replays.digest_of(match),
        seats=tuple(_seat(seat, creator, match.started_at is not None) for seat in match.seats),
        unreadable_at=match.unreadable_at,
        clock=clock_shown(timekeeping.rule_of(match)),
        outcome=outcome_shown(match),
        unlisted=match.unlisted,
        early_end=None if match.early_end is None else from_document(EarlyEnd, match.early_end),
    )


def clock_shown(rule: ClockRule | None) -> Clock | None:
    """The rule of the clocks of a match; ``None`` where it has none."""
    if rule is None:
        return None
    no_times = {"base": None, "increment": None, "most": None, "total": None}
    return Clock(
        preset=preset_of(rule),
        reserve=write_duration(RESERVE),
        words=rule_words(rule),
        policy=policy_words(rule),
        **no_times | document_of(rule),
    )


def with_times(
    connection: Connection, stored: Sequence[StoredMatch], seen: Sequence[Match], now: datetime
) -> tuple[Match, ...]:
    """Those matches, with what is left of the clocks at ``now``, and how often time was up."""
    timed = [match for match in stored if match.clock is not None and match.started_at is not None]
    if not timed:
        return tuple(seen)
    times = timekeeping.times_of(connection, [match for match in timed if match.status == "running"], now)
    late = clocks.timed_out(connection, [match.id for match in timed])

    def timed_seat(match: Match, seat: SeatOfMatch) -> SeatOfMatch:
        own = times.get(match.id)
        clock = None if own is None else seat_clock_shown(own[seat.seat], now)
        return replace(seat, clock=clock, timed_out=late.get((match.id, seat.seat), 0))

    return tuple(replace(match, seats=tuple(timed_seat(match, seat) for seat in match.seats)) for match in seen)


def seat_clock_shown(own: SeatTime, now: datetime) -> SeatClockShown:
    """What is left of the clock of a seat at ``now``."""
    left = own.remaining(instant(now))
    stopped = left.stopped
    return SeatClockShown(
        deadline=None if left.deadline is None else moment(left.deadline),
        main_until=None if left.main_until is None else moment(left.main_until),
        remaining=left.seconds,
        reserve=left.reserve,
        stopped_by=None if stopped is None else stopped.kind,
        stopped_until=None if stopped is None or left.is_out else moment(stopped.end),
    )


def outcome_shown(match: StoredMatch) -> ToldOutcome | None:
    """How a match ended, with the sentences; ``None`` where it has no outcome."""
    if match.outcome is None:
        return None
    outcome: Outcome = from_document(Outcome, match.outcome)
    with suppress(RulesFail), replays.ruled(match.id):
        return outcome_told(replays.game_at_hand(match), outcome)
    return outcome_told(None, outcome)


def existing(match: StoredMatch | None, match_id: str) -> StoredMatch:
    """The match; raises ``NotFound`` for ``None``. ``admitted`` says to whom it is shown."""
    if match is None:
        raise NotFound(f"There is no match {match_id}.", "match_not_found")
    return match


def join_url_for(context: Context, match: StoredMatch, player_id: str | None) -> str | None:
    """The join link, for the match's creator and, while a seat is free, whoever sits in it."""
    is_free = match.status == "open" and any(seat.player_id is None for seat in match.seats)
    passes_on = player_id == match.created_by or (is_free and match.seat_of(player_id) is not None)
    if match.join_secret is None or not passes_on:
        return None
    return join_page(context.settings.base_url, match.join_secret)


def linked(match: StoredMatch | None) -> StoredMatch:
    """The match of a join link; raises ``NotFound`` (``join_link_not_found``) for ``None``."""
    if match is None:
        sentence = _(
            "This link leads to no match. Copy all of it; if it is whole, whoever created the match has replaced it:"
            " ask for the new one."
        )
        raise NotFound(sentence, "join_link_not_found")
    return match


def check_link(match: StoredMatch, link: str) -> None:
    """Raises ``NotFound`` (``join_link_not_found``) where the link does not lead to the match."""
    if not has_link(match, link):
        linked(None)


def check_started(match: StoredMatch) -> None:
    """Raises ``Conflict`` (``match_not_started``)."""
    if match.status == "cancelled" and match.started_at is None:
        raise Conflict("The match was cancelled before it started.", "match_not_started")
    if match.started_at is None:
        raise Conflict(NOT_STARTED, "match_not_started")


def check_on(match: StoredMatch, seat: int) -> None:
    """Raises ``Conflict`` (``match_not_started``, ``match_over``, ``resigned``, ``seat_gone``)."""
    check_started(match)
    if not match.is_on:
        raise Conflict(OVER, "match_over")
    if match.seats[seat].resigned_at is not None:
        raise Conflict("You have resigned from this match; a bot plays your seat.", "resigned")
    check_not_gone(match, seat)


def check_not_gone(match: StoredMatch, seat: int) -> None:
    """Raises ``Conflict`` (``seat_gone``) where a bot has the seat for good."""
    if match.seats[seat].replaced:
        raise Conflict("Your time was up, and by the rules of this match the bot keeps your seat.", "seat_gone")


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
    """The match with the player's seat, which must be ``seat`` if one is named; ``read`` is the
    match that was read already. Raises ``NotFound``, ``Forbidden`` or ``Conflict``.
    """
    match, own = own_seat(context, player, match_id, seat, read)
    check_started(match)
    return Seated(match, replays.game_of(match), own)


def own_seat(
    context: Context, player: Player, match_id: str, seat: int | None, read: StoredMatch | None = None
) -> tuple[StoredMatch, int]:
    """The same for a match that may not have started. Raises ``NotFound`` or ``Forbidden``."""
    match = existing(read or context.batched.match(context.database, match_id), match_id)
    if match.seat_of(player.id) is None:
        with context.database.read() as connection:
            admitted(connection, match, match_id, player)
    own = seat_in(match, player)
    if seat is not None and seat != own:
        raise Forbidden(f"Seat {seat} is not yours; you have seat {own}.", "not_your_seat")
    return match, own


def seat_in(match: StoredMatch, player: Player) -> int:
    """The player's seat. Raises ``Forbidden`` (``not_seated``)."""
    seat = match.seat_of(player.id)
    if seat is None:
        raise Forbidden(_("You have no seat in this match."), "not_seated")
    return seat


def check_ply(match: StoredMatch, ply: int | None) -> None:
    """Raises ``Conflict`` (``ply_ahead``), and ``NotFound`` for a ply below 0."""
    if ply is not None and ply > match.ply:
        raise Conflict(f"The match has not come to ply {ply}: its plies are 0 to {match.ply}.", "ply_ahead")
    if ply is not None and ply < 0:
        raise NotFound(f"No match has a ply {ply}: the plies of this one are 0 to {match.ply}.")


def state_of(context: Context, at: Seated, ply: int | None = None) -> Any:
    """The state at ``ply``, by default as the match was read: its log up to there never changes."""
    with context.database.read() as connection:
        return replays.load(connection, context, at.match, ply)
