"""What the players of a match offer each other, as its page shows it to one of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from engine.wording import listed
from service.clocks.sentences import moment_words
from service.clocks.spans import instant
from service.matches.types import Match
from service.offers import offering
from service.offers.offering import LONGEST_PAUSE, Offer
from service.offers.sentences import offer_words, rule_words
from service.store.matches import StoredMatch
from service.store.players import Player
from service.texts import gettext as _


@dataclass(frozen=True, slots=True)
class OpenOffer:
    """An open offer: what it says, by which rule it is settled, and whom it waits for."""

    id: str
    sentence: str
    rule: str
    waits_for: tuple[str, ...]
    is_own: bool
    is_asked: bool


@dataclass(frozen=True, slots=True)
class OffersShown:
    """The open offers; ``paused`` says until when the match is paused, ``running`` are the seats
    whose time can be extended; without clocks there is no time to offer. ``may_abandon`` says
    that another player is away, so that the match can be ended as abandoned.
    """

    open: tuple[OpenOffer, ...]
    paused: str
    running: tuple[int, ...]
    has_clock: bool
    may_abandon: bool
    longest: int = LONGEST_PAUSE


def offers_shown(
    connection: Connection, match: StoredMatch, shown: Match, seat: int, zone: str, now: datetime
) -> OffersShown | None:
    """The offers for the player in ``seat``; ``None`` where nothing can be offered."""
    if match.status != "running" or not match.seats[seat].is_owned:
        return None
    offers = offering.shown(connection, match, now)
    until = offers.paused_until
    paused = ""
    if until is not None:
        sentence = _("The match is paused until {moment}, and all clocks stand still.")
        paused = sentence.format(moment=moment_words(instant(until), zone))
    return OffersShown(
        open=tuple(_open(match, each, seat, zone) for each in offers.items if each.status == "open"),
        paused=paused,
        running=tuple(each.seat for each in shown.seats if each.clock is not None and each.clock.deadline is not None),
        has_clock=match.clock is not None,
        may_abandon=any(each.is_owned and each.away_since and each.seat != seat for each in match.seats),
    )


def offered_seat(connection: Connection, match: StoredMatch, player: Player) -> OpenOffer | None:
    """The offer by which a player who has no seat is to have one, and has not agreed to it yet."""
    found = offering.offered_to(connection, player, match) if match.status == "running" else None
    if found is None or not found.waits_for_taker:
        return None
    sentence = _("{name} offers you their seat: you would play on from where they stand.")
    return OpenOffer(found.id, sentence.format(name=match.names[found.seat]), "", (), False, True)


def _open(match: StoredMatch, offer: Offer, seat: int, zone: str) -> OpenOffer:
    names, away = match.names, [match.names[each] for each in offer.away]
    whose = listed(away) if offer.for_seat is None else names[offer.for_seat]
    until, ends = ("" if at is None else moment_words(instant(at), zone) for at in (offer.lapses_at, offer.ends_at))
    return OpenOffer(
        offer.id,
        offer_words(offer.kind, offer.days, names[offer.seat], whose, offer.to or ""),
        " ".join(rule_words(offer.kind, [], away, until, ends)),
        tuple(names[each] for each in offer.waits_for),
        offer.seat == seat,
        seat in offer.waits_for,
    )
