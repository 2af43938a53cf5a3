"""Pages of a player: what everybody may know of them, and what they set themselves."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from flask import Blueprint, Response, request

from service.api.auth import visitor
from service.api.problems import ProblemDetails
from service.api.requests import context
from service.clocks.sentences import day_words
from service.clocks.spans import instant
from service.matches import lobby
from service.players import accounts, blocks, choosing, profiles
from service.players.profiles import Profile
from service.store.players import Player
from service.texts import gettext as _
from service.web import access, forms, settings, sign_in
from service.web.forms import NOTHING_FILLED, Filled
from service.web.settings import Once, SettingsPart

PARTS: Final[Mapping[str, SettingsPart]] = {
    "you": settings.YOU,
    "mails": settings.MAILS_WANTED,
    "absences": settings.ABSENCES,
    "addresses": access.ADDRESSES,
    "programs": access.PROGRAMS,
    "account": access.ACCOUNT,
}
"""The pages of the settings, by their names in addresses, in the order in which they are shown."""
NO_ZONE: Final = "UTC"
MOST_LOOKED_AT: Final = 100
"""So many matches of a visitor are looked at for one that they share with somebody."""


def add_pages(web: Blueprint) -> None:
    """Adds `/players/{player}`, `/settings`, a page for each of its parts, and the export."""

    def player(player: str) -> Response:
        found, viewer = profiles.of_player(context(), player), visitor()
        since = "" if found.since is None else day_words(instant(found.since), NO_ZONE)
        is_self = viewer is not None and viewer.id == found.id
        owner = None if found.owner_id is None else profiles.of_player(context(), found.owner_id)
        values: dict[str, Any] = {"owner": owner, "since": since, "is_self": is_self}
        if viewer is not None and not is_self and not viewer.is_guest:
            is_blocked = any(each.player_id == found.id for each in blocks.blocked(context(), viewer))
            values |= {"blocked": is_blocked, "shared": _shared(viewer, found)}
            values["reportable"] = found.bot is None and found.owner_id != viewer.id
        return forms.page("player.html", found=found, **values)

    def block(player: str) -> Response:
        found, viewer = profiles.of_player(context(), player), sign_in.account()
        if not forms.is_from_our_page():
            return forms.refused(_("Not blocked"))
        shared = _shared(viewer, found)
        if shared is None:
            raise ProblemDetails("not_seated", _("You block only players of matches in which you have a seat."))
        blocks.block(context(), viewer, *shared)
        return forms.to_page("player", player=player)

    def export() -> Response:
        rows = json.dumps(accounts.stored(context(), sign_in.account()), ensure_ascii=False, indent=1)
        answer = Response(rows, content_type="application/json; charset=utf-8")
        answer.headers["Content-Disposition"] = 'attachment; filename="overland.json"'
        return forms.uncached(answer)

    web.add_url_rule("/players/<id:player>", "player", player)
    web.add_url_rule("/players/<id:player>/block", "block_player", block, methods=["POST"])
    web.add_url_rule("/settings", "settings", lambda: forms.to_page("you"))
    web.add_url_rule("/settings/export", "export", export)
    for name in PARTS:
        web.add_url_rule(f"/settings/{name}", name, partial(_page, name))
        web.add_url_rule(f"/settings/{name}", f"change_{name}", partial(_change, name), methods=["POST"])


def _shared(viewer: Player, found: Profile) -> tuple[str, int] | None:
    """One of the viewer's latest matches in which a person has a seat, too, and that seat."""
    seats = (
        (match.id, seat.seat)
        for match in lobby.mine(context(), viewer, limit=MOST_LOOKED_AT)
        for seat in match.seats
        if seat.player_id == found.id and found.bot is None
    )
    return next(seats, None)


def _change(name: str) -> Response:
    """Does what the button of a form says, by the name that it sends along, and shows the page."""
    player, do = sign_in.account(), request.form.get("do", "")
    act = PARTS[name].acts.get(do)
    if act is None:
        raise ProblemDetails("bad_request", "This form does not say what to do. Go back, and load its page again.")

    def acted() -> Response:
        match act.do(player):
            case Response() as answer:
                return forms.uncached(answer)
            case Once() as once:
                return _page(name, once=once)
            case _:
                return forms.to_page(name, done=do)

    found = forms.done(do, lambda: forms.once(player, acted, is_secret=True) if act.creates else acted())
    return _page(name, found) if isinstance(found, Filled) else found


def _page(name: str, filled: Filled = NOTHING_FILLED, once: Once | None = None) -> Response:
    part, player = PARTS[name], sign_in.account()
    act = part.acts.get(request.args.get("done", "")) if request.method == "GET" else None
    return forms.page(
        f"settings_{name}.html",
        filled.status if once is None else 201,
        part=name,
        parts=PARTS,
        player=player,
        zone=choosing.wanted(context(), player).time_zone,
        filled=filled,
        once=once,
        done=None if act is None else act.done,
        **part.show(player),
    )
