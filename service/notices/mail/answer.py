"""The mails that answer mails: ``answer``, and ``unproven_turn`` about one that nobody proved to
have written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from engine import registry
from service.notices.mail.errors import CannotCompose
from service.notices.mail.match_mail import MatchMail, awaited, board_shown
from service.notices.mail.turn import moves_shown
from service.texts import gettext as _

_PICTURE: Final = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
"""A picture in Markdown, of which a text has the description only."""
NOTHING: Final[Mapping[str, Any]] = {"told": (), "awaited": "", "moves": None, "board": None}
"""The values of an answer that shows no match."""


def words() -> tuple[tuple[str, str], ...]:
    """The words that a mail can say, with what each does."""
    return (
        (_("a number, or a line of notation"), _("plays it; several lines are one turn")),
        ("moves", _("lists your legal moves")),
        ("board", _("shows the board")),
        ("preview ...", _("says what a turn would do, and plays nothing")),
        ("say ...", _("tells the others something with their next mails")),
        ("repeat", _("sends the last mail again")),
        (
            "away 3 days",
            _("stops your clocks in all matches; also: away until, or from a day like 2026-12-23 for 5 days"),
        ),
        ("back", _("ends your days off, or takes your seat back from the bot that holds it")),
        ("pause 7 days, extend", _("offers the others a pause, or a day more; resume ends a pause")),
        (
            "offer draw, end match, call off",
            _("offers that the match ends: as a draw, with the standing, or for nothing"),
        ),
        ("hand over to carl@example.org", _("asks somebody to take your seat, and the others whether they may")),
        ("reopen", _("takes a match out of the archive, as a turn does")),
        ("accept, decline", _("answer such an offer")),
        ("resign", _("gives the match up, after asking you back")),
        ("settings", _("shows what you are mailed and when, and how to change it")),
        ("list", _("lists your matches, first those that wait for you")),
        ("new ...", _("starts a match: new, a game, a clock such as brisk, and the addresses of whom you invite")),
        ("rules ...", _("sends the rules of a game")),
        ("yes, no", _("answer an invitation, or what you were asked back")),
        ("end", _("ends your mail: nothing below is read")),
    )


def answer(payload: Mapping[str, Any]) -> dict[str, Any]:
    """The values that every answer has. Raises ``CannotCompose``."""
    if not payload.get("headline"):
        raise CannotCompose("The notice says nothing.")
    game = payload.get("rules")
    return {
        "headline": payload["headline"],
        "says": tuple(payload.get("says", ())),
        "lines": tuple(payload.get("lines", ())),
        "shows": tuple(payload.get("shows", ())),
        "words": words(),
        "rules": "" if game is None else _PICTURE.sub(r"(\1)", registry.rules_text(game)).strip(),
    }


def answer_about_match(mail: MatchMail, payload: Mapping[str, Any], pictured: bool) -> dict[str, Any]:
    """What an answer shows of a match: what happened since a ply, who is awaited, the moves, the
    board, as far as the payload asks for it.
    """
    shows = payload.get("shows", ())
    listed = "moves" in shows and mail.is_awaited
    return {
        "told": mail.scene.told if payload.get("since") is not None else (),
        "awaited": awaited(mail.material, mail.scene, mail.seat) if "moves" in shows or "board" in shows else "",
        "moves": moves_shown(mail.scene.moves, mail.material.game.info.notation) if listed else None,
        "board": board_shown(mail.material, mail.scene, pictured) if "board" in shows else None,
    }


def unproven_turn(payload: Mapping[str, Any], base_url: str) -> dict[str, Any]:
    """The values of a mail about an order that was held. Raises ``CannotCompose``."""
    if not payload.get("order"):
        raise CannotCompose("The notice names no order.")
    headlines = {
        "turn": _("Did you send this turn?"),
        "resign": _("Did you want to resign?"),
        "accept": _("Did you accept this invitation?"),
        "decline": _("Did you decline this invitation?"),
    }
    return {
        "headline": headlines[payload["what"]],
        "why": _(
            "A mail in your name has come. Nobody could tell that it is from you: it was not signed by the"
            " domain of its sender, so nothing was done."
        ),
        "lines": tuple(payload.get("lines", ())),
        "page": f"{base_url.rstrip('/')}/orders/{payload['order']}",
    }
