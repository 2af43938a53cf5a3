"""Confirmation of an address in a browser: the link in the mail opens a page with a button, which
confirms, and signs the browser in (``service.web.forms``).

Whoever was sent the link of somebody else reads on the page whose it is.
"""

from __future__ import annotations

from flask import Blueprint, Response, make_response, render_template, request

from service.api.limits import seconds_left
from service.api.problems import kind_of
from service.api.requests import context
from service.errors import ServiceError
from service.players import accounts
from service.web import browser, forms

LONGEST_TOKEN = 200


def add_pages(web: Blueprint) -> None:
    """Adds `/confirm`."""

    def ask_confirmation() -> Response:
        return _page(request.args.get("token", "")[:LONGEST_TOKEN])

    def confirm() -> Response:
        token = request.form.get("token", "")[:LONGEST_TOKEN]
        if not forms.is_from_our_page():
            return _page(token, 403, forms.another_browser())
        maintenance = context().maintenance()
        if maintenance is not None:
            refused = _page(token, 503, maintenance.sentence)
            refused.headers["Retry-After"] = str(seconds_left(maintenance))
            return refused
        try:
            player, secret = accounts.confirm(context(), token)
        except ServiceError as error:
            return _page("", kind_of(error).status, str(error))
        answer = make_response(render_template("confirmed.html", player=player, token=secret))
        return forms.uncached(browser.sign_in(answer, player))

    web.add_url_rule("/confirm", "ask_confirmation", ask_confirmation)
    web.add_url_rule("/confirm", "confirm", confirm, methods=["POST"])


def _page(token: str, status: int = 200, problem: str = "") -> Response:
    """The page with the button for the token, and with whose it is; where there is none or it
    cannot be used, with a field for one.
    """
    player = None
    if token:
        try:
            player = accounts.to_confirm(context(), token)
        except ServiceError as error:
            status, problem = (status, problem) if problem else (kind_of(error).status, str(error))
    return forms.page("confirm.html", status, token=token, player=player, problem=problem)
