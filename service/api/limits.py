"""Rate limits per client address, where the settings enable them: one for all requests, and
stricter ones for requests that send mail or could be used to guess a token. Also limits the size of
bodies.

Counts are kept in Redis, shared by all processes; while Redis is unavailable each process counts
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

from service.api.problems import ProblemDetails, respond
from service.config import Settings

GENERAL_LIMIT = "600 per minute"
STRICTER_LIMITS = {"players.sign_up": "10 per minute; 60 per day", "players.confirm_player": "30 per minute"}
MOST_BYTES = 64 * 1024
LARGER_BODIES = {"matches.create_match": 256 * 1024}
"""Bytes of a body, by endpoint: a new match may contain a whole component set."""


def limit_requests(app: Flask, settings: Settings) -> None:
    """Refuses bodies that are too large and, where ``settings.rate_limit`` is on, requests beyond
    the limits.

    Requests are counted by client address: behind ``settings.trusted_proxies`` proxies by the one
    that the outermost of them forwards.
    """
    if settings.trusted_proxies:
        # The client is the peer of the outermost proxy; entries further left in the header could be
        # forged by the client.
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=settings.trusted_proxies, x_proto=0)  # type: ignore[method-assign]
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    app.config["MAX_FORM_MEMORY_SIZE"] = MOST_BYTES
    app.before_request(_allow_larger_body)
    if not settings.rate_limit:
        return
    limiter = Limiter(
        get_remote_address,
        app=app,
        application_limits=[GENERAL_LIMIT],
        storage_uri=settings.redis_url or "memory://",
        key_prefix="overland-rate",
        in_memory_fallback=[GENERAL_LIMIT],
        on_breach=_refuse,
    )
    for endpoint, limit in STRICTER_LIMITS.items():
        limited: Any = limiter.limit(limit)(app.view_functions[endpoint])
        app.view_functions[endpoint] = limited
    for endpoint in ("health.get_health", "health.get_readiness", "metrics"):
        limiter.exempt(app.view_functions[endpoint])


def _allow_larger_body() -> None:
    if request.endpoint in LARGER_BODIES:
        request.max_content_length = LARGER_BODIES[request.endpoint]


def _refuse(limit: RequestLimit) -> Response:
    """Answers a request beyond a limit."""
    seconds = max(1, math.ceil(limit.reset_at - time.time()))
    sentence = f"You have asked too often: the maximum is {limit.limit}. Ask again in {seconds} seconds."
    return respond(
        ProblemDetails(
            "too_many_requests", sentence, extras={"retry_after": seconds}, headers={"Retry-After": str(seconds)}
        )
    )
