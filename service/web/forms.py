"""Forms of pages that act: a page shows a button, and only that button, in the browser that was
shown it, acts. Opening a page changes nothing, because programs that scan mails open links too.

Another site can send no form in somebody's name (CSRF, login CSRF). A cookie and a field of the
form have the same random value, and the browser must not call the request one of another site. A
view gives its page by ``page``, and asks ``is_from_our_page`` before it acts.
"""

from __future__ import annotations

import hmac
import re
from typing import Any, Final
from urllib.parse import urlsplit

from flask import Response, make_response, render_template, request

from service.api.requests import context
from service.texts import gettext as _

COOKIE: Final = "overland-form"
COOKIE_SECONDS: Final = 24 * 3600
NONCE_LENGTH: Final = 32


def another_browser() -> str:
    """The sentence for a form that ``is_from_our_page`` refuses; answered with status 403."""
    return _(
        "This did not come from the page with the button, or that page is older than a day. Press the button here; if"
        " that does not help either, allow cookies for this page."
    )


def page(template: str, status: int = 200, /, **values: Any) -> Response:
    """A page with forms that act: rendered with ``nonce``, which each of its forms has as a hidden
    field of that name, and never cached.
    """
    nonce = _nonce()
    answer = make_response(render_template(template, nonce=nonce, **values), status)
    # A page of another site may send a form here, but no browser sends this cookie with it, and
    # none but this service can set it: where there is TLS its name says so ("__Host-"). It is sent
    # when a link is followed, so that pages that are open in other tabs keep working.
    set_cookie(answer, COOKIE, nonce, COOKIE_SECONDS)
    return uncached(answer)


def is_from_our_page() -> bool:
    """Whether the form was sent by a page that this browser was shown."""
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site not in (None, "same-origin"):
        return False
    # Browsers write "null" for our own page as well, because of its Referrer-Policy.
    if origin not in (None, "null") and urlsplit(origin).netloc.lower() not in _own_places():
        return False
    shown, sent = cookie(COOKIE), request.form.get("nonce", "")
    return bool(shown) and hmac.compare_digest(shown.encode(), sent.encode())


def cookie(name: str) -> str:
    """The value of a cookie of this service; empty where there is none."""
    return request.cookies.get(_named(name), "")


def set_cookie(response: Response, name: str, value: str, seconds: int) -> None:
    """Sets a cookie that no script reads and no form of another site brings along."""
    response.set_cookie(
        _named(name), value, max_age=seconds, secure=is_secure(), httponly=True, samesite="Lax", path="/"
    )


def delete_cookie(response: Response, name: str) -> None:
    """Deletes a cookie that ``set_cookie`` set."""
    response.delete_cookie(_named(name), secure=is_secure(), httponly=True, samesite="Lax", path="/")


def is_secure() -> bool:
    """Whether browsers reach this service by TLS."""
    return context().settings.base_url.startswith("https:")


def uncached(response: Response) -> Response:
    """The response, which is for one person and must not be cached."""
    response.headers["Cache-Control"] = "no-store"
    return response


def _nonce() -> str:
    """The value for this browser: the one that it has, so that the buttons in several tabs work,
    or a new one.
    """
    known = cookie(COOKIE)
    return known if re.fullmatch(rf"[a-z2-7]{{{NONCE_LENGTH}}}", known) else context().entropy.token(NONCE_LENGTH)


def _own_places() -> tuple[str, str]:
    """Host and port of this service: as the public address has them, and as the browser asked."""
    return urlsplit(context().settings.base_url).netloc.lower(), request.host.lower()


def _named(name: str) -> str:
    return f"__Host-{name}" if is_secure() else name
