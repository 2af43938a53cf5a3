"""How often one address may ask, where the settings say so: generously in general, sparingly where
a mail is sent or a token guessed.

Counts are kept in Redis, shared by all processes; while Redis is out of reach each process counts
for itself.
"""

from __future__ import annotations

import math
import time
from typing import Any

from flask import Flask, Response, request
from flask_limiter import Limiter, RequestLimit
from flask_limiter.util import get_remote_address
from werkzeug.middleware.proxy_fix import ProxyFix

from service.api.problems import Problem, respond
from service.config import Settings

EVERYTHING = "600 per minute"
PARTICULAR = {"players.sign_up": "10 per minute; 60 per day", "players.confirm_player": "30 per minute"}
MOST_BYTES = 64 * 1024
ROOMY = {"matches.create_match": 256 * 1024}
"""Where a body may be longer: a new match can bring a whole component set along."""


def limit_requests(app: Flask, settings: Settings) -> None:
    """Refuses bodies that are too large, and where ``settings.rate_limit`` is on also callers who
    ask too often.

    A caller is an address: behind proxies the one they forward, where ``settings.trusted_proxies``
    says how many they are.
    """
    if settings.trusted_proxies:
        # A caller is who spoke to the outermost proxy; what stands further left in the header
        # anybody could have written.
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=settings.trusted_proxies, x_proto=0)  # type: ignore[method-assign]
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    app.config["MAX_FORM_MEMORY_SIZE"] = MOST_BYTES
    app.before_request(_make_room)
    if not settings.rate_limit:
        return
    limiter = Limiter(
        get_remote_address,
        app=app,
        application_limits=[EVERYTHING],
        storage_uri=settings.redis_url or "memory://",
        key_prefix="overland-rate",
        in_memory_fallback=[EVERYTHING],
        on_breach=_refuse,
    )
    for endpoint, limit in PARTICULAR.items():
        limited: Any = limiter.limit(limit)(app.view_functions[endpoint])
        app.view_functions[endpoint] = limited
    for endpoint in ("health.get_health", "health.get_readiness", "metrics"):
        limiter.exempt(app.view_functions[endpoint])


def _make_room() -> None:
    if request.endpoint in ROOMY:
        request.max_content_length = ROOMY[request.endpoint]


def _refuse(limit: RequestLimit) -> Response:
    """The answer to one request too many."""
    seconds = max(1, math.ceil(limit.reset_at - time.time()))
    sentence = f"You have asked too often: {limit.limit} is the most. Ask again in {seconds} seconds."
    return respond(
        Problem("too_many_requests", sentence, extras={"retry_after": seconds}, headers={"Retry-After": str(seconds)})
    )
