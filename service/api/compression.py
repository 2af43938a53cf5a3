"""Compresses answers with gzip for clients that accept it (RFC 9110, section 12.5.3).

The length of an answer that has a secret beside what somebody else could write tells of the secret
(BREACH): one that shows a token, or is a page with a nonce for its forms, is sent as it is.
"""

from __future__ import annotations

import gzip
from typing import Final

from flask import Flask, Response, g, request

from service.api.requests import context
from service.kept import KeptAnswer

SMALLEST: Final = 1024
"""Bytes; less is sent as it is."""
COMPRESSIBLE: Final = ("application/javascript", "application/xml", "image/svg+xml")
"""Besides texts and JSON, whatever its kind: pictures and fonts are compressed already."""


def compress_answers(app: Flask) -> None:
    """Makes an application compress its answers."""
    app.after_request(_compress)


def _compress(response: Response) -> Response:
    if response.status_code == 304:
        response.vary.add("Accept-Encoding")
        return response
    if not _is_compressible(response):
        return response
    response.vary.add("Accept-Encoding")
    accepted = request.accept_encodings
    if accepted.quality("gzip") <= 0 or accepted.quality("gzip") < accepted.quality("identity"):
        return response
    is_file = response.direct_passthrough
    response.direct_passthrough = False
    data = response.get_data()
    if len(data) >= SMALLEST:
        response.set_data(_packed_file(request.path, response, data) if is_file else gzip.compress(data, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
    return response


def _is_compressible(response: Response) -> bool:
    kind = response.mimetype or ""
    is_text = kind.startswith("text/") or kind in COMPRESSIBLE or kind.endswith(("/json", "+json"))
    has_secret = "is_secret" in g or (request.blueprint == "web" and response.cache_control.no_store)
    return is_text and not has_secret and "Content-Encoding" not in response.headers


def _packed_file(path: str, response: Response, data: bytes) -> bytes:
    """A file, compressed once for each version of it."""
    key, kept = ("gzip", path, response.headers.get("ETag")), context().kept
    known = kept.get(key)
    if known is None:
        known = KeptAnswer(gzip.compress(data, mtime=0), ())
        kept.keep(key, known)
    return known.body
