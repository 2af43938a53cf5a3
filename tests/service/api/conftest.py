"""The API over a service of its own, on SQLite, whose turns are judged at once; and people who use
it over HTTP alone.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.test import TestResponse

from service.config import load
from service.context import Context
from service.store.tables import outbox
from service.turns import pending
from service.wiring import wire
from tests.service.fakes import Timer
from tools.memory_queue import MemoryQueue


@pytest.fixture
def context(tmp_path: Path, sqlite_template: Path) -> Iterator[Context]:
    shutil.copy(sqlite_template, tmp_path)
    queue = MemoryQueue()
    wired = replace(wire(load({"OVERLAND_DATA_DIR": str(tmp_path)})), queue=queue, timer=Timer())
    queue.judge = lambda: pending.judge_pending(wired)
    yield wired
    wired.close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@dataclass(frozen=True)
class Person:
    """Somebody with a token, who talks HTTP."""

    client: FlaskClient
    name: str
    email: str
    token: str

    def get(self, path: str, **options: Any) -> TestResponse:
        return self._ask("GET", path, **options)

    def post(self, path: str, body: Any = None, **options: Any) -> TestResponse:
        return self._ask("POST", path, **({} if body is None else {"json": body}), **options)

    def patch(self, path: str, body: Any) -> TestResponse:
        return self._ask("PATCH", path, json=body)

    def put(self, path: str, body: Any) -> TestResponse:
        return self._ask("PUT", path, json=body)

    def delete(self, path: str) -> TestResponse:
        return self._ask("DELETE", path)

    def _ask(self, method: str, path: str, headers: dict[str, str] | None = None, **options: Any) -> TestResponse:
        return self.client.open(
            path, method=method, headers={"Authorization": f"Bearer {self.token}"} | (headers or {}), **options
        )


SignUp = Callable[[str], Person]


@pytest.fixture
def sign_up(client: FlaskClient, context: Context) -> SignUp:
    """Signs somebody up as people do, but reads the one-time token off the outbox."""

    def sign_up(name: str) -> Person:
        email = f"{name.lower()}@example.org"
        assert client.post("/v1/players", json={"name": name, "email": email}).status_code == 202
        answer = client.post("/v1/confirm", json={"token": latest_secret(context)})
        assert answer.status_code == 200, answer.text
        return Person(client, name, email, answer.get_json()["token"])

    return sign_up


@pytest.fixture
def ada(sign_up: SignUp) -> Person:
    return sign_up("Ada")


@pytest.fixture
def bela(sign_up: SignUp) -> Person:
    return sign_up("Bela")


@pytest.fixture
def match(ada: Person, bela: Person) -> str:
    """The id of a running match of Oregon in which Ada has seat 0 and Bela seat 1."""
    created = ada.post(
        "/v1/matches",
        {"game": "oregon", "title": "Westward", "seats": [{"kind": "me"}, {"kind": "invite", "email": bela.email}]},
    )
    assert created.status_code == 201, created.text
    found: str = created.get_json()["id"]
    assert bela.post(f"/v1/matches/{found}/join").get_json()["status"] == "running"
    return found


def latest_secret(context: Context) -> str:
    """The one-time token of the latest mail that holds one."""
    with context.database.read() as connection:
        rows = connection.execute(
            select(outbox.c.payload)
            .where(outbox.c.kind.in_(("confirm_address", "sign_in")))
            .order_by(outbox.c.created_at)
        ).all()
    secret: str = rows[-1].payload["token"]
    return secret
