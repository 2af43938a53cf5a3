"""Error handlers: every error, expected or not, is answered as a problem."""

from __future__ import annotations

import structlog
from flask import Flask, Response, request
from sqlalchemy import exc as database_errors
from werkzeug.exceptions import HTTPException, MethodNotAllowed, RequestEntityTooLarge

from service.api.current import context
from service.api.problems import FALLBACK, ProblemDetails, problem_of, respond
from service.errors import ServiceError
from service.matches import mending
from service.matches.replays import MatchUnreadable
from service.readiness import is_full
from service.store.files import FileLost

log = structlog.get_logger("overland.api")

UNAVAILABLE = (
    database_errors.OperationalError,
    database_errors.InterfaceError,
    database_errors.InternalError,
    database_errors.NotSupportedError,
    database_errors.TimeoutError,
)
"""Errors of drivers where the database is locked, full, restarting, unreachable or, as a PostgreSQL
standby, not writable; not those of a wrong statement.
"""
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
    headers = {
        name: value for name, value in error.get_headers() if name.lower() not in ("content-type", "content-length")
    }
    return respond(
        ProblemDetails(FALLBACK.get(status, f"http_{status}"), _sentence(error), status=status, headers=headers)
    )


def _sentence(error: HTTPException) -> str:
    if isinstance(error, MethodNotAllowed):
        return f"{request.method} is not allowed here; allowed: {', '.join(sorted(error.valid_methods or ()))}."
    if isinstance(error, RequestEntityTooLarge):
        return "The body is longer than 64 kB, which is the maximum."
    if error.code == 404:
        return f"There is nothing at {request.path[:200]}. GET /v1/games lists the games; /docs shows every address."
    return error.description or "The request cannot be answered."


def _answer_unavailable(error: Exception) -> Response:
    """Answers that the database is unavailable. The reason is logged and not answered, since it may
    contain addresses and statements.
    """
    log.error(
        "database.unavailable",
        method=request.method,
        path=request.path,
        error=type(getattr(error, "orig", None) or error).__name__,
        exc_info=error,
    )
    reason = "The disk of the service is full" if is_full(error) else "The database cannot be used just now"
    sentence = f"{reason}. Repeat the request: with the same Idempotency-Key a turn is never accepted twice."
    return respond(ProblemDetails("temporarily_unavailable", sentence, extras={"retry_after": RETRY_SECONDS}))


def _answer_lost(error: FileLost) -> Response:
    """Answers that the file of the database is not the one that was opened. Its path is logged and
    not answered.
    """
    log.error("database.replaced", method=request.method, path=request.path, error=str(error))
    sentence = (
        f"The database cannot be used: {error.reason}. Nothing is stored until that is repaired. Then repeat the"
        " request: with the same Idempotency-Key a turn is never accepted twice."
    )
    return respond(ProblemDetails("database_replaced", sentence, extras={"retry_after": REPAIR_SECONDS}))


def _answer_unexpected(error: Exception) -> Response:
    """Logs an unexpected error in full and answers it without details."""
    log.error("request.failed", method=request.method, path=request.path, exc_info=error)
    return respond(
        ProblemDetails(
            "internal_error", "Something went wrong on our side. Try again; if it happens again, tell us the instance."
        )
    )
