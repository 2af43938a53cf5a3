"""The start page: what this is, the games, seats that are open, and how one signs in or up. The
documentation of the API, usable offline: Swagger UI and an explanation of every kind of problem;
and the calendar of deadlines.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from flask import Blueprint, Response, render_template, request

from engine import registry
from service.api.auth import visitor
from service.api.conditional import unless_known
from service.api.problems import KINDS
from service.api.requests import context
from service.errors import NotFound
from service.inbox.recipients import JOIN
from service.links import ServiceAddress, service_address
from service.matches import lobby
from service.matches.types import Match
from service.players import profiles
from service.players.profiles import profile_words
from service.store.players import Player
from service.views import awaiting
from service.views.calendar import SECRET_LENGTH, feed
from service.web import forms, sign_in
from service.web.forms import NOTHING_FILLED
from service.web.games import first_pictures

MOST_OPEN: Final = 10
CALENDAR_TYPE: Final = "text/calendar; charset=utf-8; method=PUBLISH"


def add_pages(web: Blueprint, mails_shown: bool) -> None:
    """Adds `/`, `/docs`, `/docs/problems`, a page for each, and `/calendar.ics`."""

    def start() -> Response:
        player = visitor()
        waits = () if player is None else awaiting.waiting(context(), player)
        return forms.page(
            "start.html",
            games=registry.games(),
            pictures=first_pictures(),
            mails_shown=mails_shown,
            player=player,
            returned=sign_in.returned(),
            filled=NOTHING_FILLED,
            waits=waits,
            own=None if player is None or not player.is_guest else sign_in.match_of_guest(player),
            open_matches=_with_hosts(_open_to(player)),
            sign_up_at=_sign_up_at(),
            join=JOIN,
        )

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
    web.add_url_rule("/docs", "docs", lambda: render_template("docs.html"))
    web.add_url_rule("/docs/problems", "problems", problems)
    web.add_url_rule("/docs/problems/<code>", "problem", problem)
    web.add_url_rule("/calendar.ics", "calendar", calendar)


def _open_to(player: Player | None) -> list[Match]:
    """The matches with an open seat in which the visitor has none."""
    found = lobby.open_matches(context(), limit=MOST_OPEN)
    return [match for match in found if player is None or all(seat.player_id != player.id for seat in match.seats)]


def _with_hosts(matches: Sequence[Match]) -> list[tuple[Match, str]]:
    """Each match with how reliably whoever created it plays; "" where they have left for good."""
    with context().database.read() as connection:
        hosts = profiles.of_players(connection, {match.created_by for match in matches})
    words = {host: profile_words(profile) for host, profile in hosts.items()}
    return [(match, words.get(match.created_by, "")) for match in matches]


def _sign_up_at() -> ServiceAddress | None:
    """The address at which a mail signs its sender up; ``None`` where no mails come in."""
    settings = context().settings
    return service_address(settings.mail_from, settings.mail_addresses) if settings.mail_in else None
