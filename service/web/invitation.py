"""The page that the mail of an invitation leads to: with its button whoever was invited takes the
seat, and is signed in in this browser; whoever is new says their name. No second mail is needed,
since the link proves the mailbox (``service.matches.invitations``).

Mails are forwarded: the page says whom the invitation is for, and no more of them than the mail
does. Whoever is signed in as somebody else is told so, and has to sign out first.
"""

from __future__ import annotations

from typing import Any, Final

from flask import Blueprint, Response, request

from service.addresses import masked_address
from service.api.auth import visitor
from service.api.requests import context
from service.matches import invitations
from service.matches.invitations import Invitation
from service.players import stopping, tokens
from service.store.players import Player
from service.views.joining import joining
from service.web import forms, sign_in
from service.web.forms import NOTHING_FILLED, Filled
from service.web.join import FORM, shown

FIELDS: Final = ("match", "seat", "player", "until", "signature")
LONGEST_FIELD: Final = sign_in.LONGEST_FIELD


def add_pages(web: Blueprint) -> None:
    """Adds `/invitation`."""

    def ask() -> Response:
        found, player = _found(), visitor()
        if found is not None and found.is_theirs and _is_invited(found, player):
            return _to_match(found)
        return _page(found)

    def take() -> Response:
        found, player = _found(), visitor()
        if found is None or not _may_press(found, player):
            return _page(found, Filled(status=409))
        name = request.form.get("name", "")[:LONGEST_FIELD]
        invited = forms.done(FORM, lambda: invitations.accept(context(), found, name, sign_in.guest()))
        if isinstance(invited, Filled):
            return _page(_found(), invited)
        answer = _to_match(found)
        if _is_invited(found, player):
            return answer
        return sign_in.signed_in(answer, tokens.sign_in(context(), invited))

    web.add_url_rule("/invitation", "invitation", ask)
    web.add_url_rule("/invitation", "take_invited_seat", take, methods=["POST"])


def _found() -> Invitation | None:
    """The invitation of this request, by the fields of its link."""
    return invitations.find(context(), *(request.values.get(name, "")[:LONGEST_FIELD] for name in FIELDS))


def _may_press(found: Invitation, player: Player | None) -> bool:
    """Whether the page has the button, for whoever is signed in in this browser."""
    return found.is_fresh and (found.is_free or found.is_theirs) and not _is_another(found, player)


def _is_invited(found: Invitation, player: Player | None) -> bool:
    return found.player is not None and player is not None and player.id == found.player.id


def _is_another(found: Invitation, player: Player | None) -> bool:
    return player is not None and not player.is_guest and not _is_invited(found, player)


def _to_match(found: Invitation) -> Response:
    return forms.to_page("match", match=found.match.id)


def _page(found: Invitation | None, filled: Filled = NOTHING_FILLED) -> Response:
    if found is None:
        return forms.page("invitation.html", 404, found=None, filled=NOTHING_FILLED)
    player = visitor()
    values: dict[str, Any] = {
        "invited": found,
        "reader": found.player.name if found.names_player and found.player else masked_address(found.address),
        "fields": [(field, request.values.get(field, "")[:LONGEST_FIELD]) for field in FIELDS],
        "filled": filled,
        "form": FORM,
    }
    if found.is_free and _may_press(found, player):
        values |= shown(joining(context(), player, found.match), player)
        silent = found.player is None and stopping.is_silent(context(), found.address)
        named = found.names_player or _is_invited(found, player)
        values |= {"names_player": named, "is_silent": silent, "way": None}
        return forms.page("join.html", filled.status, **values)
    is_another = _is_another(found, player)
    return forms.page("invitation.html", filled.status, found=found, player=player, is_another=is_another, **values)
