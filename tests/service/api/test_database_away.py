"""While the database is unavailable, clients are told to try again: it is neither their fault nor a
permanent error.
"""

from __future__ import annotations

from dataclasses import replace

from flask.testing import FlaskClient
from sqlalchemy import Connection, event
from sqlalchemy.exc import NotSupportedError
from structlog.testing import capture_logs

from service.app import create_app
from service.context import Context
from service.store.database import Database
from tests.service.api.conftest import Person
from tests.service.api.test_edges import problem


def client_without_database(context: Context) -> FlaskClient:
    away = replace(context, database=Database(f"sqlite:///{context.settings.data_dir}/nowhere/overland.sqlite"))
    return create_app(away).test_client()


def _refuse_to_write(connection: Connection) -> None:
    raise NotSupportedError("INSERT", {}, Exception("cannot set transaction read-write mode during recovery"))


def test_a_standby_that_takes_no_writes_is_unavailable(context: Context) -> None:
    database = Database(str(context.database.url))
    event.listen(database.engine, "begin", _refuse_to_write)
    body = {"name": "Bela", "email": "bela@example.org"}
    answer = create_app(replace(context, database=database)).test_client().post("/v1/players", json=body)
    assert problem(answer, 503, "temporarily_unavailable")["retry_after"] > 0


def test_an_unavailable_database_says_when_to_ask_again(context: Context, ada: Person) -> None:
    with capture_logs() as logs:
        answer = client_without_database(context).get("/v1/me", headers={"Authorization": f"Bearer {ada.token}"})
    found = problem(answer, 503, "temporarily_unavailable")
    assert int(answer.headers["Retry-After"]) == found["retry_after"] > 0
    assert found["detail"] == (
        "The database cannot be used just now. Repeat the request: with the same Idempotency-Key a turn is never"
        " accepted twice."
    )
    assert "sqlite" not in answer.text.lower()
    assert [entry["event"] for entry in logs] == ["database.unavailable", "request"]
    assert "unable to open" in logs[0]["reason"]
    assert "exc_info" not in logs[0], "each request tells it on one line"


def test_a_turn_refused_for_that_reason_is_accepted_when_the_database_is_back(context: Context, ada: Person) -> None:
    body = {"name": "Bela", "email": "bela@example.org"}
    assert client_without_database(context).post("/v1/players", json=body).status_code == 503
    assert create_app(context).test_client().post("/v1/players", json=body).status_code == 202
