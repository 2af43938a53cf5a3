"""The mails that are not about turns: codes that work once, invitations, answers; and those that
say in a few lines what else has happened in a match, with the board below.
"""

from __future__ import annotations

import re
from typing import Any, Final, TypeAlias
from urllib.parse import quote

from engine import registry
from engine.record import StepKind
from engine.wording import listed
from service import payloads
from service.clocks.sentences import moment_words
from service.mail_words import WORDS
from service.matches.types import CUSTOM
from service.notices.mail.errors import CannotCompose
from service.notices.mail.match_mails import MatchMail, awaited, board_shown, check_awaited
from service.notices.material import MatchMaterial, Recipient
from service.offers.sentences import (
    accepted_words,
    agreed_words,
    declined_words,
    how_to_answer,
    offer_words,
    rule_words,
)
from service.texts import gettext as _
from service.texts import ngettext

_PICTURE: Final = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
"""A picture in Markdown, of which a text has the description only."""


def one_time_token(payload: payloads.OneTimeToken, page: str) -> dict[str, Any]:
    """The values of a mail with a code that works once, on ``page``. Raises ``CannotCompose``."""
    if not payload.token:
        raise CannotCompose("The notice carries no one-time token.")
    at = payload.expires_at
    return {
        "token": payload.token,
        "expires": f"{at[:10]} {at[11:16]} UTC" if at else "",
        "confirm_page": f"{page}?token={quote(payload.token)}",
    }


def address_changed(payload: payloads.AddressChanged, base_url: str) -> dict[str, Any]:
    """The values of the mail that tells a player what has changed."""
    said = {
        "added": _("From now on you may write from %(address)s, too: the address was confirmed."),
        "primary": _("From now on your mails go to %(address)s, and no longer to this address."),
        "removed": _("From now on you may no longer write from %(address)s: the address was removed."),
        "undone": _("A change of your addresses was undone: %(address)s is yours again."),
    }[payload.change]
    token = payload.token
    return {
        "changed": said % {"address": payload.changed},
        "undo_page": f"{base_url.rstrip('/')}/undo-address?token={quote(token)}" if token else None,
    }


def from_host(payload: payloads.HostActed) -> dict[str, Any]:
    """The values of the mail that says what the host of the service has done."""
    headline, *says = {
        "suspended": (
            _("You are suspended"),
            _("The host of this service has suspended you: until that is lifted you can do nothing here."),
            _("Your clocks run on. When your time is up, that follows which each match says."),
            _("You can still take what is stored of you, and leave for good, on the page of your account."),
        ),
        "lifted": (
            _("You are not suspended any more"),
            _("You are not suspended any more: your seats, tokens and settings are as they were before."),
        ),
        "tokens_revoked": (
            _("Your tokens were revoked"),
            _("The host of this service has revoked all your tokens, also those of your bots."),
            _("Programs can do nothing in your name until you give them another one."),
        ),
        "signed_out": (
            _("You were signed out"),
            _("The host of this service has signed you out of every browser. Sign in again by a mail."),
        ),
        "line_removed": (
            _("What you said was removed"),
            _("The host of this service has removed what you said in a match. Nobody can read it any more:"),
        ),
        "name_replaced": (
            _("Your name was replaced"),
            _("The host of this service has replaced your name. Choose another one in your settings. It was:"),
        ),
        "invitation_withdrawn": (
            _("Your invitation was withdrawn"),
            _("The host of this service has withdrawn an invitation of yours. The seat is free for anybody:"),
        ),
        "report_upheld": (
            _("What you reported was removed"),
            _("The host of this service has removed what you had reported. Thank you:"),
        ),
        "report_answered": (_("Your report was answered"), _("You had reported this:")),
    }[payload.act]
    return {"headline": headline, "says": says}


def invitation(reader: Recipient, material: MatchMaterial) -> dict[str, Any]:
    """The values of an invitation; ``signed_up`` says whether the reader is a player."""
    return {
        "host": material.creator,
        "signed_up": reader.player_id is not None,
        "commitment": material.commitment,
        "own_components": material.components == CUSTOM,
    }


