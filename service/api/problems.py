"""Problem details (RFC 9457): how an error is answered. `problem_kinds.txt` lists every kind;
errors of the use cases are mapped to theirs by code. Refusals of a game carry the code and the rule
number of the game; their kind is `turn_rejected`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Annotated, Final, TypedDict

import structlog
from flask import Flask, Response, current_app, request
from sqlalchemy import exc as database_errors
from werkzeug.exceptions import HTTPException, MethodNotAllowed, RequestEntityTooLarge

from engine.documents import About
from engine.texts import read_text
from service.api.answers import LegalActionAnswer, TurnAnswer
from service.api.requests import context, told_path
from service.api.shapes import Format, Inlined, made
from service.errors import MOST_FAULTS, Fault, Members, ServiceError, TooMany, Unavailable
from service.matches import mending
from service.matches.replays import MatchUnreadable
from service.store.database import reason_of
from service.store.failures import OUTAGES, is_full
from service.store.files import FileLost
from service.turns.types import BrokenRule

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """One kind of problem, with what it means and what to do."""

    code: str
    status: int
    title: str
    explanation: str

    @property
    def address(self) -> str:
        """The page that explains it: the `type` of such problems."""
        return f"/docs/problems/{self.code}"

    def document(self, detail: str, instance: str, retry_after: int | None) -> dict[str, object]:
        """A problem of this kind that is answered without the application (RFC 9457)."""
        return {
            "type": self.address,
            "title": self.title,
            "status": self.status,
            "code": self.code,
            "detail": detail,
            "instance": instance,
        } | ({} if retry_after is None else {"retry_after": retry_after})


TABLE: Final = read_text("service.api", "problem_kinds.txt")
"""A line with code, status and title for each kind, below it the explanation."""

KINDS: Final = {
    code: ProblemKind(code, int(status), title, " ".join(explanation.split()))
    for code, status, title, explanation in re.findall(r"^(\S+) (\d+) (.+)\n((?: .+\n)+)", TABLE, re.MULTILINE)
}
"""By code."""

FALLBACK = {
    400: "bad_request",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    409: "conflict",
    412: "precondition_failed",
    413: "body_too_large",
    414: "uri_too_long",
    415: "unsupported_media_type",
    422: "invalid",
    429: "too_many_requests",
    431: "header_too_large",
    500: "internal_error",
    501: "not_implemented",
    503: "unavailable",
}
"""The kind of an error raised by Flask or Werkzeug, by status."""


class Extras(TypedDict, total=False):
    """Members that the API adds, each to one kind of problem."""

    retry_after: Annotated[int, About("How many seconds to wait.")]
    limit: Annotated[str, About("The name of the limit that was reached.", example="reads")]
    checks: Annotated[Mapping[str, str], About("Every check by name: `ok`, `unavailable`, or what is missing.")]
    rule: Annotated[str, About("The number of the broken rule in the game's rules text.")]
    others: Annotated[tuple[BrokenRule, ...], About("Further rules that the same action breaks.")]
    legal: Annotated[
        tuple[LegalActionAnswer, ...], About("What would have been legal in place of the refused action; at most 200.")
    ]
    legal_total: Annotated[int, About("How many actions would have been legal.")]
    turn: Annotated[TurnAnswer, About("The rejected turn with its verdict.")]


@dataclass(frozen=True, slots=True)
class ProblemAnswer:
    """Why a request was refused (RFC 9457). Members beyond `instance` are present only where they
    apply.
    """

    type: Annotated[str, About("The kind of problem, explained at this address."), Format("uri-reference")]
    title: Annotated[str, About("The kind of problem in a few words; always the same for one kind.")]
    status: Annotated[int, About("The status of the answer.")]
    code: Annotated[str, About("A stable code; of a rejected turn the game's own code.")]
    detail: Annotated[str, About("What was wrong this time, and what would work.")]
    instance: Annotated[str, About("Names this occurrence in our logs.")]
    members: Annotated[Members, Inlined()]
    extras: Annotated[Extras, Inlined()]


@dataclass(eq=False)
class ProblemDetails(Exception):
    """An error that is answered to the client. ``kind`` is a key of ``KINDS``, otherwise ``status``
    is required; ``code`` is a narrower code than the kind. ``members`` and ``extras`` are further
    members of the document; ``retry_after`` of ``extras`` is answered as a header, too.
    """

    kind: str
    detail: str
    code: str | None = None
    status: int | None = None
    members: Members = field(default_factory=Members)
    extras: Extras = field(default_factory=Extras)
    headers: Mapping[str, str] = field(default_factory=dict)


def kind_of(error: ServiceError) -> ProblemKind:
    """The kind for an error: that of its own code if the status is the same, else of its class."""
    general = KINDS.get(type(error).code, KINDS["internal_error"])
    own = KINDS.get(error.code, general)
    return own if own.status == general.status else general


def problem_of(error: ServiceError) -> ProblemDetails:
    """The problem for an error of a use case."""
    problem = ProblemDetails(kind_of(error).code, str(error), code=error.code, members=error.members())
    if isinstance(error, Unavailable | TooMany):
        problem.extras["retry_after"] = error.retry_after
    return problem


def invalid(faults: tuple[Fault, ...]) -> ProblemDetails:
    """The problem for these faults; its sentence is the first of them, with its place."""
    first = faults[0]
    place = first.get("pointer") or first.get("parameter") or first.get("header")
    more = f" There {'is' if len(faults) == 2 else 'are'} {len(faults) - 1} more." if len(faults) > 1 else ""
    sentence = f"{place + ': ' if place else ''}{first['detail']}{more}"
    return ProblemDetails("invalid", sentence, members={"errors": faults[:MOST_FAULTS]})


def respond(problem: ProblemDetails) -> Response:
    """Serialises a problem."""
    known = KINDS.get(problem.kind)
    status = known.status if known else problem.status or 400
    answer = ProblemAnswer(
        type=(known or KINDS[FALLBACK.get(status, "bad_request")]).address,
        title=known.title if known else HTTPStatus(status).phrase,
        status=status,
        code=problem.code or problem.kind,
        detail=problem.detail,
        instance=request.environ.get("overland.instance", told_path()),
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


log = structlog.get_logger("overland.api")

UNAVAILABLE = (*OUTAGES, database_errors.InternalError, database_errors.NotSupportedError)  # away, or read-only
RETRY_SECONDS = 2
REPAIR_SECONDS = 10


def register_error_handlers(app: Flask) -> None:
    """Makes an application answer every error with a problem."""
    app.register_error_handler(ProblemDetails, respond)
    app.register_error_handler(MatchUnreadable, _answer_unreadable)
    app.register_error_handler(ServiceError, lambda error: respond(problem_of(error)))
    app.register_error_handler(HTTPException, _answer_http)
    for kind in UNAVAILABLE:
        app.register_error_handler(kind, _answer_unavailable)
    app.register_error_handler(FileLost, _answer_lost)
    app.register_error_handler(Exception, _answer_unexpected)


def _answer_unreadable(error: MatchUnreadable) -> Response:
    """Answers that the log of a match cannot be read, and marks the match."""
    mending.report(context(), error)
    return respond(problem_of(error))


def _answer_http(error: HTTPException) -> Response:
    """Answers an error of Flask or Werkzeug, with our sentence and its own headers."""
    status = error.code or 500
    if error.response is not None or status < 400:
        return error.get_response()  # type: ignore[return-value]
    ours = ("content-type", "content-length")
    headers = {name: value for name, value in error.get_headers() if name.lower() not in ours}
    kind = FALLBACK.get(status, f"http_{status}")
    return respond(ProblemDetails(kind, _sentence(error), status=status, headers=headers))


def _sentence(error: HTTPException) -> str:
    if isinstance(error, MethodNotAllowed):
        return f"{request.method} is not allowed here; allowed: {', '.join(sorted(error.valid_methods or ()))}."
    if isinstance(error, RequestEntityTooLarge):
        return f"The body is longer than {(request.max_content_length or 0) // 1024} kB, which is the maximum."
    if error.code == 404:
        return f"There is nothing at {request.path[:200]}. GET /v1/games lists the games; /docs shows every address."
    return error.description or "The request cannot be answered."


def _answer_unavailable(error: Exception) -> Response:
    """Logs the reason and does not answer it, since it may contain addresses and statements."""
    name = type(getattr(error, "orig", None) or error).__name__
    was_away = getattr(error, "statement", None) is None or getattr(error, "connection_invalidated", False)
    told: dict[str, object] = {"reason": reason_of(error)} if was_away else {"exc_info": error}
    log.error("database.unavailable", method=request.method, path=told_path(), error=name, **told)
    reason = "The disk of the service is full" if is_full(error) else "The database cannot be used just now"
    sentence = f"{reason}. Repeat the request: with the same Idempotency-Key a turn is never accepted twice."
    return respond(ProblemDetails("temporarily_unavailable", sentence, extras={"retry_after": RETRY_SECONDS}))


def _answer_lost(error: FileLost) -> Response:
    """The file of the database is not the one that was opened; its path is not answered."""
    log.error("database.replaced", method=request.method, path=told_path(), error=str(error))
    sentence = (
        f"The database cannot be used: {error.reason}. Nothing is stored until that is repaired. Then repeat the"
        " request: with the same Idempotency-Key a turn is never accepted twice."
    )
    return respond(ProblemDetails("database_replaced", sentence, extras={"retry_after": REPAIR_SECONDS}))


def _answer_unexpected(error: Exception) -> Response:
    """Logs an unexpected error in full and answers it without details."""
    log.error("request.failed", method=request.method, path=told_path(), exc_info=error)
    sentence = "Something went wrong on our side. Try again; if it happens again, tell us the instance."
    return respond(ProblemDetails("internal_error", sentence))
