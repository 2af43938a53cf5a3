"""The start page, with the games and the visitor's matches, the documentation of the API, usable
offline: Swagger UI and an explanation of every kind of problem; and the calendar of deadlines.
"""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, render_template, request

from engine import registry
from service.api.auth import visitor
from service.api.conditional import unless_known
from service.api.problem_kinds import KINDS
from service.api.requests import context
from service.errors import NotFound
from service.matches import lobby
from service.matches.types import Match
from service.store.players import Player
from service.views.calendar import SECRET_LENGTH, feed
from service.web import forms
from service.web.sign_in import returned

MOST_MATCHES: Final = 30
MOST_OPEN: Final = 10
CALENDAR_TYPE: Final = "text/calendar; charset=utf-8; method=PUBLISH"


def add_pages(web: Blueprint, mails_shown: bool) -> None:
    """Adds `/`, `/docs`, `/docs/problems`, a page for each, and `/calendar.ics`."""

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

    def docs() -> str:
        return render_template("docs.html")

    def problems() -> str:
        return render_template("problems.html", kinds=sorted(KINDS.values(), key=lambda kind: (kind.status, kind.code)))

    def problem(code: str) -> str:
        if code not in KINDS:
            raise NotFound(f"There is no problem {code[:60]}.")
        return render_template("problems.html", kind=KINDS[code])

    def calendar() -> Response:
        key = request.args.get("key", "")[: 2 * SECRET_LENGTH]  # in the query, which is not logged
        content = feed(context(), key, context().settings.base_url)
        return unless_known(lambda: Response(content, content_type=CALENDAR_TYPE), content)

    web.add_url_rule("/", "start", start)
    web.add_url_rule("/docs", "docs", docs)
    web.add_url_rule("/docs/problems", "problems", problems)
    web.add_url_rule("/docs/problems/<code>", "problem", problem)
    web.add_url_rule("/calendar.ics", "calendar", calendar)


def _awaits(match: Match, player: Player | None) -> bool:
    """Whether a match awaits the player."""
    return any(seat.to_act for seat in match.seats if player is not None and seat.player_id == player.id)
