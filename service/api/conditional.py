"""Conditional requests (RFC 9110, section 13): every answer to a GET has an entity tag, and is
`304` without a body for whoever has that tag already.

The tag of most answers is the digest of their body. That of a view of a match covers everything on
which the view depends, so that an unchanged one is not made again, not even for somebody who does
not have it yet. All tags are weak: they are the same whatever the coding of the body (section
8.8.3.3).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable

from flask import Flask, Response, request

from service.api.auth import Caller
from service.api.limits import count_afresh
from service.api.requests import context
from service.kept import KeptAnswer
from service.views.version import version


def answer_conditionally(app: Flask) -> None:
    """Gives the answers of an application to GET their tags, except those that are not to be
    stored.
    """
    app.after_request(_tag)


def conditional(caller: Caller | None, match_id: str, answer: Callable[[], Response], *what: object) -> Response:
    """Returns the result of ``answer``, which is kept, with an entity tag, or `304` where the
    client has it already.

    The tag covers the match at its ply, the caller's seat and ``what`` is shown. Raises
    ``NotFound``, ``ProblemDetails`` where an answer that is not kept costs more than the caller has
    left, and what ``answer`` raises.
    """
    key = _digest(*version(context(), caller, match_id), *what)
    return _unless_known(lambda: _kept(key, answer), key)


def unless_known(answer: Callable[[], Response], *parts: object) -> Response:
    """Returns the result of ``answer`` with the entity tag of ``parts``, or `304` where the client
    has it already.
    """
    return _unless_known(answer, _digest(*parts))


def _unless_known(answer: Callable[[], Response], tag: str) -> Response:
    response = Response(status=304) if request.if_none_match.contains_weak(tag) else answer()
    response.set_etag(tag, weak=True)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def _tag(response: Response) -> Response:
    """Adds the tag of the body, where there is none; and takes the body away where the client has
    it.
    """
    if request.method not in ("GET", "HEAD") or response.status_code != 200 or response.cache_control.no_store:
        return response
    tag, _ = response.get_etag()
    if tag is None:
        tag = hashlib.sha256(response.get_data()).hexdigest()[:32]
        response.set_etag(tag, weak=True)
    if request.if_none_match.contains_weak(tag):
        response.status_code = 304
        response.set_data(b"")
        for name in ("Content-Type", "Content-Length"):
            response.headers.pop(name, None)
    return response


def _kept(key: str, answer: Callable[[], Response]) -> Response:
    """The answer as it was kept by ``key``; otherwise it is made, which costs more, and kept."""
    known = context().kept.get(key)
    if known is None:
        count_afresh()
        made = answer()
        known = KeptAnswer(made.get_data(), tuple(made.headers.items()))
        context().kept.keep(key, known)
    return Response(known.body, headers=known.headers)


def _digest(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()[:32]
