"""The mails about offers: ``offer_made``, ``offer_settled``, ``seat_offered``, ``seat_handed``."""

from __future__ import annotations

from typing import Any

from engine.wording import listed
from service.clocks.sentences import moment_words
from service.notices.mail.match_mail import MatchMail
from service.notices.mail.turn import moves_shown
from service.notices.material import MatchMaterial, Recipient
from service.offers.sentences import (
    accepted_words,
    agreed_words,
    declined_words,
    how_to_answer,
    offer_words,
    rule_words,
)
from service.payloads import OfferMade, OfferSettled, SeatHanded, SeatOffered
from service.texts import gettext as _


def offer_made(mail: MatchMail, payload: OfferMade) -> dict[str, Any]:
    """The values of the mail that says what somebody offers, and what follows from silence; the
    second one about a match that is to end as abandoned says so.
    """
    names, zone = mail.material.names, mail.material.zone
    asked, away = ([names[seat] for seat in seats] for seats in (payload.asked, payload.away))
    ends = "" if payload.ends_at is None else moment_words(payload.ends_at, zone)
    whose = listed(away) or _whose(payload, names)
    lines = [
        offer_words(payload.offer, payload.days, names[payload.by], whose, payload.to),
        *([_("This is the second mail about it, and the last one.")] if payload.warned else []),
        *rule_words(payload.offer, asked, away, moment_words(payload.lapses_at, zone), ends),
        how_to_answer(payload.question),
        *([_('Reply with "back" to take your seat back.')] if mail.seat in payload.away else []),
    ]
    return _values(mail, lines)


def offer_settled(mail: MatchMail, payload: OfferSettled) -> dict[str, Any]:
    """The values of the mail that says what became of an offer, or that a pause ends."""
    names, by = mail.material.names, payload.by
    until = "" if payload.until is None else moment_words(payload.until, mail.material.zone)
    if payload.result == "resumed":
        sentence = _("{name} ends the pause: from {moment} on the clocks run again.")
        return _values(mail, [sentence.format(name="" if by is None else names[by], moment=until)])
    if payload.result == "declined":
        return _values(mail, [declined_words(payload.offer, None if by is None else names[by])])
    whose, name, to = _whose(payload, names), payload.name, payload.to
    accepted, passed = ([names[seat] for seat in seats] for seats in (payload.accepted, payload.passed))
    said = (*agreed_words(payload.offer, name, whose, to, until), *accepted_words(name, accepted, passed))
    return _values(mail, [*said])


def seat_offered(reader: Recipient, material: MatchMaterial, payload: SeatOffered) -> dict[str, Any]:
    """The values of the mail that asks somebody to take the seat of another."""
    until = moment_words(payload.lapses_at, material.zone)
    return {"host": material.names[payload.seat], "signed_up": reader.player_id is not None, "until": until}


def seat_handed(payload: SeatHanded) -> dict[str, Any]:
    """The values of the mail that tells somebody that another has their seat now."""
    return {"to": payload.to}


def _values(mail: MatchMail, lines: list[str]) -> dict[str, Any]:
    moves = moves_shown(mail.scene.moves, mail.material.game.info.notation) if mail.is_awaited else None
    return {"lines": lines, "own": False, "moves": moves}


def _whose(payload: OfferMade | OfferSettled, names: tuple[str, ...]) -> str:
    seat = payload.for_seat
    return "" if seat is None else names[seat]
