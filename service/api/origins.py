"""Pages of other origins may use the API with a token (CORS): every origin may, and no cookie
counts there, because nothing here allows credentials. The pages of the service itself are for
nobody else.

`OPTIONS` is answered with what is allowed at an address, for a browser that asks in advance, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from flask import Flask, Response, request

from service.api.requests import NONCE

SENT: Final = ("Authorization", "Content-Type", "Idempotency-Key", "If-None-Match", "Prefer", "X-Request-Id")
READ: Final = (
    "ETag",
    "Link",
    "Location",
    "Preference-Applied",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "Retry-After",
    "WWW-Authenticate",
    "X-Request-Id",
)
"""Headers of requests and of answers that pages of other origins may set and read."""
ANY_ORIGIN: Final[Mapping[str, str]] = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": ", ".join(READ),
}
SECONDS_KNOWN: Final = 7200
"""How long a browser need not ask again; browsers keep it no longer."""


def is_for_any_origin(path: str) -> bool:
    """Whether pages of any origin may read what is at that path."""
    return path.startswith("/v1/") or path == "/openapi.json"


def allow_any_origin(app: Flask) -> None:
    """Allows pages of any origin the API of an application."""
    app.after_request(_allow)


def _allow(response: Response) -> Response:
    allows = is_for_any_origin(request.path) and NONCE not in request.headers
    if allows:
        response.headers.update(ANY_ORIGIN)
    if request.method == "OPTIONS" and response.status_code == 200:
        response.status_code = 204
        response.set_data(b"")
        for name in ("Content-Type", "Content-Length"):
            response.headers.pop(name, None)
        if allows:
            response.headers["Access-Control-Allow-Methods"] = response.headers["Allow"]
            response.headers["Access-Control-Allow-Headers"] = ", ".join(SENT)
            response.headers["Access-Control-Max-Age"] = str(SECONDS_KNOWN)
    return response
