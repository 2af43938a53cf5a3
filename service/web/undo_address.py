"""Undoes a change of a player's addresses in a browser: the link in the mail to the address before
opens a page with a button, which undoes it. It signs nobody in.
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
    """Adds `/undo-address`."""

    def ask_undo_address() -> Response:
        return _page(request.args.get("token", "")[:LONGEST_TOKEN])

    def undo_address() -> Response:
        token = request.form.get("token", "")[:LONGEST_TOKEN]
        if not forms.is_from_our_page():
            return _page(token, 403, forms.another_browser())
        try:
            player, address = own_addresses.undo(context(), token)
        except ServiceError as error:
            return _shown(kind_of(error).status, problem=str(error))
        return _shown(200, player=player, address=address, done=True)

    web.add_url_rule("/undo-address", "ask_undo_address", ask_undo_address)
    web.add_url_rule("/undo-address", "undo_address", undo_address, methods=["POST"])


def _page(token: str, status: int = 200, problem: str = "") -> Response:
    """The page with the button for the token, and with what it gives back."""
    try:
        player, address = own_addresses.to_undo(context(), token)
    except ServiceError as error:
        return _shown(kind_of(error).status, problem=problem or str(error))
    return _shown(status, token=token, player=player, address=address, problem=problem)


def _shown(status: int, **values: object) -> Response:
    known = {"token": "", "player": None, "address": "", "problem": "", "done": False}
    return forms.page("undo_address.html", status, **(known | values))
