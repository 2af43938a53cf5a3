"""Pages behind links in mails: each says what its button does, and the button does it
(``service.web.forms``). Only the confirmation of a new player signs in: whoever reads another mail
may be somebody else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from flask import Blueprint, Response, request, url_for

from service.api.auth import visitor
from service.api.limits import seconds_left
from service.api.problems import kind_of
from service.api.requests import context
from service.context import Context
from service.errors import ServiceError
from service.inbox import held
from service.matches import lobby
from service.matches.types import Match
from service.players import accounts, own_addresses
from service.store.players import Player
from service.web import forms, sign_in

LONGEST_TOKEN = 200

Look: TypeAlias = Callable[[str], Mapping[str, Any]]
"""What a token is for, as values of its page. Raises ``ServiceError``."""
Act: TypeAlias = Callable[[str], Response | Mapping[str, Any]]
"""Does what a token is for. Answers, or says what its page shows. Raises ``ServiceError``."""


def add_pages(web: Blueprint) -> None:
    """Adds `/confirm`, `/confirm-address`, `/undo-address` and `/orders/{order}`."""
    _add_page(web, "/confirm", "ask_confirmation", "confirm", "confirm.html", _to_confirm, _confirm)
    names = ("ask_confirm_address", "confirm_address", "confirm_address.html")
    _add_page(web, "/confirm-address", *names, _address_to_confirm, _of_address(own_addresses.confirm, done=True))
    names = ("ask_undo_address", "undo_address", "undo_address.html")
    to_undo, undo = _of_address(own_addresses.to_undo), _of_address(own_addresses.undo, done=True)
    _add_page(web, "/undo-address", *names, to_undo, undo)
    _add_page(web, "/orders/<order>", "show_order", "carry_out_order", "order.html", _order, _carry_out)


def _add_page(web: Blueprint, rule: str, asks: str, acts: str, template: str, look: Look, act: Act) -> None:
    """Adds a page with the endpoints ``asks``, which shows it, and ``acts``, of its button."""

    def shown(token: str, status: int = 200, problem: str = "") -> Response:
        try:
            values = look(token)
        except ServiceError as error:
            values, status = {}, status if problem else kind_of(error).status
            problem = problem or str(error)
        return forms.page(template, status, token=token, problem=problem, **values)

    def ask(order: str = "") -> Response:
        return shown((order or request.args.get("token", ""))[:LONGEST_TOKEN])

    def press(order: str = "") -> Response:
        token = (order or request.form.get("token", ""))[:LONGEST_TOKEN]
        if not forms.is_from_our_page():
            return shown(token, 403, forms.another_browser())
        # Only /confirm gets here in one: the others are refused before (READING_ENDPOINTS).
        if (maintenance := context().maintenance()) is not None:
            refused = shown(token, 503, maintenance.sentence)
            refused.headers["Retry-After"] = str(seconds_left(maintenance))
            return refused
        try:
            done = act(token)
            return done if isinstance(done, Response) else forms.page(template, **done)
        except ServiceError as error:
            return forms.page(template, kind_of(error).status, problem=str(error))

    web.add_url_rule(rule, asks, ask)
    web.add_url_rule(rule, acts, press, methods=["POST"])


def _to_confirm(token: str) -> Mapping[str, Any]:
    """Whose address is confirmed; without a token the page has a field for one."""
    if not token:
        return {}
    (player, found), guest = accounts.to_confirm(context(), token), sign_in.guest()
    is_here = guest is not None and guest.id == found.guest_id
    return {
        "player": player,
        "address": found.address or player.email,
        "joins": found.join_secret is not None,
        "guest": guest,
        "is_here": is_here,
        "guest_elsewhere": found.guest_id is not None and not is_here,
    }


def _confirm(token: str) -> Response:
    """Confirms the address of a player, and signs the browser in; whoever has followed a join link
    is led back to it, whoever has played here as a guest to their match, whoever was signed in
    already to the settings that need a proof, and whoever came from the page of a match to that.
    """
    before, guest = visitor(), sign_in.guest()
    kept = _kept(guest, token)
    player, join_secret, secret = accounts.confirm_in_browser(context(), token, guest)
    if join_secret is None and kept is not None:
        page = url_for("web.match", match=kept.id)
    elif join_secret is not None:
        page = url_for("web.join", secret=join_secret)
    elif before is not None and before.id == player.id and not before.is_guest:
        page = url_for("web.addresses")
    else:
        page = _first_page(player)
    return sign_in.signed_in(forms.to(page), secret)


def _kept(guest: Player | None, token: str) -> Match | None:
    """The match of the guest of this browser, where the token was asked for in it."""
    if guest is None or accounts.to_confirm(context(), token)[1].guest_id != guest.id:
        return None
    return sign_in.match_of_guest(guest)


def _first_page(player: Player) -> str:
    """The match from whose page the player went to sign in, or their only one; else their list."""
    if match_id := sign_in.came_from():
        return url_for("web.match", match=match_id)
    found = lobby.mine(context(), player, limit=2)
    return url_for("web.match", match=found[0].id) if len(found) == 1 else url_for("web.matches")


def _address_to_confirm(token: str) -> Mapping[str, Any]:
    """Without a code the page has a field for one."""
    return _of_address(own_addresses.to_confirm)(token) if token else {}


def _of_address(find: Callable[[Context, str], tuple[Player, object]], **values: Any) -> Look:
    """Whose address is confirmed or given back, and which."""

    def found(token: str) -> Mapping[str, Any]:
        player, address = find(context(), token)
        return {"player": player, "address": address, **values}

    return found


def _order(order_id: str) -> Mapping[str, Any]:
    """The order of a mail that nobody proved to have written."""
    return {"found": held.waiting(context(), order_id)}


def _carry_out(order_id: str) -> Mapping[str, Any]:
    found = held.waiting(context(), order_id)
    return {"found": found, "done": held.carry_out(context(), found)}
