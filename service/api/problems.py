"""Problem details (RFC 9457): the form of every error answer. `kinds` lists every kind of problem,
with status and title; errors of the use cases are mapped to theirs by code.

A problem's `type` is an address of this service that explains it (`/docs/problems#code`). Refusals
of a game carry the code and the rule number of the game; their kind is `turn_rejected`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from flask import Response, current_app, request

from service.api.problem_kinds import KINDS, Kind
from service.errors import ServiceError

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


@dataclass(frozen=True, slots=True)
class FieldFault:
    """One fault of a request: where (a JSON pointer, or the name of a parameter or header) and a
    sentence.
    """

    detail: str
    pointer: str | None = None
    parameter: str | None = None
    header: str | None = None

    def as_document(self) -> dict[str, str]:
        """The fault as an item of `errors`."""
        places = {"pointer": self.pointer, "parameter": self.parameter, "header": self.header}
        return {name: place for name, place in places.items() if place is not None} | {"detail": self.detail}


@dataclass(eq=False)
class ProblemDetails(Exception):
    """An error that is answered to the client.

    ``kind`` is a key of ``KINDS``, otherwise ``status`` is required. ``code`` is a narrower code
    than the kind, ``extras`` are further members of the document.
    """

    kind: str
    detail: str
    faults: tuple[FieldFault, ...] = ()
    code: str | None = None
    status: int | None = None
    extras: Mapping[str, Any] = field(default_factory=dict)
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
    return ProblemDetails(kind_of(error).code, str(error), code=error.code, extras=error.members())


def respond(problem: ProblemDetails) -> Response:
    """Serialises a problem."""
    known = KINDS.get(problem.kind)
    status = known.status if known else problem.status or 400
    document: dict[str, Any] = {
        "type": f"/docs/problems#{known.code if known else FALLBACK.get(status, 'bad_request')}",
        "title": known.title if known else HTTPStatus(status).phrase,
        "status": status,
        "code": problem.code or problem.kind,
        "detail": problem.detail,
        "instance": request.environ.get("overland.instance", request.path),
    }
    if problem.faults:
        document["errors"] = [fault.as_document() for fault in problem.faults]
    document |= {name: value for name, value in problem.extras.items() if value is not None}
    headers = dict(problem.headers)
    if status == HTTPStatus.UNAUTHORIZED:
        invalid = ', error="invalid_token"' if problem.kind == "unknown_token" else ""
        headers.setdefault("WWW-Authenticate", f'Bearer realm="overland"{invalid}')
    return Response(current_app.json.dumps(document), status, headers, content_type=MEDIA_TYPE)
