"""Health of the service: whether the process is up (`/healthz`), and whether everything it needs is
available (`/readyz`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import structlog

from engine.documents import About
from service.api.current import context
from service.api.operations import Answer, Blueprint, operation
from service.api.problems import ProblemDetails
from service.redis_link import RedisAway
from service.store.database import missing_migrations
from service.store.files import FileLost
from service.store.versions import unknown_migrations

log = structlog.get_logger("overland.api")
blueprint = Blueprint("health", __name__, description="Health, for operators of the service.")


@dataclass(frozen=True, slots=True)
class Health:
    """The process is up."""

    status: Literal["ok"] = "ok"


@dataclass(frozen=True, slots=True)
class Readiness:
    """Everything the service needs is available."""

    checks: Annotated[Mapping[str, str], About(example={"database": "ok", "migrations": "ok", "queue": "ok"})]
    maintenance: Annotated[str | None, About("During a maintenance the sentence with which writes are refused.")]
    status: Literal["ready"] = "ready"


@operation(blueprint, "GET", "/healthz", Answer(Health, description="The process is up."))
def get_health() -> Any:
    """Is the process up?"""
    return Health()


@operation(
    blueprint,
    "GET",
    "/readyz",
    Answer(Readiness, description="Everything the service needs is available."),
    problems=(503,),
)
def get_readiness() -> Any:
    """Is everything the service needs available: database, its migrations, queue?"""
    checks = {name: _outcome(name, check) for name, check in CHECKS.items()}
    missing = [f"{name} {outcome}" for name, outcome in checks.items() if outcome != "ok"]
    if missing:
        raise ProblemDetails(
            "unavailable", f"Not ready: {', '.join(missing)}.", extras={"checks": checks}, headers={"Retry-After": "5"}
        )
    present = context().maintenance()
    return Readiness(checks, None if present is None else present.sentence)


def _outcome(name: str, check: Callable[[], str]) -> str:
    """The result of a check. The reason of a failure is logged and not answered: it may contain
    addresses and passwords.
    """
    try:
        return check()
    except FileLost as error:
        log.error("health.not_ready", check=name, error=str(error))
        return f"lost: {error.reason}"
    except Exception as error:  # drivers raise errors of many kinds
        log.warning("health.not_ready", check=name, error=type(error).__name__)
        return "unavailable"


def _database() -> str:
    context().database.check()
    return "ok"


def _migrations() -> str:
    unknown = unknown_migrations(context().database)
    if unknown:
        return f"newer than this version: {', '.join(unknown)}"
    missing = missing_migrations(context().database)
    return f"missing: {', '.join(missing)}" if missing else "ok"


def _queue() -> str:
    try:
        context().queue.check()
    except RedisAway as away:
        log.warning("health.not_ready", check="queue", reason=away.trouble.value, error=str(away))
        return away.trouble.value
    return "ok"


CHECKS: dict[str, Callable[[], str]] = {"database": _database, "migrations": _migrations, "queue": _queue}
