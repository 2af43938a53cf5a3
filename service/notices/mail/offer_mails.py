"""The mails about offers: ``offer_made``, ``offer_settled``, ``seat_offered``, ``seat_handed``."""

from __future__ import annotations

from typing import Any

from service.clocks.sentences import moment_words
from service.notices.mail.match_mail import MatchMail
from service.notices.mail.turn import moves_shown
from service.notices.material import MatchMaterial, Recipient
from service.offers.sentences import agreed_words, declined_words, offer_words
from service.payloads import OfferMade, OfferSettled, SeatHanded, SeatOffered
from service.texts import gettext as _


def offer_made(mail: MatchMail, payload: OfferMade) -> dict[str, Any]:
    """The values of the mail that says what somebody offers."""
    names = mail.material.names
    whose = _whose(payload, names)
    lines = [
        offer_words(payload.offer, payload.days, names[payload.by], whose, payload.to),
        _('Reply with "accept" or "decline". It needs everybody\'s consent, and lapses after 14 days.'),
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
    return _values(mail, [*agreed_words(payload.offer, name, whose, to, until)])


def seat_offered(reader: Recipient, material: MatchMaterial, payload: SeatOffered) -> dict[str, Any]:
    """The values of the mail that asks somebody to take the seat of another."""
    return {"host": material.names[payload.seat], "signed_up": reader.player_id is not None}


def seat_handed(payload: SeatHanded) -> dict[str, Any]:
    """The values of the mail that tells somebody that another has their seat now."""
    return {"to": payload.to}


def _values(mail: MatchMail, lines: list[str]) -> dict[str, Any]:
    moves = moves_shown(mail.scene.moves, mail.material.game.info.notation) if mail.is_awaited else None
    return {"lines": lines, "own": False, "moves": moves}


def _whose(payload: OfferMade | OfferSettled, names: tuple[str, ...]) -> str:
    seat = payload.for_seat
    return "" if seat is None else names[seat]
