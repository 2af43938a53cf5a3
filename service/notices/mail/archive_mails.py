"""The mails about the archive of matches: ``archive``."""

from __future__ import annotations

from typing import Any

from service.clocks.sentences import moment_words
from service.notices.mail.match_mail import MatchMail
from service.notices.mail.turn import moves_shown
from service.payloads import Shelved
from service.texts import gettext as _


def archive(mail: MatchMail, payload: Shelved) -> dict[str, Any]:
    """The values of the mail that says that a match will be archived, or is, or is reopened."""
    moves = moves_shown(mail.scene.moves, mail.material.game.info.notation) if mail.is_awaited else None
    return {"lines": _lines(mail, payload), "own": False, "moves": moves}


def _lines(mail: MatchMail, payload: Shelved) -> list[str]:
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
