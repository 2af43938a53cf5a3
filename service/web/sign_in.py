"""The player who is signed in in this browser, by a cookie; signing up, and signing in by a mail to
one's address, or by a link of any mail: opening it shows who would be signed in, the button signs
in and leads to the page that the link names. Once the link is old, the page mails a new one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from flask import Blueprint, Response, abort, request

from service import links, signing
from service.addresses import folded, read_email
from service.api.auth import SIGNED_IN, cookie, visitor
from service.api.limits import limit_mails_to
from service.api.requests import context
from service.errors import ServiceError
from service.ids import ID_PATTERN
from service.matches import lobby
from service.matches.types import Match
from service.players import accounts, tokens
from service.store import addresses
from service.store import players as rows
from service.store.addresses import PlayerAddress
from service.store.players import Player
from service.texts import gettext as _
from service.web import forms
from service.web.forms import NOTHING_FILLED, Filled

FIELDS: Final = ("player", "to", "until", "signature")
LONGEST_FIELD: Final = 320
CAME_FROM: Final = "overland-match"
"""The cookie with the match from whose page somebody went to sign in."""
COMES_BACK_SECONDS: Final = 3600


@dataclass(frozen=True, slots=True)
class Link:
    """A link that this service signed: the player, the page, and whether it can still be used. It
    cannot once it is old, or an address was taken from the player since it was mailed.
    """

    player: Player
    path: str
    is_fresh: bool


def account() -> Player:
    """Who is signed in in this browser. Ends the request of anybody else, and of a guest, who has
    no account, by sending them to where they can sign in; the form of one who is not signed in any
    more by saying so, from where the browser leads back to what was typed.
    """
    player = visitor()
    if player is not None and not player.is_guest:
        return player
    if request.method != "POST" or player is not None:
        return abort(asked_first())
    sentence = _(
        "Nothing was done: you are not signed in here, or no longer. Sign in, and go back to the form: what you have"
        " written is still there."
    )
    return abort(_asked(Filled("sign-in", problems={"": sentence}, status=401)))


def returned() -> PlayerAddress | None:
    """The visitor's address that mails go to, where these come back for good."""
    player = visitor()
    if player is None or player.is_guest:
        return None
    with context().database.read() as connection:
        primary, *_ = addresses.of_player(connection, player)
    return primary if primary.bounced_at is not None else None


def signed_in(response: Response, secret: str) -> Response:
    """The response that makes this the browser with that secret; whoever was signed in here before
    is signed out.
    """
    if before := cookie(SIGNED_IN):
        tokens.sign_out(context(), before)
    forms.set_cookie(response, SIGNED_IN, secret, int(tokens.SIGNED_IN_FOR.total_seconds()))
    forms.delete_cookie(response, CAME_FROM)
    return response


def came_from() -> str | None:
    """The id of the match from whose page the visitor went to sign in, not long ago."""
    found = cookie(CAME_FROM)
    return found if re.fullmatch(ID_PATTERN, found) else None


def asked_first() -> Response:
    """Sends somebody who is not signed in to where they can."""
    return forms.to_page("ask_sign_in")


def add_pages(web: Blueprint) -> None:
    """Adds `/sign-in`, `/sign-up` and `/sign-out`."""

    def ask_sign_in() -> Response:
        player = visitor()
        if not any(name in request.args for name in FIELDS):
            if player is not None and guest() is None:
                return forms.to_page("matches")
            asked, match_id = _asked(), request.args.get("match", "")[:LONGEST_FIELD]
            if match_id:
                forms.set_cookie(asked, CAME_FROM, match_id, COMES_BACK_SECONDS)
            return asked
        link = _link(request.args)
        if link is not None and player is not None and player.id == link.player.id:
            return forms.to(link.path)
        return _page(link)

    def sign_in() -> Response:
        link = _link(request.form)
        if link is None:
            return _page(None)
        if not forms.is_from_our_page():
            return _page(link, 403, forms.another_browser())
        if link.is_fresh:
            return signed_in(forms.to(link.path), tokens.sign_in(context(), link.player))
        limit_mails_to(link.player.email)
        try:
            accounts.sign_up(context(), link.player.name, link.player.email, guest=guest())
        except ServiceError as error:
            return _page(link, 409, str(error))
        return forms.page("mailed.html", guest=guest())

    def mail_sign_in() -> Response:
        return _mailed("sign-in", lambda email: accounts.sign_in(context(), email, guest()))

    def sign_up() -> Response:
        name = request.form.get("name", "")[:LONGEST_FIELD]
        return _mailed("sign-up", lambda email: accounts.sign_up(context(), name, email, guest=guest()))

    def sign_out() -> Response:
        if not forms.is_from_our_page():
            return forms.refused(_("Not signed out"))
        tokens.sign_out(context(), cookie(SIGNED_IN))
        answer = forms.to_page("start")
        forms.delete_cookie(answer, SIGNED_IN)
        return answer

    web.add_url_rule("/sign-in", "ask_sign_in", ask_sign_in)
    web.add_url_rule("/sign-in", "sign_in", sign_in, methods=["POST"])
    web.add_url_rule("/sign-in/mail", "mail_sign_in", mail_sign_in, methods=["POST"])
    web.add_url_rule("/sign-up", "ask_sign_up", lambda: forms.to_page("ask_sign_in", _anchor="new"))
    web.add_url_rule("/sign-up", "sign_up", sign_up, methods=["POST"])
    web.add_url_rule("/sign-out", "sign_out", sign_out, methods=["POST"])


def guest() -> Player | None:
    """The guest who plays in this browser."""
    player = visitor()
    return player if player is not None and player.is_guest else None


def match_of_guest(guest: Player) -> Match | None:
    """The match that a guest plays, if they do."""
    return next(iter(lobby.mine(context(), guest, limit=1)), None)


def _asked(filled: Filled = NOTHING_FILLED) -> Response:
    return forms.page("sign_in.html", filled.status, filled=filled, guest=guest())


def _mailed(form: str, send: Callable[[str], object]) -> Response:
    """Sends a mail to the address of a form. What is answered is the same for every address."""
    email = request.form.get("email", "")[:LONGEST_FIELD].strip()

    def mail() -> None:
        limit_mails_to(folded(read_email(email)))
        send(email)

    refused = forms.done(form, mail)
    return forms.page("mailed.html", email=email, guest=guest()) if refused is None else _asked(refused)


def _link(values: Mapping[str, str]) -> Link | None:
    """The link whose fields these are; ``None`` unless this service signed it for a player who has
    confirmed an address, and has not left for good.
    """
    player_id, path, until, signature = (values.get(name, "")[:LONGEST_FIELD] for name in FIELDS)
    read = links.read_sign_in(signing.keys_of(context()), player_id, path, until, signature, context().clock())
    if read is None or not re.match(r"/(?![/\\])", path):
        return None
    made_at, is_fresh = read
    with context().database.read() as connection:
        player, taken_at = rows.find(connection, player_id), addresses.last_taken(connection, player_id)
    if player is None or player.confirmed_at is None or player.left_at is not None:
        return None
    return Link(player, path, is_fresh and (taken_at is None or taken_at < made_at))


def _page(link: Link | None, status: int = 200, problem: str = "") -> Response:
    """The page with the button, and with whom it signs in."""
    if link is None:
        return forms.page("go_on.html", 404, link=None, problem="")
    return forms.page(
        "go_on.html",
        status,
        link=link,
        guest=guest(),
        problem=problem,
        fields=[(name, request.values.get(name, "")[:LONGEST_FIELD]) for name in FIELDS],
    )
