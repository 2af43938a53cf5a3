"""Conditional requests (RFC 9110, section 13) for views of a match: an entity tag covers everything
that a representation depends on, so that an unchanged one is not computed again.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable

from flask import Response, request

from service.api.auth import Caller
from service.api.current import context
from service.api.operations import Answer, operation
from service.matches import lobby
from service.matches.types import Match

UNCHANGED = Answer(None, 304, "Nothing has changed.", headers=("ETag",))

conditional_operation = functools.partial(
    operation, access="either", scope="read", headers=("IfNoneMatch",), problems=(409,)
)
"""An operation that shows a match, also to spectators, and supports ``If-None-Match``."""


def conditional(caller: Caller | None, match_id: str, answer: Callable[[], Response], *what: object) -> Response:
    """Gives the result of ``answer`` with an entity tag, or `304` where the client has it already.

    The tag covers the match, the caller and ``what`` is shown. Raises ``NotFound``, and what
    ``answer`` raises.
    """
    return unless_known(answer, *_parts(lobby.find(context(), caller, match_id), caller), *what)


def unless_known(answer: Callable[[], Response], *parts: object) -> Response:
    """Gives the result of ``answer`` with the entity tag of ``parts``, or `304` where the client
    has it already.
    """
    tag = hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()[:32]
    response = Response(status=304) if request.if_none_match.contains_weak(tag) else answer()
    response.set_etag(tag)
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Vary"] = "Authorization"
    return response


def _parts(match: Match, caller: Caller | None) -> tuple[object, ...]:
    own = [seat.seat for seat in match.seats if caller is not None and seat.player_id == caller.id]
    seats = [(seat.player_name, seat.to_act, seat.resigned_at is not None) for seat in match.seats]
    return (match.id, match.status, match.ply, match.rules_version, own, seats)
