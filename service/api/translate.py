"""From the errors of the use cases to problem details."""

from __future__ import annotations

from service.api.kinds import KINDS
from service.api.problems import FALLBACK, Problem
from service.errors import ServiceError, TooMany


def problem_of(error: ServiceError) -> Problem:
    """The problem that an error of a use case is to a client: its own code, the kind it belongs to,
    its further members.
    """
    known = [code for code in (error.code, type(error).code) if code in KINDS and KINDS[code].status == error.status]
    kind = known[0] if known else FALLBACK.get(error.status, "internal_error")
    headers = {"Retry-After": str(error.retry_after)} if isinstance(error, TooMany) else {}
    return Problem(kind, str(error), code=error.code, status=error.status, extras=error.members(), headers=headers)
