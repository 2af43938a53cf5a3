"""The player who is signed in in this browser, by a cookie."""

from __future__ import annotations

from typing import Final

from flask import Response, g

from service.api.requests import context
from service.players import browsers
from service.players.types import Player
from service.store import addresses
from service.store.addresses import PlayerAddress
from service.web import forms

COOKIE: Final = "overland-browser"


def visitor() -> Player | None:
    """The player who is signed in, looked up once for a request; ``None`` for anybody else."""
    if "visitor" not in g:
        secret = forms.cookie(COOKIE)
        g.visitor = browsers.signed_in(context(), secret) if secret else None
    found: Player | None = g.visitor
    return found


def returned() -> PlayerAddress | None:
    """The visitor's address that mails go to, where these come back for good."""
    player = visitor()
    if player is None:
        return None
    with context().database.read() as connection:
        primary, *_ = addresses.of_player(connection, player)
    return primary if primary.bounced_at is not None else None


def sign_in(response: Response, player: Player) -> Response:
    """The response that signs the player in; whoever was signed in before is signed out."""
    before = forms.cookie(COOKIE)
    if before:
        browsers.sign_out(context(), before)
    secret = browsers.sign_in(context(), player)
    forms.set_cookie(response, COOKIE, secret, int(browsers.SIGNED_IN_FOR.total_seconds()))
    return response


def sign_out(response: Response) -> Response:
    """The response that signs out."""
    browsers.sign_out(context(), forms.cookie(COOKIE))
    forms.delete_cookie(response, COOKIE)
    return response
