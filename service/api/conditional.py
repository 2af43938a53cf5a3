"""Answers that are made anew only when they have changed (RFC 9110, section 13): their entity tag
covers everything on which they depend. ``service.api.requests`` gives a tag to every other answer.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable

from flask import Response, request

from service.api.auth import Caller
from service.api.limits import count_afresh
from service.api.requests import context
from service.kept import KeptAnswer
from service.views.match import version


def conditional(caller: Caller | None, match_id: str, answer: Callable[[], Response], *what: object) -> Response:
    """Returns the result of ``answer``, which is kept, with an entity tag, or `304` where the
    client has it already. The tag covers the match at its ply, the caller's seat and ``what`` is
    shown. Raises ``NotFound``, ``ProblemDetails`` where an answer that is not kept costs more than
    the caller has left, and what ``answer`` raises.
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