def seat_offered(reader: Recipient, material: MatchMaterial, payload: payloads.SeatOffered) -> dict[str, Any]:
    """The values of the mail that asks somebody to take the seat of another."""
    until = moment_words(payload.lapses_at, material.zone)
    return {"host": material.names[payload.seat], "signed_up": reader.player_id is not None, "until": until}


def words() -> tuple[tuple[str, str], ...]:
    """What a mail can say, with what it does."""
    return (
        (_("a number, or a line of notation"), _("plays it; several lines are one turn")),
        *((", ".join(word.written), word.does()) for word in WORDS),
    )


def answer(payload: payloads.MailAnswered) -> dict[str, Any]:
    """The values of an answer that shows no match."""
    return {
        "told": (),
        "awaited": "",
        "moves": None,
        "board": None,
        "headline": payload.headline,
        "says": payload.says,
        "lines": payload.lines,
        "shows": payload.shows,
        "words": words(),
        "rules": "" if payload.rules is None else _PICTURE.sub(r"(\1)", registry.rules_text(payload.rules)).strip(),
    }


def answer_about_match(mail: MatchMail, payload: payloads.MailAnswered, pictured: bool) -> dict[str, Any]:
    """What an answer shows of a match, as far as the payload asks for it."""
    shows = payload.shows
    return {
        "told": mail.view.told if payload.since is not None else (),
        "awaited": awaited(mail.material, mail.view, mail.seat) if "moves" in shows or "board" in shows else "",
        "moves": mail.moves if "moves" in shows else None,
        "board": board_shown(mail.material, mail.view, pictured) if "board" in shows else None,
    }


def unproven_turn(payload: payloads.OrderHeld, base_url: str) -> dict[str, Any]:
    """The values of a mail about an order that was held."""
    headlines = {
        "turn": _("Did you send this turn?"),
        "resign": _("Did you want to resign?"),
        "accept": _("Did you accept this invitation?"),
        "decline": _("Did you decline this invitation?"),
    }
    return {
        "headline": headlines[payload.what],
        "why": _(
            "A mail in your name has come. Nobody could tell that it is from you: it was not signed by the"
            " domain of its sender, so nothing was done."
        ),
        "lines": payload.lines,
        "page": f"{base_url.rstrip('/')}/orders/{payload.order}",
    }


LinesPayload: TypeAlias = (
    payloads.TimeUp
    | payloads.DaysOffBegan
    | payloads.Reminded
    | payloads.OfferMade
    | payloads.OfferSettled
    | payloads.Shelved
)


def lines(mail: MatchMail, payload: LinesPayload) -> dict[str, Any]:
    """A mail of a few lines; ``own``: about the reader's own time. Raises ``CannotCompose``."""
    values = {
        "lines": _lines(mail, payload),
        "own": isinstance(payload, payloads.TimeUp | payloads.DaysOffBegan | payloads.Reminded),
    }
    return values | ({"moves": None} if isinstance(payload, payloads.TimeUp) else {})


def _lines(mail: MatchMail, payload: LinesPayload) -> list[str]:
    match payload:
        case payloads.TimeUp():
            return _time_up(mail, payload)
        case payloads.DaysOffBegan():
            return _days_off_began(mail, payload)
        case payloads.Reminded():
            return _reminder(mail, payload)
        case payloads.OfferMade():
            return _offer_made(mail, payload)
        case payloads.OfferSettled():
            return _offer_settled(mail, payload)
        case payloads.Shelved():
            return _archive(mail, payload)


def _time_up(mail: MatchMail, payload: payloads.TimeUp) -> list[str]:
    when = moment_words(payload.due_at, mail.material.zone)
    up = _("Your time was up on {moment}, {name}, and your reserve is used up.")
    return [up.format(moment=when, name=mail.reader.name), *_follows(payload.step)]


