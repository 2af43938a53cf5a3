"""The mails about clocks: ``time_up``, ``excuse_used`` and ``absence_began``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.clocks.sentences import moment_words
from service.notices.mail.errors import CannotCompose
from service.notices.mail.match_mail import MatchMail
from service.notices.mail.turn import moves_shown
from service.texts import gettext as _


def time_up(mail: MatchMail, payload: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the mail that says what followed from time that was up: to whom it happened, or
    to those who may ask for what follows.
    """
    about, names = payload.get("about", mail.seat), mail.material.names
    when = moment_words(payload["due_at"], mail.material.zone)
    if about != mail.seat:
        lines = [
            _("The time of {name} was up on {moment}.").format(name=names[about], moment=when),
            _(
                "In this match the others decide what follows. {name} may still play; or ask on the page of the match"
                " for a bot to play this turn, for a bot to take the seat, or for the seat to resign."
            ).format(name=names[about]),
        ]
    else:
        lines = _own(payload["step"], mail.reader.name, when)
    return {"lines": lines, "own": about == mail.seat, "moves": None}


def excuse_used(mail: MatchMail, payload: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the mail that says that an excuse was used."""
    when = moment_words(payload["due_at"], mail.material.zone)
    lines = [
        _("Your time was up on {moment}, {name}. One of your excuses was used, and your clock runs on.").format(
            moment=when, name=mail.reader.name
        )
    ]
    moves = moves_shown(mail.scene.moves, mail.material.game.info.notation) if mail.is_awaited else None
    return {"lines": lines, "own": True, "moves": moves}


def absence_began(mail: MatchMail, payload: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the mail that says that an absence began by itself."""
    zone = mail.material.zone
    lines = [
        _("Your time would have been up on {moment}, {name}. As you asked for, you are absent since then.").format(
            moment=moment_words(payload["due_at"], zone), name=mail.reader.name
        ),
        _(
            "Until {moment} your clocks stand still in all matches that allow it. It has taken {days} days of your"
            " bank; {bank} are left."
        ).format(moment=moment_words(payload["until"], zone), days=payload["days"], bank=payload["bank"]),
        _('You may move all the same. Reply with "back" to end your absence.'),
    ]
    moves = moves_shown(mail.scene.moves, mail.material.game.info.notation) if mail.is_awaited else None
    return {"lines": lines, "own": True, "moves": moves}


def reminder(mail: MatchMail, payload: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a reminder, which names all matches that are due within the hour."""
    if not mail.is_awaited:
        raise CannotCompose(f"Seat {mail.seat} is not awaited any more.")
    lines = [
        _("{title} waits for you, {name}.").format(title=mail.material.title or _("A match"), name=mail.reader.name)
    ]
    for each in payload.get("also", ()):
        until = moment_words(each["due_at"], mail.material.zone)
        lines.append(_("{title} waits for you, too, until {moment}.").format(title=each["title"], moment=until))
    if mail.material.policy:
        lines.append(mail.material.policy)
    moves = moves_shown(mail.scene.moves, mail.material.game.info.notation)
    return {"lines": lines, "own": True, "moves": moves}


def _own(step: str, name: str, when: str) -> list[str]:
    up = _("Your time was up on {moment}, {name}, and you had no excuse left.").format(moment=when, name=name)
    follows = {
        "time_up_bot_turn": [_("A bot played this turn for you. Your next one is yours again.")],
        "time_up_bot_hold": [
            _("A bot played for you, for the second time in a row. It holds your seat until you are back."),
            _('Reply with "back" to take your seat back at any time; your clock neither gains nor loses by it.'),
        ],
        "time_up_bot_seat": [_("As this match was declared, a bot has taken your seat for good.")],
        "time_up_resign": [_("As this match was declared, your seat has resigned.")],
        "time_up_ask": [
            _("You can still play, until the others ask for a bot to play, or for your seat to resign."),
        ],
    }[step]
    return [up, *follows]
