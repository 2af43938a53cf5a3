"""The page on which a player reports a line of a chat, an invitation or a name, as it reads now."""

from __future__ import annotations

import re
from typing import Final

from flask import Blueprint, Response, request

from service.api.problems import ProblemDetails
from service.api.requests import context
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

    def send() -> Response:
        thing, player = _thing(), sign_in.account()
        words = request.form.get("words", "")[: forms.LONGEST_FIELD]
        done = forms.done(FORM, lambda: reporting.report(context(), player, thing, words))
        return _page(player, thing, done) if isinstance(done, Filled) else _page(player, thing, done=True)

    web.add_url_rule("/report", "ask_report", lambda: _page(sign_in.account(), _thing()))
    web.add_url_rule("/report", "report", send, methods=["POST"])


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
