"""For operators, not in the OpenAPI document: whether the process is up (`/healthz`), whether all
that it needs is available (`/readyz`), and metrics for Prometheus, which need the token in the
settings; in development they are open without one.
"""

from __future__ import annotations

import hmac

import structlog
from flask import Flask, Response, request

from service.api.operations import written
from service.api.problems import ProblemDetails
from service.api.requests import context
from service.readiness import State, findings, state_of

log = structlog.get_logger("overland.api")
METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def add_health(app: Flask) -> None:
    """Adds `/healthz`, `/readyz` and `/metrics`."""
    app.add_url_rule("/healthz", "healthz", get_health)
    app.add_url_rule("/readyz", "readyz", get_readiness)
    app.add_url_rule("/metrics", "metrics", get_metrics)


def get_health() -> Response:
    """The process is up."""
    return written({"status": "ok"})


def get_readiness() -> Response:
    """Whether everything is available that the service needs: database, its migrations, disk,
    queue. Without the queue it works, more slowly.
    """
    found = findings(context())
    amiss = [each for each in found if each.state is not State.GOOD]
    for each in amiss:
        log.warning("health.not_ready", check=each.check.value, outcome=each.outcome, error=each.said)
    checks = {each.check.value: each.outcome for each in found}
    state = state_of(found)
    if state is State.DOWN:
        said = f"Not ready: {', '.join(f'{each.check.value} {each.outcome}' for each in amiss)}."
        raise ProblemDetails("unavailable", said, extras={"checks": checks}, headers={"Retry-After": "5"})
    maintenance = None if (present := context().maintenance()) is None else present.sentence
    status = "degraded" if state is State.DEGRADED else "ready"
    return written({"checks": checks, "maintenance": maintenance, "status": status})


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
    from service.metrics import exposition  # here, so that only who is scraped has it in memory

    return Response(exposition(context()), content_type=METRICS_TYPE)
