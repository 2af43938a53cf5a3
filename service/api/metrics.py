"""`/metrics` for Prometheus, protected by the token in the settings; open in development without
one.

Not part of the OpenAPI document.
"""

from __future__ import annotations

import hmac

from flask import Flask, Response, request

from service.api.current import context
from service.api.problems import ProblemDetails
from service.metrics import exposition

ENDPOINT = "metrics"
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def add_metrics(app: Flask) -> None:
    """Registers the resource with an application."""
    app.add_url_rule("/metrics", ENDPOINT, get_metrics)


def get_metrics() -> Response:
    """The metrics, as text."""
    settings = context().settings
    if not settings.metrics_token:
        if settings.in_production:
            raise ProblemDetails("not_found", "Metrics are closed: OVERLAND_METRICS_TOKEN is not set.")
    elif not hmac.compare_digest(
        request.headers.get("Authorization", "").encode(), f"Bearer {settings.metrics_token}".encode()
    ):
        sentence = (
            "Metrics need the token in OVERLAND_METRICS_TOKEN: send the header Authorization: Bearer and the token."
        )
        raise ProblemDetails("unauthorized", sentence, headers={"WWW-Authenticate": 'Bearer realm="metrics"'})
    return Response(exposition(context()), content_type=CONTENT_TYPE)
