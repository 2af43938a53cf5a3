"""The mails about offers: ``offer_made`` and ``offer_settled``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.clocks.sentences import moment_words
from service.notices.mail.match_mail import MatchMail
from service.notices.mail.turn import moves_shown
from service.offers.sentences import agreed_words, offer_words
from service.texts import gettext as _


def offer_made(mail: MatchMail, payload: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the mail that says what somebody offers."""
    names = mail.material.names
    lines = [
        offer_words(payload["offer"], payload["days"], names[payload["by"]], _whose(payload, names)),
        _('Reply with "accept" or "decline". It needs everybody\'s consent, and lapses after 14 days.'),
    ]
    return _values(mail, lines)


def offer_settled(mail: MatchMail, payload: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the mail that says what became of an offer, or that a pause ends."""
    names, by = mail.material.names, payload["by"]
    until = moment_words(payload["until"], mail.material.zone) if "until" in payload else ""
    if payload["result"] == "resumed":
        sentence = _("{name} ends the pause: from {moment} on the clocks run again.")
        return _values(mail, [sentence.format(name=names[by], moment=until)])
    if payload["result"] == "declined":
        what = _("a pause") if payload["offer"] == "pause" else _("a day more for this turn")
        return _values(mail, [_("{name} has declined {what}.").format(name=names[by], what=what)])
    return _values(mail, [*agreed_words(payload["offer"], _whose(payload, names), until)])


def _values(mail: MatchMail, lines: list[str]) -> dict[str, Any]:
    moves = moves_shown(mail.scene.moves, mail.material.game.info.notation) if mail.is_awaited else None
    return {"lines": lines, "own": False, "moves": moves}


def _whose(payload: Mapping[str, Any], names: tuple[str, ...]) -> str:
    seat = payload["for_seat"]
    return "" if seat is None else names[seat]
