"""Who sends a request: bearer authentication (RFC 6750), where `Authorization: Bearer ovl_…`
identifies a player; or, from scripts of our own pages, the player who is signed in in the browser,
by a cookie (``service.web.sign_in``).

A page has a nonce, made of a text in a cookie and of the player to whom it is shown: its forms and
scripts send it along (CSRF). No page of another site can read it, and the browser must not call the
request one of another site. So no page acts in the name of somebody who has signed in after it was
shown. With the nonce in a header the pages' own scripts use the API in the name of the player.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from flask import g, request
from sqlalchemy import Connection

from service.api.problems import ProblemDetails
from service.api.requests import NONCE, context
from service.errors import Forbidden, LetInNoMore
from service.players import guests, tokens
from service.players.suspending import check_not_suspended, why_suspended
from service.store.matches import StoredMatch
from service.store.players import Player
from service.store.tokens import Token

Caller: TypeAlias = Player
"""The authenticated player of a request."""
WITH_MATCH: Final = ("turns.submit_turn",)
"""Endpoints that need the match of their path in any case."""
FOR_SUSPENDED: Final = ("players.export_me", "players.leave_for_good")
"""Endpoints for players who are suspended, too."""
SIGNED_IN: Final = "overland-browser"
SHOWN: Final = "overland-form"
"""Cookies: the secret of a browser in which a player is signed in, and the text of which the nonces
of the pages that it was shown are made.
"""
PAD_BYTES: Final = 32


def identify() -> tuple[Player, Token] | None:
    """Returns the player and the token of this request, looked up once; ``None`` where it has none
    that is known, and is not sent by a page of ours in a browser in which somebody is signed in.
    Whether such a browser proves anything only ``own_token`` says.
    """
    if "holder" not in g and sends_nonce():
        player = visitor() if is_from_our_page(request.headers[NONCE]) else None
        g.holder = None if player is None else (player, _of_browser(player))
    if "holder" not in g:
        secret = _secret()
        match_id = (request.view_args or {}).get("match") if request.endpoint in WITH_MATCH else None
        g.holder, g.match = (None, None) if secret is None else tokens.recognise_at(context(), secret, match_id)
    found: tuple[Player, Token] | None = g.holder
    return found


def own_token() -> Token:
    """The token of this request, of an operation that needs one, or what the browser counts as in
    which its visitor is signed in.
    """
    if _is_by_cookie():
        player = visitor()
        assert player is not None
        return replace(_of_browser(player), proven_at=tokens.proven_in(context(), cookie(SIGNED_IN)))
    found = identify()
    assert found is not None
    return found[1]


def still_here() -> Callable[[Connection], None]:
    """A check for a request that waits: raises ``LetInNoMore`` once its token is not valid any
    more, or its player has signed out in this browser, and ``Forbidden`` once they are suspended.
    """
    service, secret = context(), own_secret()
    holder = tokens.visitor_with if _is_by_cookie() else tokens.holder_with

    def check(connection: Connection) -> None:
        player = holder(connection, service, secret)
        if player is None:
            raise LetInNoMore("You have signed out here, or this token is not valid any more. Sign in again.")
        check_not_suspended(player)

    return check


def own_secret() -> str:
    """The secret of ``own_token``, which is not stored."""
    secret = cookie(SIGNED_IN) if _is_by_cookie() else _secret()
    assert secret is not None
    return secret


def match_read() -> StoredMatch | None:
    """The match of this request, where it was read together with the token."""
    found: StoredMatch | None = g.get("match")
    return found


def authenticate(required: bool, scope: str | None) -> Caller | None:
    """Returns the player whose token the request carries; ``None`` for a request without a token
    where it is not ``required``. Raises ``ProblemDetails``, also for a bad token where none is
    required: otherwise its owner would silently get the answer of a spectator.
    """
    if sends_nonce() and scope is not None:
        if visitor() is None:
            raise ProblemDetails("unauthorized", "Nobody is signed in in this browser: sign in by the link of a mail.")
        found = identify()
        if found is None:
            raise ProblemDetails(
                "foreign_page",
                f"{NONCE} is not that of a page here which was shown to whoever is signed in now. Load the page again;"
                " a program sends Authorization: Bearer ovl_… instead.",
            )
        return _allowed(found, scope)
    if "Authorization" not in request.headers:
        if not required:
            return None
        raise ProblemDetails(
            "unauthorized",
            "This needs a token: send the header Authorization: Bearer ovl_…; POST /v1/players sends you one by mail.",
        )
    if _secret() is None:
        raise ProblemDetails(
            "unauthorized", "The Authorization header cannot be read; it must be: Bearer, a space, and your token."
        )
    found = identify()
    if found is None:
        raise ProblemDetails(
            "unknown_token",
            "This token is not known, or has been revoked. Sign up with your address again to get another one by mail.",
        )
    return _allowed(found, scope)


def _of_browser(player: Player) -> Token:
    scopes = guests.SCOPES if player.is_guest else tokens.SCOPES
    return Token("browser", player.id, "browser", scopes, context().clock())


def _allowed(found: tuple[Player, Token], scope: str | None) -> Player:
    player, token = found
    if player.suspended_at is not None and request.endpoint not in FOR_SUSPENDED:
        raise Forbidden(why_suspended(player), "suspended")
    if scope is not None and scope not in token.scopes:
        guests.check_account(player)
        raise ProblemDetails(
            "missing_scope",
            f"This needs a token with the scope {scope}; yours has {', '.join(token.scopes)}. Issue another at POST"
            " /v1/tokens.",
            members={"scope": scope},
            headers={"WWW-Authenticate": f'Bearer realm="overland", error="insufficient_scope", scope="{scope}"'},
        )
    return player


def _secret() -> str | None:
    """The token as the header has it; ``None`` where there is none, or none that can be read."""
    header = request.headers.get("Authorization", "").strip()
    read = re.fullmatch(r"Bearer +([A-Za-z0-9._~+/=-]{1,200})", header, re.IGNORECASE)
    return None if read is None else read.group(1)


def visitor() -> Player | None:
    """The player who is signed in, looked up once for a request; ``None`` for anybody else."""
    if "visitor" not in g:
        secret = cookie(SIGNED_IN)
        g.visitor = tokens.signed_in(context(), secret) if secret else None
    found: Player | None = g.visitor
    return found


def _is_by_cookie() -> bool:
    """Whether the cookie of the browser, rather than a token, says who sends this request."""
    return request.blueprint == "web" or sends_nonce()


def sends_nonce() -> bool:
    """Whether a script of a page sends this request to the API: no token, but a nonce."""
    return NONCE in request.headers and "Authorization" not in request.headers


def is_from_our_page(nonce: str) -> bool:
    """Whether a page that this browser was shown sent the request, with this nonce."""
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site not in (None, "same-origin"):
        return False
    # Browsers write "null" for our own forms as well, because of the Referrer-Policy of their page.
    if origin not in (None, "null"):
        public = urlsplit(context().settings.base_url).netloc.lower()
        if origin.partition("://")[2].lower() not in (public, request.host.lower()):
            return False
    shown, sent = cookie(SHOWN), _unmasked(nonce)
    # A page that nobody in particular was shown is also that of whoever has signed in since.
    owners = (None, visitor())
    return bool(shown) and any(hmac.compare_digest(_nonce_of(shown, owner), sent) for owner in owners)


def nonce_shown(shown: str, pad: bytes) -> str:
    """The nonce of a page for the visitor, by the text in the cookie: another one for each ``pad``,
    ``PAD_BYTES`` random bytes. So the lengths of compressed pages tell nothing of it (BREACH).
    """
    mixed = bytes(one ^ other for one, other in zip(_nonce_of(shown, visitor()), pad, strict=True))
    return base64.b32encode(pad + mixed).decode().rstrip("=").lower()


def _nonce_of(shown: str, owner: Player | None) -> bytes:
    return hashlib.sha256(f"{shown} {'' if owner is None else owner.id}".encode()).digest()


def _unmasked(shown: str) -> bytes:
    """The nonce that a page showed; empty where it showed none."""
    try:
        both = base64.b32decode(shown.upper() + "=" * (-len(shown) % 8))
    except (binascii.Error, ValueError):
        return b""
    half = len(both) // 2
    return bytes(one ^ other for one, other in zip(both[:half], both[half:], strict=False))


def cookie(name: str) -> str:
    """The value of a cookie of this service; empty where there is none."""
    return request.cookies.get(named(name), "")


def named(name: str) -> str:
    """The name of a cookie: where there is TLS it says that none but this service can set it."""
    return f"__Host-{name}" if is_secure() else name


def is_secure() -> bool:
    """Whether browsers reach this service by TLS."""
    return context().settings.base_url.startswith("https:")
