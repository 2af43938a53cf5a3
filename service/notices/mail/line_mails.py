"""The mails that say in a few lines what has happened besides turns, with the board below: what
follows from time, what players offer each other, and what becomes of a match that nobody visits.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from engine.record import StepKind
from engine.wording import listed
from service.clocks.sentences import moment_words
from service.notices.mail.match_mails import MatchMail, check_awaited
from service.offers.sentences import (
    accepted_words,
    agreed_words,
    declined_words,
    how_to_answer,
    offer_words,
    rule_words,
)
from service.payloads import DaysOffBegan, OfferMade, OfferSettled, Reminded, Shelved, TimeUp
from service.texts import gettext as _
from service.texts import ngettext

LinesPayload: TypeAlias = TimeUp | DaysOffBegan | Reminded | OfferMade | OfferSettled | Shelved


def lines(mail: MatchMail, payload: LinesPayload) -> dict[str, Any]:
    """The values of such a mail; ``own``: it is about the reader's own time. Raises
    ``CannotCompose``.
    """
    return {
        "lines": _lines(mail, payload),
        "own": isinstance(payload, TimeUp | DaysOffBegan | Reminded),
        **({"moves": None} if isinstance(payload, TimeUp) else {}),
    }


def _lines(mail: MatchMail, payload: LinesPayload) -> list[str]:
    match payload:
        case TimeUp():
            return _time_up(mail, payload)
        case DaysOffBegan():
            return _days_off_began(mail, payload)
        case Reminded():
            return _reminder(mail, payload)
        case OfferMade():
            return _offer_made(mail, payload)
        case OfferSettled():
            return _offer_settled(mail, payload)
        case Shelved():
            return _archive(mail, payload)


def _time_up(mail: MatchMail, payload: TimeUp) -> list[str]:
    when = moment_words(payload.due_at, mail.material.zone)
    up = _("Your time was up on {moment}, {name}, and your reserve is used up.").format(
        moment=when, name=mail.reader.name
    )
    return [up, *_follows(payload.step)]


def _days_off_began(mail: MatchMail, payload: DaysOffBegan) -> list[str]:
    zone = mail.material.zone
    return [
        _(
            "Your time would have been up on {moment}, {name}. As you asked for, you have two days off since then."
        ).format(moment=moment_words(payload.due_at, zone), name=mail.reader.name),
        ngettext(
            "Until {moment} your clocks stand still in all matches that allow it. You have {left} more day off.",
            "Until {moment} your clocks stand still in all matches that allow it. You have {left} more days off.",
            payload.left,
        ).format(moment=moment_words(payload.until, zone), left=payload.left),
        _('You may move all the same. Reply with "back" to end your days off.'),
    ]


def _reminder(mail: MatchMail, payload: Reminded) -> list[str]:
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


def _offer_made(mail: MatchMail, payload: OfferMade) -> list[str]:
    """Says what somebody offers, and what follows from silence; the second mail about a match that
    is to end as abandoned says so.
    """
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


def _offer_settled(mail: MatchMail, payload: OfferSettled) -> list[str]:
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


def _archive(mail: MatchMail, payload: Shelved) -> list[str]:
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


def _whose(payload: OfferMade | OfferSettled, names: tuple[str, ...]) -> str:
    seat = payload.for_seat
    return "" if seat is None else names[seat]
