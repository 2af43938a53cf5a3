"""Who has to agree to an offer, and when it is settled. Pure.

Everybody who plays for themselves has to agree, besides whoever offers. Bots are not asked: neither
those that have a seat of their own, nor those that play for a seat. Who is absent does not block an
offer for more than three days. Where a seat is to be handed over, whoever is to have it is asked
first, and the others when it is known who that is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Final

from engine.types import Seat
from service.store.matches import StoredMatch
from service.store.offers import OfferStatus, StoredOffer

ABSENT_FOR: Final = timedelta(days=3)
"""After so long an offer needs no answer of those who are absent."""
OPEN_FOR: Final = timedelta(days=14)
"""After so long an offer lapses that not all have answered."""


def asked_of(match: StoredMatch, offer: StoredOffer) -> tuple[Seat, ...]:
    """The seats that are asked about an offer."""
    if offer.waits_for_taker:
        return ()
    return tuple(
        other.seat
        for other in match.seats
        if other.seat != offer.seat and other.bot is None and other.resigned_at is None and not other.by_bot
    )


def settled(
    asked: Collection[Seat], answers: Mapping[Seat, bool], absent: Collection[Seat], made_at: datetime, now: datetime
) -> OfferStatus:
    """What the answers of those who are asked make of an offer; ``absent`` are those who are absent
    at ``now``.
    """
    if any(answers.get(seat) is False for seat in asked):
        return "declined"
    waived = set(absent) if now - made_at >= ABSENT_FOR else set()
    if all(answers.get(seat) or seat in waived for seat in asked):
        return "accepted"
    return lapsed(made_at, now)


def lapsed(made_at: datetime, now: datetime) -> OfferStatus:
    """What becomes of an offer that waits for an answer."""
    return "lapsed" if now - made_at >= OPEN_FOR else "open"
