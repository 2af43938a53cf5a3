"""Who is signed in in the browser that sends a request, by a cookie (``service.web.sign_in``), and
whether a page of ours sends it (CSRF).

A page has a nonce, which is in a cookie, too: its forms and scripts send it along. No page of
another site can read it, and the browser must not call the request one of another site. With the
nonce in a header the pages' own scripts use the API in the name of the player.
"""

from __future__ import annotations

import hmac
from typing import Final
from urllib.parse import urlsplit

from flask import g, request

from service.api.requests import NONCE, context
from service.players import tokens
from service.store.players import Player

SIGNED_IN: Final = "overland-browser"
SHOWN: Final = "overland-form"
"""Cookies: the secret of a browser in which a player is signed in, and the nonce of the pages that
it was shown.
"""


def visitor() -> Player | None:
    """The player who is signed in, looked up once for a request; ``None`` for anybody else."""
    if "visitor" not in g:
        secret = cookie(SIGNED_IN)
        g.visitor = tokens.signed_in(context(), secret) if secret else None
    found: Player | None = g.visitor
    return found


def sends_nonce() -> bool:
    """Whether a script of a page sends this request to the API: no token, but a nonce."""
    return NONCE in request.headers and "Authorization" not in request.headers


def is_from_our_page(nonce: str) -> bool:
    """Whether a page that this browser was shown sent the request, with this nonce."""
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site not in (None, "same-origin"):
        return False
    # Browsers write "null" for our own forms as well, because of the Referrer-Policy of their page.
    if origin not in (None, "null") and urlsplit(origin).netloc.lower() not in _own_places():
        return False
    shown = cookie(SHOWN)
    return bool(shown) and hmac.compare_digest(shown.encode(), nonce.encode())


def cookie(name: str) -> str:
    """The value of a cookie of this service; empty where there is none."""
    return request.cookies.get(named(name), "")


def named(name: str) -> str:
    """The name of a cookie: where there is TLS it says that none but this service can set it."""
    return f"__Host-{name}" if is_secure() else name


def is_secure() -> bool:
    """Whether browsers reach this service by TLS."""
    return context().settings.base_url.startswith("https:")


def _own_places() -> tuple[str, str]:
    """Host and port of this service: as the public address has them, and as the browser asked."""
    return urlsplit(context().settings.base_url).netloc.lower(), request.host.lower()
