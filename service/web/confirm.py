"""Confirmation of an address in a browser: the link in the mail opens a page with a button, which
confirms. Opening the link changes nothing, because programs that scan mails open links too.
"""

from __future__ import annotations

from flask import Blueprint, make_response, render_template, request
from flask.typing import ResponseReturnValue

from service.api.current import context
from service.api.problems import kind_of
from service.errors import ServiceError
from service.players import accounts


def add_pages(web: Blueprint) -> None:
    """Adds `/confirm`."""

    def ask() -> ResponseReturnValue:
        return _uncached(render_template("confirm.html", token=request.args.get("token", "")[:200]))

    def confirm() -> ResponseReturnValue:
        try:
            player, token = accounts.confirm(context(), request.form.get("token", "")[:200])
        except ServiceError as error:
            return _uncached(render_template("confirm.html", token="", problem=str(error)), kind_of(error).status)
        return _uncached(render_template("confirmed.html", player=player, token=token))

    web.add_url_rule("/confirm", "ask_confirmation", ask)
    web.add_url_rule("/confirm", "confirm", confirm, methods=["POST"])


def _uncached(page: str, status: int = 200) -> ResponseReturnValue:
    """A response with a secret in it, which must not be cached."""
    response = make_response(page, status)
    response.headers["Cache-Control"] = "no-store"
    return response
