"""The page before a seat: what one would play, with whom and how fast, and the form that takes the
seat. A join link leads to it, and so do the open seats that everybody finds. Whoever is not signed
in signs up, or in, on the way: the mail's link leads back here.

The path of a join link has the secret. So nothing here loads from elsewhere, no page is told where
its visitor comes from (``Referrer-Policy``), and logs have the path without it
(``service.api.requests.told_path``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from flask import Blueprint, Response, request, url_for

from engine import registry
from service.addresses import folded, read_email
from service.api.auth import visitor
from service.api.limits import limit_mails_to
from service.api.requests import context
from service.matches import lobby
from service.players import accounts
from service.players.profiles import profile_words
from service.store.matches import StoredMatch
from service.store.players import Player
from service.texts import gettext as _
from service.views.joining import Joining, joining, match_of_link, match_shown
from service.views.match import board_svg
from service.web import forms, sign_in
from service.web.forms import NOTHING_FILLED, Filled
from service.web.games import first_picture
from service.web.pictures import layout_asked, picture

LONGEST_FIELD: Final = 300
FORM: Final = "join"


@dataclass(frozen=True, slots=True)
class Way:
    """The match of a page, and the secret of the join link by which its visitor has come; ``None``
    where they have found the open seat.
    """

    match: StoredMatch
    link: str | None

    @property
    def take(self) -> str:
        """Where the form that takes the seat is sent."""
        if self.link is None:
            return url_for("web.take_open_seat", match=self.match.id)
        return url_for("web.take_seat", secret=self.link)

    @property
    def sign_up(self) -> str:
        """Where the form that signs up on the way is sent."""
        if self.link is None:
            return url_for("web.sign_up_to_open_seat", match=self.match.id)
        return url_for("web.sign_up_to_join", secret=self.link)


def add_pages(web: Blueprint) -> None:
    """Adds `/join/{secret}`, and `/matches/{match}/join` for an open seat that everybody finds."""

    def show(**where: str) -> Response:
        way = _way(**where)
        is_over = way.link is None and way.match.status != "open"
        return forms.to_page("match", match=way.match.id) if is_over else _page(way)

    def take(**where: str) -> Response:
        way, player = _way(**where), visitor()
        if player is None:
            sentence = _("You are not signed in here, or no longer. Sign in below.")
            return _page(way, Filled(FORM, problems={"": sentence}, status=401))
        done = forms.done(FORM, lambda: lobby.join(context(), player, way.match.id, link=way.link))
        return _page(way, done) if isinstance(done, Filled) else forms.to_page("match", match=way.match.id)

    def sign_up(**where: str) -> Response:
        """Mails a link that leads back to the page, by the secret of the match."""
        way, guest = _way(**where), sign_in.guest()
        name, email = (request.form.get(field, "")[:LONGEST_FIELD] for field in ("name", "email"))

        def mail() -> None:
            limit_mails_to(folded(read_email(email)))
            accounts.sign_up(context(), name, email, join_secret=way.match.join_secret, guest=guest)

        refused = forms.done(FORM, mail)
        return forms.page("mailed.html", email=email, guest=guest) if refused is None else _page(way, refused)

    def replace(secret: str) -> Response:
        player, found = visitor(), _way(secret)
        if player is None:
            return _page(found, forms.from_elsewhere(FORM))
        done = forms.done(FORM, lambda: lobby.renew_link(context(), player, secret))
        return _page(found, done) if isinstance(done, Filled) else forms.to_page("match", match=done.id)

    def board(secret: str) -> Response:
        svg = board_svg(context(), None, match_of_link(context(), secret).id, layout_asked(), link=secret)
        return forms.uncached(picture(svg))

    web.add_url_rule("/join/<id:secret>", "join", show)
    web.add_url_rule("/join/<id:secret>", "take_seat", take, methods=["POST"])
    web.add_url_rule("/join/<id:secret>/replace", "replace_join_link", replace, methods=["POST"])
    web.add_url_rule("/join/<id:secret>/sign-up", "sign_up_to_join", sign_up, methods=["POST"])
    web.add_url_rule("/join/<id:secret>/board.svg", "board_of_link", board)
    web.add_url_rule("/matches/<id:match>/join", "open_seat", show)
    web.add_url_rule("/matches/<id:match>/join", "take_open_seat", take, methods=["POST"])
    web.add_url_rule("/matches/<id:match>/join/sign-up", "sign_up_to_open_seat", sign_up, methods=["POST"])


def _way(secret: str | None = None, match: str = "") -> Way:
    """That of a join link, or else of a match with an open seat."""
    if secret is not None:
        return Way(match_of_link(context(), secret), secret)
    return Way(match_shown(context(), match), None)


def _page(way: Way, filled: Filled = NOTHING_FILLED) -> Response:
    player = visitor()
    values = shown(joining(context(), player, way.match), player)
    return forms.page("join.html", filled.status, way=way, filled=filled, form=FORM, **values)


def shown(found: Joining, player: Player | None) -> dict[str, Any]:
    """The values of the page that say what one would play: ``host`` says how reliably whoever
    created the match plays, where they do not sit in it.
    """
    game = registry.games().get(found.match.game)
    return {
        "found": found,
        "match": found.match,
        "title": found.match.title,
        "info": None if game is None else game.info,
        "picture": None if game is None else first_picture(found.match.game),
        "said": {each.id: profile_words(each) for each in found.players},
        "host": "" if found.host is None or found.host in found.players else profile_words(found.host),
        "player": player,
        "is_seated": player is not None and any(seat.player_id == player.id for seat in found.match.seats),
        "is_free": found.match.status == "open" and any(seat.player_id is None for seat in found.match.seats),
    }
