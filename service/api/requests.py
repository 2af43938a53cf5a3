"""What every request has: the context of the service, an id, a log line and security headers.

The log line never holds a query, a body or a header: they may contain tokens.
"""

from __future__ import annotations

import re
import uuid
from typing import Final, cast
from urllib.parse import quote

import structlog
from flask import Flask, Response, current_app, g, request

from service.context import Context

log = structlog.get_logger("overland.api")

API_POLICY = "default-src 'none'; frame-ancestors 'none'"
KEY = "overland"
NONCE: Final = "X-Overland-Nonce"
"""The header in which the pages' own scripts send the nonce of their page."""
SECONDS_OF_TLS: Final = 365 * 24 * 3600
"""How long a browser that came by TLS comes by nothing else (RFC 6797)."""
QUIET_PATHS = ("/healthz", "/readyz", "/metrics")


def context() -> Context:
    """The context of the application that handles this request, or that of the transaction in which
    all of it is done (``service.api.idempotency``).
    """
    return cast("Context", g.get("context") or current_app.extensions[KEY])


def add_request_hooks(app: Flask) -> None:
    """Gives every request of an application its id, its log line and its security headers."""
    app.before_request(_begin)
    app.after_request(_end)


def _begin() -> None:
    given = request.headers.get("X-Request-Id", "")
    g.request_id = given if re.fullmatch(r"[A-Za-z0-9._-]{8,64}", given) else uuid.uuid4().hex
    g.began = context().timer()
    request.environ["overland.instance"] = f"{quote(request.path[:200])}#{g.request_id}"
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(request_id=g.request_id)


def _end(response: Response) -> Response:
    response.headers["X-Request-Id"] = g.get("request_id", "")
    response.headers.setdefault("Content-Security-Policy", API_POLICY)
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    if context().settings.base_url.startswith("https:"):
        response.headers["Strict-Transport-Security"] = f"max-age={SECONDS_OF_TLS}"
    if "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = _caching(response)
    if request.method in ("GET", "HEAD") and request.blueprint != "web":
        response.vary.update(("Authorization", NONCE))
    took = (context().timer() - g.began) * 1000 if "began" in g else 0.0
    write = log.debug if request.path in QUIET_PATHS and response.status_code < 400 else log.info
    write("request", method=request.method, path=request.path[:200], status=response.status_code, ms=round(took, 1))
    return response


def _caching(response: Response) -> str:
    """Who may store an answer: nobody what is for this moment only; what was answered to a player,
    no cache that others use.
    """
    if request.method not in ("GET", "HEAD") or response.status_code >= 400:
        return "no-store"
    is_personal = "Authorization" in request.headers or NONCE in request.headers
    return "private, no-cache" if is_personal else "no-cache"
