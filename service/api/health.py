"""Health of the service: whether the process is up (`/healthz`), and whether everything it needs is
available (`/readyz`).
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import structlog
from flask import Flask, Response, request

from engine.documents import About
from service.api.operations import Answer, Blueprint, operation
from service.api.problems import ProblemDetails
from service.api.requests import context
from service.metrics import exposition
from service.readiness import State, findings, state_of

log = structlog.get_logger("overland.api")
blueprint = Blueprint("health", __name__, description="Health, for operators of the service.")


@dataclass(frozen=True, slots=True)
class Health:
    """The process is up."""

    status: Literal["ok"] = "ok"


@dataclass(frozen=True, slots=True)
class ReadinessAnswer:
    """The service works; `degraded`: more slowly than it should, `checks` says why."""

    checks: Annotated[
        Mapping[str, str],
        About(example={"database": "ok", "migrations": "ok", "disk": "ok", "queue": "ok", "parts": "ok"}),
    ]
    maintenance: Annotated[str | None, About("During a maintenance the sentence with which writes are refused.")]
    status: Literal["ready", "degraded"]


@operation(blueprint, "GET", "/healthz", Answer(Health, "The process is up."))
def get_health() -> Any:
    """Is the process up?"""
    return Health()


@operation(blueprint, "GET", "/readyz", Answer(ReadinessAnswer, "The service works."), problems=(503,))
def get_readiness() -> Any:
    """Is everything available that the service needs: database, its migrations, disk, queue?

    Without the queue it works, more slowly.
    """
    found = findings(context())
    amiss = [each for each in found if each.state is not State.GOOD]
    for each in amiss:
        log.warning("health.not_ready", check=each.check.value, outcome=each.outcome, error=each.said)
    checks = {each.check.value: each.outcome for each in found}
    state = state_of(found)
    if state is State.DOWN:
        named = ", ".join(f"{each.check.value} {each.outcome}" for each in amiss)
        raise ProblemDetails(
            "unavailable", f"Not ready: {named}.", extras={"checks": checks}, headers={"Retry-After": "5"}
        )
    present = context().maintenance()
    return ReadinessAnswer(
        checks, None if present is None else present.sentence, "degraded" if state is State.DEGRADED else "ready"
    )


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
