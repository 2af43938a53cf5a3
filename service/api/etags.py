"""Entity tags of what a match shows, made from its version and its viewer alone: nothing is
replayed to find that nothing changed.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from flask import Response, request


def tag(*parts: Any) -> str:
    """A tag of these parts, which must be JSON data."""
    return hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()[:32]


def unchanged(etag: str) -> Response | None:
    """`304` where the client holds this representation already (`If-None-Match`, compared
    weakly).
    """
    if not request.if_none_match.contains_weak(etag):
        return None
    response = Response(status=304)
    return tagged(response, etag)


def tagged(response: Response, etag: str) -> Response:
    """The answer with its tag: to be kept by the client, and to be asked about every time."""
    response.set_etag(etag)
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Vary"] = "Authorization"
    return response
