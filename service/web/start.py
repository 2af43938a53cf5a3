"""The start page: what the service is, its games, the visitor's matches, and links."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response

from engine import registry
from service.api.requests import context
from service.matches import lobby
from service.matches.types import Match
from service.players.types import Player
from service.web import forms
from service.web.browser import returned, visitor

MOST_MATCHES: Final = 30
MOST_OPEN: Final = 10


def add_pages(web: Blueprint, mails_shown: bool) -> None:
    """Adds the page at `/`."""

    def start() -> Response:
        player = visitor()
        mine = () if player is None else lobby.mine(context(), player, limit=MOST_MATCHES)
        return forms.page(
            "start.html",
            games=registry.games(),
            mails_shown=mails_shown,
            player=player,
            returned=returned(),
            awaiting=[match for match in mine if _awaits(match, player)],
            others=[match for match in mine if not _awaits(match, player)],
            open_matches=lobby.open_matches(context(), limit=MOST_OPEN),
        )

    web.add_url_rule("/", "start", start)


def _awaits(match: Match, player: Player | None) -> bool:
    """Whether a match awaits the player."""
    return any(seat.to_act for seat in match.seats if player is not None and seat.player_id == player.id)
