"""Problem details (RFC 9457): how an error is answered. `problem_kinds` lists every kind, with
status and title; errors of the use cases are mapped to theirs by code.

A problem's `type` is an address of this service that explains it (`/docs/problems#code`). Refusals
of a game carry the code and the rule number of the game; their kind is `turn_rejected`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus

from flask import Response, current_app, request

from service.api.answers.problems import Extras, ProblemAnswer
from service.api.problem_kinds import KINDS, Kind
from service.api.shapes import made
from service.errors import Members, ServiceError, TooMany, Unavailable

MEDIA_TYPE = "application/problem+json"

FALLBACK = {
    400: "bad_request",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    409: "conflict",
    413: "body_too_large",
    414: "uri_too_long",
    415: "unsupported_media_type",
    422: "invalid",
    429: "too_many_requests",
    500: "internal_error",
    503: "unavailable",
}
"""The kind of an error raised by Flask or Werkzeug, by status."""


@dataclass(eq=False)
class ProblemDetails(Exception):
    """An error that is answered to the client.

    ``kind`` is a key of ``KINDS``, otherwise ``status`` is required. ``code`` is a narrower code
    than the kind, ``members`` and ``extras`` are further members of the document. ``retry_after``
    is answered as a header, too.
    """

    kind: str
    detail: str
    code: str | None = None
    status: int | None = None
    members: Members = field(default_factory=Members)
    extras: Extras = field(default_factory=Extras)
    headers: Mapping[str, str] = field(default_factory=dict)


def kind_of(error: ServiceError) -> Kind:
    """The kind of problem for an error of a use case: that of its own code if the status is the
    same, else that of its class.
    """
    general = KINDS.get(type(error).code, KINDS["internal_error"])
    own = KINDS.get(error.code, general)
    return own if own.status == general.status else general


def problem_of(error: ServiceError) -> ProblemDetails:
    """The problem for an error of a use case."""
    problem = ProblemDetails(kind_of(error).code, str(error), code=error.code, members=error.members())
    if isinstance(error, Unavailable | TooMany):
        problem.extras["retry_after"] = error.retry_after
    return problem


def respond(problem: ProblemDetails) -> Response:
    """Serialises a problem."""
    known = KINDS.get(problem.kind)
    status = known.status if known else problem.status or 400
    answer = ProblemAnswer(
        type=f"/docs/problems#{known.code if known else FALLBACK.get(status, 'bad_request')}",
        title=known.title if known else HTTPStatus(status).phrase,
        status=status,
        code=problem.code or problem.kind,
        detail=problem.detail,
        instance=request.environ.get("overland.instance", request.path),
        members=problem.members,
        extras=problem.extras,
    )
    headers = dict(problem.headers)
    if "retry_after" in problem.extras:
        headers["Retry-After"] = str(problem.extras["retry_after"])
    if status == HTTPStatus.UNAUTHORIZED:
        invalid = ', error="invalid_token"' if problem.kind == "unknown_token" else ""
        headers.setdefault("WWW-Authenticate", f'Bearer realm="overland"{invalid}')
    return Response(current_app.json.dumps(made(ProblemAnswer).dump(answer)), status, headers, content_type=MEDIA_TYPE)
