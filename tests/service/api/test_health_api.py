"""Health: the process is up; everything it needs is available, or what is not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.context import Context
from service.queue import RqQueue
from service.store.database import Database
from tests.service.api.test_edges import problem
from tests.service.fakes import link_to


def test_the_process_reports_that_it_is_up(client: FlaskClient) -> None:
    assert client.get("/healthz").get_json() == {"status": "ok"}


def test_the_service_is_ready_when_everything_is_available(client: FlaskClient) -> None:
    assert client.get("/readyz").get_json() == {
        "status": "ready",
        "checks": {"database": "ok", "migrations": "ok", "disk": "ok", "queue": "ok", "parts": "ok", "mailbox": "ok"},
        "maintenance": None,
    }


def test_a_database_that_was_never_migrated_is_named(context: Context, tmp_path: Path) -> None:
    bare = create_app(replace(context, database=Database(f"sqlite:///{tmp_path}/bare.sqlite"))).test_client()
    answer = bare.get("/readyz")
    found = problem(answer, 503, "unavailable")
    assert found["checks"]["migrations"].startswith("missing: ")
    assert answer.headers["Retry-After"]


def test_an_unavailable_database_is_named_without_its_address(context: Context) -> None:
    lost = replace(context, database=Database("postgresql://overland:very-secret@127.0.0.1:1/overland"))
    answer = create_app(lost).test_client().get("/readyz")
    assert problem(answer, 503, "unavailable")["checks"]["database"] == "unavailable"
    assert "very-secret" not in answer.text


@pytest.mark.parametrize(
    ("url", "outcome"),
    [
        ("redis://127.0.0.1:1/0", "does not answer"),
        ("", "is not configured: OVERLAND_REDIS_URL is empty"),
        ("http://nonsense", "has an address that cannot be used"),
    ],
)
def test_without_its_queue_the_service_is_ready_and_slower(context: Context, url: str, outcome: str) -> None:
    slower = create_app(replace(context, queue=RqQueue(link_to(url)))).test_client()
    answer = slower.get("/readyz")
    assert (answer.status_code, answer.get_json()["status"]) == (200, "degraded")
    assert answer.get_json()["checks"]["queue"] == outcome
    assert slower.get("/healthz").status_code == 200
