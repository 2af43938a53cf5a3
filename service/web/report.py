"""The page on which a player reports something to the host of the service: a line of a chat, an
invitation or a name. It shows the thing as it reads now, and the button reports it.
"""

from __future__ import annotations

import re
from typing import Final

from flask import Blueprint, Response, request

from service.api.auth import visitor
from service.api.problems import ProblemDetails
from service.api.requests import context
from service.errors import ServiceError
from service.ids import ID_PATTERN
from service.matches import reporting
from service.matches.reporting import LONGEST_WORDS, Reported, ReportedInvitation, ReportedLine, ReportedName
from service.store.players import Player
from service.texts import gettext as _
from service.web import forms, sign_in
from service.web.forms import NOTHING_FILLED, Filled

FORM: Final = "report"
FIELDS: Final = ("match", "number", "player")


def add_pages(web: Blueprint) -> None:
    """Adds `/report`."""

    def ask() -> Response:
        player = _account()
        return sign_in.asked_first() if player is None else _page(player, _thing())

    def send() -> Response:
        player, thing = _account(), _thing()
        if player is None:
            return sign_in.asked_first()
        if not forms.is_from_our_page():
            return _page(player, thing, forms.from_elsewhere(FORM))
        try:
            reporting.report(context(), player, thing, request.form.get("words", "")[: forms.LONGEST_FIELD])
        except ServiceError as error:
            return _page(player, thing, forms.filled(FORM, error))
        return _page(player, thing, done=True)

    web.add_url_rule("/report", "ask_report", ask)
    web.add_url_rule("/report", "report", send, methods=["POST"])


def _account() -> Player | None:
    player = visitor()
    return player if player is not None and not player.is_guest else None


def _thing() -> Reported:
    """What is reported, by the fields of the address or the form. Raises ``ProblemDetails``."""
    match, number, player = (request.values.get(name, "") for name in FIELDS)
    if re.fullmatch(ID_PATTERN, match) and not player:
        if not number:
            return ReportedInvitation(match)
        if re.fullmatch(r"[1-9][0-9]{0,8}", number, re.ASCII):
            return ReportedLine(match, int(number))
    if re.fullmatch(ID_PATTERN, player) and not match and not number:
        return ReportedName(player)
    raise ProblemDetails("not_found", _("This address names nothing that can be reported."))


def _page(player: Player, thing: Reported, filled: Filled = NOTHING_FILLED, done: bool = False) -> Response:
    """The page with the thing. Raises ``ServiceError`` where the player may not see it."""
    about, read = reporting.seen(context(), player, thing)
    fields = [(name, request.values[name]) for name in FIELDS if request.values.get(name)]
    back = None if isinstance(thing, ReportedName) else thing.match_id
    return forms.page(
        "report.html",
        filled.status,
        about=about,
        read=read,
        fields=fields,
        back=back,
        filled=filled,
        done=done,
        form=FORM,
        longest=LONGEST_WORDS,
    )