def _days_off_began(mail: MatchMail, payload: payloads.DaysOffBegan) -> list[str]:
    zone = mail.material.zone
    return [
        _("Your time would have been up on {moment}, {name}. As you asked for, you have days off since then.").format(
            moment=moment_words(payload.due_at, zone), name=mail.reader.name
        ),
        ngettext(
            "Until {moment} your clocks stand still in all matches that allow it. You have {left} more day off.",
            "Until {moment} your clocks stand still in all matches that allow it. You have {left} more days off.",
            payload.left,
        ).format(moment=moment_words(payload.until, zone), left=payload.left),
        _('You may move all the same. Reply with "back" to end your days off.'),
    ]


def _reminder(mail: MatchMail, payload: payloads.Reminded) -> list[str]:
    """Names all matches that are due within the hour."""
    check_awaited(mail)
    first = _("{title} waits for you, {name}.")
    lines = [first.format(title=mail.material.title or _("A match"), name=mail.reader.name)]
    for each in payload.also:
        until = moment_words(each.until, mail.material.zone)
        lines.append(_("{title} waits for you, too, until {moment}.").format(title=each.title, moment=until))
    return [*lines, *mail.material.rule[-1:]]


def _follows(step: StepKind) -> list[str]:
    return {
        "time_up_bot_turn": [_("A bot played this turn for you. Your next one is yours again.")],
        "time_up_bot_hold": [
            _("A bot played for you, for the second time in a row. It holds your seat until you are back."),
            _('Reply with "back" to take your seat back at any time; your clock neither gains nor loses by it.'),
        ],
        "time_up_bot_seat": [_("As this match was declared, a bot has taken your seat for good.")],
        "time_up_resign": [_("As this match was declared, your seat has resigned.")],
    }[step]


def _offer_made(mail: MatchMail, payload: payloads.OfferMade) -> list[str]:
    """Says what somebody offers, and what follows from silence."""
    names, zone = mail.material.names, mail.material.zone
    asked, away = ([names[seat] for seat in seats] for seats in (payload.asked, payload.away))
    ends = "" if payload.ends_at is None else moment_words(payload.ends_at, zone)
    whose = listed(away) or _whose(payload, names)
    return [
        offer_words(payload.offer, payload.days, names[payload.by], whose, payload.to),
        *([_("This is the second mail about it, and the last one.")] if payload.warned else []),
        *rule_words(payload.offer, asked, away, moment_words(payload.lapses_at, zone), ends),
        how_to_answer(payload.question),
        *([_('Reply with "back" to take your seat back.')] if mail.seat in payload.away else []),
    ]


def _offer_settled(mail: MatchMail, payload: payloads.OfferSettled) -> list[str]:
    """Says what became of an offer, or that a pause ends."""
    names, by = mail.material.names, payload.by
    until = "" if payload.until is None else moment_words(payload.until, mail.material.zone)
    if payload.result == "resumed":
        sentence = _("{name} ends the pause: from {moment} on the clocks run again.")
        return [sentence.format(name="" if by is None else names[by], moment=until)]
    if payload.result == "declined":
        return [declined_words(payload.offer, None if by is None else names[by])]
    whose, name, to = _whose(payload, names), payload.maker, payload.to
    accepted, passed = ([names[seat] for seat in seats] for seats in (payload.accepted, payload.passed))
    return [*agreed_words(payload.offer, name, whose, to, until), *accepted_words(name, accepted, passed)]


def _archive(mail: MatchMail, payload: payloads.Shelved) -> list[str]:
    match payload.step:
        case "soon":
            assert payload.until is not None
            until = moment_words(payload.until, mail.material.zone)
            says = _("Nobody has looked at this match for long. It has no clock, and will be archived on {moment}.")
            return [
                says.format(moment=until),
                _("To keep it, look at its page, or reply. Nothing of it is lost in the archive."),
            ]
        case "archived":
            return [
                _("Nobody had looked at this match for 30 days: it is archived now, and asks nothing of you."),
                _('Any of its players can go on at any time: with a turn, or by replying "reopen".'),
            ]
        case "reopened":
            assert payload.by is not None
            name = mail.material.names[payload.by]
            return [_("{name} has reopened the match: it goes on where it was.").format(name=name)]


def _whose(payload: payloads.OfferMade | payloads.OfferSettled, names: tuple[str, ...]) -> str:
    seat = payload.for_seat
    return "" if seat is None else names[seat]
