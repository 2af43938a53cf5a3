"""Registers the pages, under a policy by which a browser loads only what this service serves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from flask import Blueprint, Flask, Response, request

from service.api.auth import visitor
from service.api.problems import MEDIA_TYPE, ProblemDetails
from service.api.requests import context
from service.clocks.sentences import day_words, local_words
from service.clocks.spans import instant
from service.config import Settings
from service.names import has_page
from service.players.suspending import check_not_suspended
from service.store.players import Player
from service.store.tables import UNSTORABLE
from service.texts import gettext as _
from service.texts import translate
from service.views import awaiting
from service.web import (
    events,
    games,
    invitation,
    join,
    links,
    mails,
    match,
    match_forms,
    matches,
    new_match,
    pictures,
    players,
    report,
    sign_in,
    start,
    unsubscribe,
)
from service.web.problems import as_page

PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
FOR_SUSPENDED: Final = frozenset(
    f"web.{name}"
    for name in (
        *("static", "boards", "account", "change_account", "export", "sign_out"),
        *("ask_confirmation", "confirm", "ask_sign_in", "sign_in", "mail_sign_in"),
        *("ask_undo_address", "undo_address", "ask_unsubscribe", "unsubscribe", "ask_never_again", "never_again"),
    )
)
"""Endpoints for players who are suspended, too: to sign in and out, to get and keep their account,
to take what is stored of them, to stop mails, and to leave.
"""


def register_web(app: Flask, settings: Settings) -> None:
    """Registers the pages; those that show mails only in development."""
    web = Blueprint("web", __name__, static_folder="static", static_url_path="/static", template_folder="templates")
    web.before_request(_refuse_unstorable)
    web.before_request(_refuse_suspended)
    web.after_request(_restrict)
    app.after_request(_told)
    start.add_pages(web, mails_shown=settings.mode == "development")
    shown = (events, games, invitation, join, links, match, match_forms, matches, new_match, pictures, players)
    for pages in (*shown, report, sign_in, unsubscribe):
        pages.add_pages(web)
    if settings.mode == "development":
        own_names = {settings.host, urlsplit(settings.base_url).hostname or settings.host}
        mails.add_pages(web, settings.mail_url, settings.data_dir, own_names)
    app.register_blueprint(web)
    app.jinja_env.globals["ways"] = _ways
    app.jinja_env.globals["has_page"] = has_page
    app.jinja_env.globals["maintenance"] = lambda: context().maintenance()
    app.jinja_env.filters["local"] = lambda moment, zone: local_words(instant(moment), zone)
    app.jinja_env.filters["day"] = lambda moment, zone: day_words(instant(moment), zone)
    translate(app.jinja_env)


@dataclass(frozen=True, slots=True)
class Ways:
    """What the header of a page depends on: who visits it, and how many matches await them."""

    player: Player | None
    waiting: int


def _ways() -> Ways:
    player = visitor()
    return Ways(player, 0 if player is None else awaiting.count(context(), player))


def _refuse_unstorable() -> None:
    """Raises ``ProblemDetails`` for a text that no database looks up or stores."""
    texts = (request.path, *(text for _name, sent in request.values.lists() for text in sent))
    if any(UNSTORABLE.search(text) for text in texts):
        raise ProblemDetails("bad_request", _("A text has a character that none may have. Go back, and leave it out."))


def _refuse_suspended() -> None:
    """Raises ``Forbidden`` (``suspended``)."""
    player = None if request.endpoint in FOR_SUSPENDED else visitor()
    if player is not None:
        check_not_suspended(player)


def _told(response: Response) -> Response:
    """A problem as a page, where a browser is to be told of it."""
    if response.mimetype != MEDIA_TYPE:
        return response
    page = as_page(response)
    return response if page is None else _restrict(page)


def _restrict(response: Response) -> Response:
    """Restricts what a page loads, and has no cache show its header to others than its visitor."""
    response.headers.setdefault("Content-Security-Policy", PAGE_POLICY)
    if response.mimetype == "text/html" and "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = "private, no-cache"
        response.vary.add("Cookie")
    return response
