"""The mails that answer mails: ``answer``, and ``unproven_turn`` about one that nobody proved to
have written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from engine import registry
from service.mail_words import WORDS
from service.notices.mail.match_mail import MatchMail, awaited, board_shown
from service.notices.mail.turn import moves_shown
from service.payloads import MailAnswered, OrderHeld
from service.texts import gettext as _

_PICTURE: Final = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
"""A picture in Markdown, of which a text has the description only."""
NOTHING: Final[Mapping[str, Any]] = {"told": (), "awaited": "", "moves": None, "board": None}
"""The values of an answer that shows no match."""


def words() -> tuple[tuple[str, str], ...]:
    """What a mail can say, with what it does."""
    return (
        (_("a number, or a line of notation"), _("plays it; several lines are one turn")),
        *((", ".join(word.written), word.does()) for word in WORDS),
    )


def answer(payload: MailAnswered) -> dict[str, Any]:
    """The values that every answer has."""
    return {
        "headline": payload.headline,
        "says": payload.says,
        "lines": payload.lines,
        "shows": payload.shows,
        "words": words(),
        "rules": "" if payload.rules is None else _PICTURE.sub(r"(\1)", registry.rules_text(payload.rules)).strip(),
    }


def answer_about_match(mail: MatchMail, payload: MailAnswered, pictured: bool) -> dict[str, Any]:
    """What an answer shows of a match: what happened since a ply, who is awaited, the moves, the
    board, as far as the payload asks for it.
    """
    shows = payload.shows
    listed = "moves" in shows and mail.is_awaited
    return {
        "told": mail.scene.told if payload.since is not None else (),
        "awaited": awaited(mail.material, mail.scene, mail.seat) if "moves" in shows or "board" in shows else "",
        "moves": moves_shown(mail.scene.moves, mail.material.game.info.notation) if listed else None,
        "board": board_shown(mail.material, mail.scene, pictured) if "board" in shows else None,
    }


def unproven_turn(payload: OrderHeld, base_url: str) -> dict[str, Any]:
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
