"""The pages behind the links in mails that stop mails: opening one shows what it stops, and its
button stops it. So does the one-click request of a mail program (RFC 8058), which is a POST to the
same address without cookies: the signature in the address is the authority, for the button too.
"""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, make_response, render_template, request

from service import links, signing
from service.api.problems import kind_of
from service.api.requests import context
from service.errors import ServiceError
from service.kinds import MAILINGS
from service.links import Unsubscribe
from service.players import stopping
from service.players.stopping import Stoppable
from service.texts import gettext as _
from service.web.forms import uncached

LONGEST_FIELD: Final = 320
ONE_CLICK: Final = ("List-Unsubscribe", "One-Click")
"""The body of the request (RFC 8058, section 3.2)."""


def add_pages(web: Blueprint) -> None:
    """Adds `/unsubscribe` and `/never-again`."""

    def unsubscribe() -> Response:
        wanted = _wanted()
        if wanted is None:
            return _unsigned("unsubscribe.html")
        try:
            if request.method == "POST":
                found = stopping.stop(context(), wanted, one_click=request.form.get(ONE_CLICK[0]) == ONE_CLICK[1])
            else:
                found = stopping.stoppable(context(), wanted)
        except ServiceError as error:
            return _page("unsubscribe.html", kind_of(error).status, problem=str(error))
        return _page("unsubscribe.html", found=found, kind=named(found))

    def never_again() -> Response:
        address = _silenced()
        if address is None:
            return _unsigned("never_again.html")
        pressed = request.method == "POST"
        if pressed:
            stopping.silence(context(), address)
        return _page("never_again.html", address=address, done=pressed or stopping.is_silent(context(), address))

    web.add_url_rule("/unsubscribe", "ask_unsubscribe", unsubscribe)
    web.add_url_rule("/unsubscribe", "unsubscribe", unsubscribe, methods=["POST"])
    web.add_url_rule("/never-again", "ask_never_again", never_again)
    web.add_url_rule("/never-again", "never_again", never_again, methods=["POST"])


def _wanted() -> Unsubscribe | None:
    """What the link of this request stops; ``None`` unless the service signed it."""
    return links.read_unsubscribe(signing.keys_of(context()), _field("player"), _field("what"), _field("signature"))


def _silenced() -> str | None:
    """The address that the link of this request is for; ``None`` unless the service signed it."""
    address = _field("address")
    return address if links.read_never_again(signing.keys_of(context()), address, _field("signature")) else None


def _field(name: str) -> str:
    return request.args.get(name, "")[:LONGEST_FIELD]


def _unsigned(template: str) -> Response:
    return _page(template, 404, problem=_("This link is not one of ours. Copy all of it from the mail."))


def named(found: Stoppable) -> str:
    """The kind of mails that is stopped, in words; nothing where it is no kind alone."""
    called = None if found.kind is None else MAILINGS[found.kind].called
    return "" if called is None else called()


def _page(template: str, status: int = 200, problem: str = "", **values: object) -> Response:
    # The form is sent to the address of this page, whose fields are signed.
    values = {"found": None, "address": "", "done": False, "kind": ""} | values
    action = request.full_path.rstrip("?")
    return uncached(make_response(render_template(template, problem=problem, action=action, **values), status))
