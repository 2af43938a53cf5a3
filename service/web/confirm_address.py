"""Confirmation of another address of a player in a browser: the link in the mail opens a page with
a button, which confirms. It signs nobody in: whoever reads the mail may be somebody else.
"""

from __future__ import annotations

from flask import Blueprint, Response, request

from service.api.problems import kind_of
from service.api.requests import context
from service.errors import ServiceError
from service.players import own_addresses
from service.web import forms

LONGEST_TOKEN = 200


def add_pages(web: Blueprint) -> None:
    """Adds `/confirm-address`."""

    def ask_confirm_address() -> Response:
        return _page(request.args.get("token", "")[:LONGEST_TOKEN])

    def confirm_address() -> Response:
        token = request.form.get("token", "")[:LONGEST_TOKEN]
        if not forms.is_from_our_page():
            return _page(token, 403, forms.another_browser())
        try:
            player, address = own_addresses.confirm(context(), token)
        except ServiceError as error:
            return _page("", kind_of(error).status, str(error))
        return _shown(200, player=player, address=address, done=True)

    web.add_url_rule("/confirm-address", "ask_confirm_address", ask_confirm_address)
    web.add_url_rule("/confirm-address", "confirm_address", confirm_address, methods=["POST"])


def _page(token: str, status: int = 200, problem: str = "") -> Response:
    """The page with the button for the code, and with whose address it is; where there is none or
    it cannot be used, with a field for one.
    """
    if not token:
        return _shown(status, problem=problem)
    try:
        player, address = own_addresses.to_confirm(context(), token)
    except ServiceError as error:
        return _shown(status if problem else kind_of(error).status, problem=problem or str(error))
    return _shown(status, token=token, player=player, address=address, problem=problem)


def _shown(status: int, **values: object) -> Response:
    known = {"token": "", "player": None, "address": None, "problem": "", "done": False}
    return forms.page("confirm_address.html", status, **(known | values))
