"""Whose word a question needs, what silence means, and when it lapses. Pure.

Everybody who owns a seat answers for themselves, also while they have days off or a bot holds their
seat; who has resigned or lost the seat for good is not asked, and neither are bots. Silence accepts
nothing, with two exceptions: a pause and an extension pass over who has been away for three days,
and a match whose players have been away for long can be ended as abandoned. Where a seat is to be
handed over, whoever is to have it is asked first, and the others when it is known who that is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final, Literal

from engine.types import Seat
from service.clocks.recorded import ABANDONED_AFTER
from service.clocks.seat import SeatClock
from service.clocks.spans import instant, moment
from service.statuses import OfferKind
from service.store.matches import StoredMatch
from service.store.questions import HeldOrder, Question, StoredOffer

PASSED_OVER_AFTER: Final = timedelta(days=3)
"""A pause and an extension pass over a seat that was away for so long while they were offered."""
ORDER_OPEN_FOR: Final = timedelta(days=2)
"""After so long an order lapses that waits for its player's word."""
OPEN_FOR: Final = timedelta(days=14)
"""After so long an offer lapses that not all have answered."""
ABANDON_OPEN_FOR: Final = timedelta(days=28)
"""The same for the wish to end a match as abandoned."""
ABANDONED: Final = timedelta(seconds=ABANDONED_AFTER)
WARNED_FOR: Final = timedelta(days=3)
"""Between the two mails to who is away, and between the second one and the end of the match."""
OF_TIME: Final[tuple[OfferKind, ...]] = ("pause", "extend")
"""The offers that need a clock, and pass over who is away."""


def asked_of(match: StoredMatch, question: Question) -> tuple[Seat, ...]:
    """The seats that are asked."""
    if isinstance(question, HeldOrder):
        return (question.seat,)
    if question.waits_for_taker:
        return ()
    return tuple(other.seat for other in match.seats if other.seat != question.seat and other.is_owned)


def away_from(match: StoredMatch, offer: StoredOffer) -> tuple[Seat, ...]:
    """The seats asked that a bot held, or whose player was suspended, since before the offer."""
    away = {seat.seat for seat in match.seats if seat.away_since is not None and seat.away_since <= offer.made_at}
    return tuple(seat for seat in asked_of(match, offer) if seat in away)


def has_ground(match: StoredMatch, clocks: Sequence[SeatClock], question: Question, now: datetime) -> bool:
    """Whether an open question can still be accepted."""
    if now >= lapses_at(question):
        return False
    if isinstance(question, HeldOrder):
        return _order_has_ground(match, question)
    maker = match.seats[question.seat]
    if match.status != "running" or not maker.is_owned:
        return False
    match question.kind:
        case "hand_over":
            return not maker.by_bot and match.seat_of(question.taker_id) is None
        case "abandon":
            return not maker.by_bot and bool(away_from(match, question))
        case "extend":
            assert question.for_seat is not None
            clock = clocks[question.for_seat]
            return clock.since is not None and clock.turns == question.for_turn
        case "pause" | "end" | "draw" | "call_off":
            return True


def lapses_at(question: Question) -> datetime:
    """When an open question lapses by its age."""
    if isinstance(question, HeldOrder):
        return question.made_at + ORDER_OPEN_FOR
    return question.made_at + (ABANDON_OPEN_FOR if question.kind == "abandon" else OPEN_FOR)


def waits_for(match: StoredMatch, clocks: Sequence[SeatClock], question: Question, now: datetime) -> tuple[Seat, ...]:
    """The seats whose answer an open question waits for; none where its ground is gone."""
    answers = question.answers if isinstance(question, StoredOffer) else {}
    if not has_ground(match, clocks, question, now):
        return ()
    return tuple(seat for seat in asked_of(match, question) if seat not in answers)


def settled(
    match: StoredMatch, offer: StoredOffer, away: Mapping[Seat, datetime], now: datetime
) -> Literal["open", "accepted", "declined"]:
    """What the answers make of an offer that has ground; ``away`` says who is away, since when."""
    asked = asked_of(match, offer)
    if any(offer.answers.get(seat) is False for seat in asked):
        return "declined"
    if offer.waits_for_taker:
        return "open"
    passed = _passed_over(match, offer, away, now)
    return "accepted" if all(offer.answers.get(seat) or seat in passed for seat in asked) else "open"


def abandoning(match: StoredMatch, offer: StoredOffer, now: datetime) -> Literal["wait", "warn", "end"]:
    """What is to be done about a match that others wish to end as abandoned: once all who are there
    have accepted, who is away is mailed for the second time, and then it ends.
    """
    away = away_from(match, offer)
    if any(not offer.answers.get(seat) for seat in asked_of(match, offer) if seat not in away):
        return "wait"
    if offer.warned_at is None:
        return "warn" if now >= _warned_from(match, offer, away) else "wait"
    return "end" if now >= moment(offer.warned_at) + WARNED_FOR else "wait"


def abandoned_at(match: StoredMatch, offer: StoredOffer) -> datetime:
    """When a match ends as abandoned at the earliest."""
    due = _warned_from(match, offer, away_from(match, offer))
    return max(due, moment(offer.warned_at or 0)) + WARNED_FOR


def _warned_from(match: StoredMatch, offer: StoredOffer, away: Collection[Seat]) -> datetime:
    """From when on who is away is mailed for the second time."""
    since = [at for seat in away if (at := match.seats[seat].away_since) is not None]
    return moment(instant(max([offer.made_at, *(at + ABANDONED - 2 * WARNED_FOR for at in since)]) + WARNED_FOR))


def _passed_over(
    match: StoredMatch, offer: StoredOffer, away: Mapping[Seat, datetime], now: datetime
) -> Collection[Seat]:
    """The seats that need not answer."""
    if offer.kind in OF_TIME:
        return [seat for seat, since in away.items() if now - max(offer.made_at, since) >= PASSED_OVER_AFTER]
    if offer.kind == "abandon" and abandoning(match, offer, now) == "end":
        return away_from(match, offer)
    return ()


def _order_has_ground(match: StoredMatch, order: HeldOrder) -> bool:
    seat = match.seats[order.seat]
    if match.ply != order.match_ply or seat.player_id != order.player_id:
        return False
    if order.kind in ("accept", "decline"):
        is_same = seat.invited_at is None or seat.invited_at <= order.made_at  # and not that of another address since
        return match.status == "open" and seat.invited_email is not None and is_same
    return match.is_on and seat.is_owned
