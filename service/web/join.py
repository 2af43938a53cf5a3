"""The page of a join link: what it leads to, and the form that takes a seat. Whoever is not signed
in signs up, or in, on the way: the mail's link leads back here.

The path has the secret. So nothing here loads from elsewhere, no page is told where its visitor
comes from (``Referrer-Policy``), and logs have the path without it
(``service.api.requests.told_path``).
"""

from __future__ import annotations

from typing import Any, Final

from flask import Blueprint, Response, request

from engine import registry
from service.addresses import folded, read_email
from service.api.auth import visitor
from service.api.limits import limit_mails_to
from service.api.problems import kind_of
from service.api.requests import context
from service.errors import Forbidden, ServiceError
from service.matches import lobby
from service.players import accounts
from service.players.profiles import profile_words
from service.store.players import Player
from service.texts import gettext as _
from service.views.board import board_svg
from service.views.joining import Joining, joining, match_of_link
from service.web import forms
from service.web.games import first_picture
from service.web.pictures import layout_asked, picture

LONGEST_FIELD: Final = 300


def add_pages(web: Blueprint) -> None:
    """Adds `/join/{secret}`."""

    def show(secret: str) -> Response:
        return _page(secret)

    def take(secret: str) -> Response:
        player = visitor()
        if player is None:
            return _page(secret, 401, _("You are not signed in here, or no longer. Sign in below."))
        if not forms.is_from_our_page():
            return _page(secret, 403, forms.another_browser())
        match = match_of_link(context(), secret)
        try:
            lobby.join(context(), player, match.id, link=secret)
        except ServiceError as error:
            return _page(secret, kind_of(error).status, str(error))
        return forms.to_page("match", match=match.id)

    def sign_up(secret: str) -> Response:
        match_of_link(context(), secret)
        if not forms.is_from_our_page():
            return _page(secret, 403, forms.another_browser())
        name, email = (request.form.get(field, "")[:LONGEST_FIELD] for field in ("name", "email"))
        try:
            limit_mails_to(folded(read_email(email)))
            accounts.sign_up(context(), name, email, join_secret=secret, guest=visitor())
        except ServiceError as error:
            return _page(secret, kind_of(error).status, str(error), name, email)
        return forms.page("mailed.html", email=email)

    def replace(secret: str) -> Response:
        player = visitor()
        if player is None or not forms.is_from_our_page():
            return _page(secret, 403, forms.another_browser())
        try:
            match = lobby.renew_link(context(), player, secret)
        except Forbidden as error:
            return _page(secret, 403, str(error))
        return forms.to_page("match", match=match.id)

    def board(secret: str) -> Response:
        svg = board_svg(context(), None, match_of_link(context(), secret).id, layout_asked(), link=secret)
        return forms.uncached(picture(svg))

    web.add_url_rule("/join/<id:secret>", "join", show)
    web.add_url_rule("/join/<id:secret>", "take_seat", take, methods=["POST"])
    web.add_url_rule("/join/<id:secret>/replace", "replace_join_link", replace, methods=["POST"])
    web.add_url_rule("/join/<id:secret>/sign-up", "sign_up_to_join", sign_up, methods=["POST"])
    web.add_url_rule("/join/<id:secret>/board.svg", "board_of_link", board)


def _page(secret: str, status: int = 200, problem: str = "", name: str = "", email: str = "") -> Response:
    player = visitor()
    values = shown(joining(context(), player, secret), player)
    return forms.page("join.html", status, secret=secret, problem=problem, typed=(name, email), **values)


def shown(found: Joining, player: Player | None) -> dict[str, Any]:
    """The values of the page that say what one would play."""
    game = registry.games().get(found.match.game)
    return {
        "found": found,
        "match": found.match,
        "title": found.match.title,
        "info": None if game is None else game.info,
        "picture": None if game is None else first_picture(found.match.game),
        "players": [profile_words(each) for each in found.players],
        "host": "" if found.host is None else profile_words(found.host),
        "player": player,
        "is_seated": player is not None and any(seat.player_id == player.id for seat in found.match.seats),
        "is_free": _is_free(found),
    }


def _is_free(found: Joining) -> bool:
    """Whether somebody may take a seat, if only who is invited."""
    return found.match.status == "open" and any(seat.player_id is None for seat in found.match.seats)
