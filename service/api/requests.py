"""What every request has: the context of the service, an id, a log line, which never holds a query,
a body or a header, as they may contain tokens; and what every answer has: security headers, an
entity tag, a coding, and which pages may read it.

**Entity tags** (RFC 9110, section 13). Every answer to a GET has one, the digest of its body where
``service.api.conditional`` gives it none. Time that passes changes no tag: what is left of a
running clock follows from its instants. All are weak: they are the same whatever the coding of the
body (section 8.8.3.3).

**Compression** with gzip for clients that accept it (RFC 9110, section 12.5.3). The length of an
answer that has a secret beside what somebody else could write tells of the secret (BREACH): one
that shows a token, or is a page for one person, is sent as it is, and no proxy may transform it
(RFC 9111, section 5.2.2.6). The large page of a match is compressed (``compress_padded``): its
nonce is another in every answer, and a random number of bytes beside it hides what the length would
tell of a hand, or of a note.

**Pages of other origins** may use the API with a token (CORS): every origin may, and no cookie
counts there, because nothing here allows credentials.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import uuid
from typing import Final, cast
from urllib.parse import quote

import structlog
from flask import Flask, Response, current_app, g, request

from service.context import Context
from service.kept import KeptAnswer

log = structlog.get_logger("overland.api")

API_POLICY = "default-src 'none'; frame-ancestors 'none'"
KEY = "overland"
PADDING: Final = 100
"""Bytes at most."""
NONCE: Final = "X-Overland-Nonce"
"""The header in which the pages' own scripts send the nonce of their page."""
SECONDS_OF_TLS: Final = 365 * 24 * 3600
"""How long a browser that came by TLS comes by nothing else (RFC 6797)."""
LEFT_OF_CLOCK: Final = re.compile(rb'"remaining": ?[0-9]+, ?"reserve": ?[0-9]+')
QUIET_PATHS = ("/healthz", "/readyz", "/metrics")
SMALLEST: Final = 1024
"""Bytes; less is sent as it is."""
COMPRESSIBLE: Final = ("application/javascript", "application/xml", "image/svg+xml")
"""Besides texts and JSON, whatever its kind: pictures and fonts are compressed already."""
SENT: Final = ("Authorization", "Content-Type", "Idempotency-Key", "If-None-Match", "Prefer", "X-Request-Id")
READ: Final = (
    "ETag Link Location Preference-Applied RateLimit-Limit RateLimit-Remaining RateLimit-Reset Retry-After"
    " WWW-Authenticate X-Request-Id"
).split()
"""Headers of requests and of answers that pages of other origins may set and read."""
ANY_ORIGIN: Final = {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": ", ".join(READ)}
SECONDS_KNOWN: Final = 7200
"""How long a browser need not ask again; browsers keep it no longer."""


def context() -> Context:
    """The context of the application that handles this request, or that of the transaction in which
    all of it is done (``service.api.idempotency``).
    """
    return cast("Context", g.get("context") or current_app.extensions[KEY])


def compress_padded() -> None:
    """Has the answer to this request compressed, though it is for one person, with a random number
    of bytes beside it. Nothing in it may be a secret by which somebody gets in.
    """
    g.is_padded = True


def told_path() -> str:
    """The path of this request as logs may have it."""
    return without_secret(request.path)


def without_secret(path: str) -> str:
    """The path without the secret of a join link, however many slashes are before it."""
    return re.sub(r"^((?:/+v1)?/+join/+).+", r"\1…", path)


def is_for_any_origin(path: str) -> bool:
    """Whether pages of any origin may read what is at that path."""
    return path.startswith("/v1/") or path == "/openapi.json"


def add_request_hooks(app: Flask) -> None:
    """Has an application do all of this: what is done to an answer last is registered first."""
    app.before_request(_begin)
    for finish in (_end, _allow, _compress, _tag):
        app.after_request(finish)


def _begin() -> None:
    given = request.headers.get("X-Request-Id", "")
    g.request_id = given if re.fullmatch(r"[A-Za-z0-9._-]{8,64}", given) else uuid.uuid4().hex
    g.began = context().timer()
    request.environ["overland.instance"] = f"{quote(told_path()[:200])}#{g.request_id}"
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
    if _has_secret(response):
        response.cache_control.no_transform = True
    if request.method in ("GET", "HEAD") and request.blueprint != "web":
        response.vary.update(("Authorization", NONCE))
    took = (context().timer() - g.began) * 1000 if "began" in g else 0.0
    write = log.debug if request.path in QUIET_PATHS and response.status_code < 400 else log.info
    write("request", method=request.method, path=told_path()[:200], status=response.status_code, ms=round(took, 1))
    return response


def _caching(response: Response) -> str:
    """Who may store an answer: nobody what is for this moment; no shared cache that of a player."""
    if request.method not in ("GET", "HEAD") or response.status_code >= 400:
        return "no-store"
    is_personal = "Authorization" in request.headers or NONCE in request.headers
    return "private, no-cache" if is_personal else "no-cache"


def _tag(response: Response) -> Response:
    """Adds the tag of the body, where there is none; empties what the client has already."""
    if request.method not in ("GET", "HEAD") or response.status_code != 200 or response.cache_control.no_store:
        return response
    tag, _ = response.get_etag()
    if tag is None:
        tag = hashlib.sha256(LEFT_OF_CLOCK.sub(b"", response.get_data())).hexdigest()[:32]
        response.set_etag(tag, weak=True)
    if request.if_none_match.contains_weak(tag):
        _empty(response, 304)
    return response


def _empty(response: Response, status: int) -> None:
    response.status_code = status
    response.set_data(b"")
    for name in ("Content-Type", "Content-Length"):
        response.headers.pop(name, None)


def _compress(response: Response) -> Response:
    response.vary.add("Accept-Encoding")  # of a picture, too: a 304, which says the same, is of no kind
    if response.status_code == 304 or not _is_compressible(response):
        return response
    accepted = request.accept_encodings
    if accepted.quality("gzip") <= 0 or accepted.quality("gzip") < accepted.quality("identity"):
        return response
    is_file = response.direct_passthrough
    response.direct_passthrough = False
    data = response.get_data()
    if len(data) >= SMALLEST:
        response.set_data(_packed_file(request.path, response, data) if is_file else _packed(data))
        response.headers["Content-Encoding"] = "gzip"
    return response


def _is_compressible(response: Response) -> bool:
    kind = response.mimetype or ""
    is_text = kind.startswith("text/") or kind in COMPRESSIBLE or kind.endswith(("/json", "+json"))
    return is_text and not _has_secret(response) and "Content-Encoding" not in response.headers


def _has_secret(response: Response) -> bool:
    is_personal = request.blueprint == "web" and response.cache_control.no_store
    return "is_secret" in g or (is_personal and "is_padded" not in g)


def _packed(data: bytes) -> bytes:
    """The data, compressed, with bytes of padding as the name of a file (RFC 1952, 2.3.1), which
    nobody reads.
    """
    if "is_padded" not in g:
        return gzip.compress(data, mtime=0)
    entropy, packed = context().entropy, io.BytesIO()
    name = entropy.token(1 + entropy.random_bytes(1)[0] % PADDING)
    with gzip.GzipFile(name, "wb", fileobj=packed, mtime=0) as file:
        file.write(data)
    return packed.getvalue()


def _packed_file(path: str, response: Response, data: bytes) -> bytes:
    """A file, compressed once for each version of it."""
    key, kept = ("gzip", path, response.headers.get("ETag")), context().kept
    known = kept.get(key)
    if known is None:
        known = KeptAnswer(gzip.compress(data, mtime=0), ())
        kept.keep(key, known)
    return known.body


def _allow(response: Response) -> Response:
    allows = is_for_any_origin(request.path) and NONCE not in request.headers
    if allows:
        response.headers.update(ANY_ORIGIN)
    if request.method == "OPTIONS" and response.status_code == 200:
        _empty(response, 204)
        if allows:
            response.headers["Access-Control-Allow-Methods"] = response.headers["Allow"]
            response.headers["Access-Control-Allow-Headers"] = ", ".join(SENT)
            response.headers["Access-Control-Max-Age"] = str(SECONDS_KNOWN)
    return response
