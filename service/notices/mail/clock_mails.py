"""The mails about clocks: ``time_up``, ``days_off_began`` and ``reminder``."""

from __future__ import annotations

from typing import Any

from service.clocks.sentences import moment_words
from service.notices.mail.errors import CannotCompose
from service.notices.mail.match_mail import MatchMail
from service.notices.mail.turn import moves_shown
from service.payloads import DaysOffBegan, Reminded, TimeUp
from service.texts import gettext as _
from service.texts import ngettext


def time_up(mail: MatchMail, payload: TimeUp) -> dict[str, Any]:
    """The values of the mail that says what followed from time that was up."""
    when = moment_words(payload.due_at, mail.material.zone)
    up = _("Your time was up on {moment}, {name}, and your reserve is used up.").format(
        moment=when, name=mail.reader.name
    )
    return {"lines": [up, *_follows(payload.step)], "own": True, "moves": None}


def days_off_began(mail: MatchMail, payload: DaysOffBegan) -> dict[str, Any]:
    """The values of the mail that says that days off began by themselves."""
    zone = mail.material.zone
    lines = [
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
    moves = moves_shown(mail.scene.moves, mail.material.game.info.notation) if mail.is_awaited else None
    return {"lines": lines, "own": True, "moves": moves}


def reminder(mail: MatchMail, payload: Reminded) -> dict[str, Any]:
    """The values of a reminder, which names all matches that are due within the hour."""
    if not mail.is_awaited:
        raise CannotCompose(f"Seat {mail.seat} is not awaited any more.")
    lines = [
        _("{title} waits for you, {name}.").format(title=mail.material.title or _("A match"), name=mail.reader.name)
    ]
    for each in payload.also:
        until = moment_words(each.until, mail.material.zone)
        lines.append(_("{title} waits for you, too, until {moment}.").format(title=each.title, moment=until))
    lines += mail.material.rule[-1:]
    moves = moves_shown(mail.scene.moves, mail.material.game.info.notation)
    return {"lines": lines, "own": True, "moves": moves}


def _follows(step: str) -> list[str]:
    return {
        "time_up_bot_turn": [_("A bot played this turn for you. Your next one is yours again.")],
        "time_up_bot_hold": [
            _("A bot played for you, for the second time in a row. It holds your seat until you are back."),
            _('Reply with "back" to take your seat back at any time; your clock neither gains nor loses by it.'),
        ],
        "time_up_bot_seat": [_("As this match was declared, a bot has taken your seat for good.")],
        "time_up_resign": [_("As this match was declared, your seat has resigned.")],
    }[step]
