"""Confirmation of an address in a browser: the link in the mail opens a page with a button, which
confirms. Opening the link changes nothing, because programs that scan mails open links too.

Nobody is signed in as somebody else by another site (login CSRF). The button works only for the
browser that was shown the page: a cookie and a field of the form have the same random value, and
the browser must not call the request one of another site. Whoever was sent the link of somebody
else reads on the page whose it is.
"""

from __future__ import annotations

import hmac
import re
from urllib.parse import urlsplit

from flask import Blueprint, Response, make_response, render_template, request

from service.api.current import context
from service.api.maintenance import seconds_left
from service.api.problems import kind_of
from service.errors import ServiceError
from service.players import accounts

COOKIE = "overland-confirm"
COOKIE_SECONDS = 3600
NONCE_LENGTH = 32
LONGEST_TOKEN = 200
ANOTHER_BROWSER = (
    "This did not come from the page with the button, or that page is older than an hour. Press the button here; if"
    " that does not help either, allow cookies for this page."
)


def add_pages(web: Blueprint) -> None:
    """Adds `/confirm`."""

    def ask_confirmation() -> Response:
        return _page(request.args.get("token", "")[:LONGEST_TOKEN])

    def confirm() -> Response:
        token = request.form.get("token", "")[:LONGEST_TOKEN]
        if not _is_from_our_page():
            return _page(token, 403, ANOTHER_BROWSER)
        maintenance = context().maintenance()
        if maintenance is not None:
            refused = _page(token, 503, maintenance.sentence)
            refused.headers["Retry-After"] = str(seconds_left(maintenance))
            return refused
        try:
            player, secret = accounts.confirm(context(), token)
        except ServiceError as error:
            return _page("", kind_of(error).status, str(error))
        answer = make_response(render_template("confirmed.html", player=player, token=secret))
        answer.delete_cookie(_cookie(), secure=_is_secure(), httponly=True, samesite="Strict")
        return _uncached(answer)

    web.add_url_rule("/confirm", "ask_confirmation", ask_confirmation)
    web.add_url_rule("/confirm", "confirm", confirm, methods=["POST"])


def _page(token: str, status: int = 200, problem: str = "") -> Response:
    """The page with the button for the token, and with whose it is; where there is none or it
    cannot be used, with a field for one.
    """
    player = None
    if token:
        try:
            player = accounts.to_confirm(context(), token)
        except ServiceError as error:
            status, problem = (status, problem) if problem else (kind_of(error).status, str(error))
    known = request.cookies.get(_cookie(), "")  # kept, so that the buttons in several tabs work
    nonce = known if re.fullmatch(rf"[a-z2-7]{{{NONCE_LENGTH}}}", known) else context().entropy.token(NONCE_LENGTH)
    answer = make_response(
        render_template("confirm.html", token=token, player=player, problem=problem, nonce=nonce), status
    )
    # A page of another site may send a form here, but no browser sends this cookie with it, and
    # none but this service can set it: where there is TLS its name says so ("__Host-").
    answer.set_cookie(_cookie(), nonce, max_age=COOKIE_SECONDS, secure=_is_secure(), httponly=True, samesite="Strict")
    return _uncached(answer)


def _is_from_our_page() -> bool:
    """Whether the form was sent by the page that this browser was shown."""
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site not in (None, "same-origin"):
        return False
    # Browsers write "null" for our own page as well, because of its Referrer-Policy.
    if origin not in (None, "null") and urlsplit(origin).netloc.lower() not in _own_places():
        return False
    shown, sent = request.cookies.get(_cookie(), ""), request.form.get("nonce", "")
    return bool(shown) and hmac.compare_digest(shown.encode(), sent.encode())


def _own_places() -> tuple[str, str]:
    """Host and port of this service: as the public address has them, and as the browser asked."""
    return urlsplit(context().settings.base_url).netloc.lower(), request.host.lower()


def _is_secure() -> bool:
    return context().settings.base_url.startswith("https:")


def _cookie() -> str:
    return f"__Host-{COOKIE}" if _is_secure() else COOKIE


def _uncached(response: Response) -> Response:
    """The response, which has a secret in it and must not be cached."""
    response.headers["Cache-Control"] = "no-store"
    return response
