"""During a maintenance whatever would write is answered with `503`, the operator's sentence and
`Retry-After`; everything else goes on.
"""

from __future__ import annotations

import math
from typing import Final

from flask import Flask, request

from service.api.current import context
from service.api.problems import ProblemDetails
from service.store.maintenance import Maintenance

READING_METHODS: Final = ("GET", "HEAD", "OPTIONS")
READING_ENDPOINTS: Final = ("turns.list_legal_actions_after", "web.confirm")
"""An operation that reads, though a body makes it ``POST``; and a page, which says it itself."""
PREVIEWS: Final = ("turns.submit_turn",)
"""Operations that only read where the body says ``dry_run``."""
USUAL_SECONDS: Final = 60
SHORTEST_SECONDS: Final = 10
LONGEST_SECONDS: Final = 3600


def refuse_writes_in_maintenance(app: Flask) -> None:
    """Makes an application check every request that would write."""
    app.before_request(_refuse)


def seconds_left(maintenance: Maintenance) -> int:
    """After how many seconds a request that a maintenance refuses may be repeated."""
    if maintenance.expected_end is None:
        return USUAL_SECONDS
    left = math.ceil((maintenance.expected_end - context().clock()).total_seconds())
    return min(max(left, SHORTEST_SECONDS), LONGEST_SECONDS)


def _refuse() -> None:
    if request.endpoint is None or request.method in READING_METHODS or request.endpoint in READING_ENDPOINTS:
        return
    found = context().maintenance()
    if found is None or (request.endpoint in PREVIEWS and _is_dry_run()):
        return
    raise ProblemDetails("maintenance", found.sentence, extras={"retry_after": seconds_left(found)})


def _is_dry_run() -> bool:
    body = request.get_json(silent=True)
    return isinstance(body, dict) and body.get("dry_run") is True
