"""The API over a service of its own, on SQLite, whose turns are judged at once; and people who use
it over HTTP alone.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.test import TestResponse

from service.api.openapi import openapi_document
from service.app import with_context
from service.config import load
from service.context import Context
from service.store.tables import outbox
from service.turns import pending
from service.wiring import wire
from tests.service.fakes import Timer
from tools.memory_queue import MemoryQueue

GENERAL: Final = {
    *"Access-Control-Allow-Origin Access-Control-Expose-Headers Cache-Control Content-Encoding Content-Length".split(),
    *"Content-Security-Policy Content-Type Cross-Origin-Opener-Policy Referrer-Policy Vary".split(),
    "Strict-Transport-Security",
    "X-Content-Type-Options",
}
"""Headers of answers that are for browsers and proxies, not for clients of the API."""
LAID: Final = "laid.json"
"""The file, in the folder of a service that was copied, with the tokens of those who have signed up
in it and with the id of their match.
"""


@cache
def described() -> list[tuple[re.Pattern[str], dict[tuple[str, str], set[str]]]]:
    """The headers of answers by method and status, by the pattern of a path, literal ones first."""
    document = openapi_document()
    found = []
    for path, operations in sorted(document["paths"].items(), key=lambda item: item[0].count("{")):
        told = {}
        for method in operations.keys() - {"parameters"}:
            for status, answer in operations[method]["responses"].items():
                part = answer.get("$ref", "").rpartition("/")[2]
                told[method.upper(), status] = set((document["components"]["responses"].get(part) or answer)["headers"])
        found.append((re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path))), told))
    return found


def check_described(answer: TestResponse) -> None:
    """That the document has the status of an answer for its operation, and every header of it."""
    method = answer.request.method.replace("HEAD", "GET")
    told = next((told for path, told in described() if path.fullmatch(answer.request.path)), {})
    if method in {each for each, _ in told}:
        asked = method, answer.request.path, answer.status_code
        assert (method, str(answer.status_code)) in told, asked
        assert set(answer.headers.keys()) - GENERAL <= told[method, str(answer.status_code)], (asked, answer.headers)


@pytest.fixture(autouse=True)
def every_answer_is_described(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks all that the API answers in these tests, whatever they are about."""
    ask = FlaskClient.open

    def asked(client: FlaskClient, *args: Any, **kwargs: Any) -> TestResponse:
        answer = ask(client, *args, **kwargs)
        check_described(answer)
        return answer

    monkeypatch.setattr(FlaskClient, "open", asked)


def served_from(folder: Path, database_url: str = "") -> Context:
    """A service in this folder, by default with its database there; turns are judged at once."""
    queue = MemoryQueue()
    settings = load({"OVERLAND_DATA_DIR": str(folder), "OVERLAND_DATABASE_URL": database_url})
    wired = replace(wire(settings), queue=queue, timer=Timer())
    queue.judge = lambda: pending.judge_pending(wired)
    return wired


@pytest.fixture(scope="session")
def laid(
    app_of_session: Flask, sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[frozenset[str]], Path]:
    """The folder, to be copied, of a service that has what these fixtures stand for."""

    @cache
    def lay(names: frozenset[str]) -> Path:
        folder = tmp_path_factory.mktemp("laid")
        shutil.copy(sqlite_template, folder)
        context = served_from(folder)
        client = with_context(app_of_session, context).test_client()
        people = {name: signed_up(client, context, name) for name in ("Ada", "Bela") if name.lower() in names}
        known = {name: person.token for name, person in people.items()}
        if "match" in names:
            known["match"] = begun(people["Ada"], people["Bela"])
        context.close()
        (folder / LAID).write_text(json.dumps(known))
        return folder

    return lay


@pytest.fixture
def context(
    request: pytest.FixtureRequest, tmp_path: Path, laid: Callable[[frozenset[str]], Path]
) -> Iterator[Context]:
    """With the people and the match that the test asks for, which are copied."""
    names = frozenset({"ada", "bela", "match"} & set(request.fixturenames))
    shutil.copytree(laid(names), tmp_path, dirs_exist_ok=True)
    wired = served_from(tmp_path)
    yield wired
    wired.close()


def known_in(folder: Path) -> dict[str, str]:
    """The tokens by name, and the id of the match, of a service that was laid in this folder."""
    file = folder / LAID
    return dict(json.loads(file.read_text())) if file.exists() else {}


@pytest.fixture
def known(context: Context) -> dict[str, str]:
    """What a copied service has; nothing where the module has another ``context``."""
    return known_in(context.settings.data_dir)


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


def email_of(name: str) -> str:
    return f"{name.lower()}@example.org"


def signed_up(client: FlaskClient, context: Context, name: str) -> Person:
    """Signs somebody up as people do, but reads the one-time token off the outbox."""
    email = email_of(name)
    assert client.post("/v1/players", json={"name": name, "email": email}).status_code == 202
    answer = client.post("/v1/confirm", json={"token": latest_secret(context)})
    assert answer.status_code == 200, answer.text
    return Person(client, name, email, answer.get_json()["token"])


def begun(ada: Person, bela: Person) -> str:
    """The id of a running match of Oregon in which Ada has seat 0 and Bela seat 1."""
    created = ada.post(
        "/v1/matches",
        {"game": "oregon", "title": "Westward", "seats": [{"kind": "me"}, {"kind": "invite", "email": bela.email}]},
    )
    assert created.status_code == 201, created.text
    found: str = created.get_json()["id"]
    assert bela.post(f"/v1/matches/{found}/join").get_json()["status"] == "running"
    return found


@pytest.fixture
def sign_up(client: FlaskClient, context: Context, known: dict[str, str]) -> SignUp:
    """Signs somebody up, unless they have in the service that was copied."""

    def sign_up(name: str) -> Person:
        token = known.pop(name, None)
        return Person(client, name, email_of(name), token) if token else signed_up(client, context, name)

    return sign_up


@pytest.fixture
def ada(sign_up: SignUp) -> Person:
    return sign_up("Ada")


@pytest.fixture
def bela(sign_up: SignUp) -> Person:
    return sign_up("Bela")


@pytest.fixture
def match(ada: Person, bela: Person, known: dict[str, str]) -> str:
    """The id of a running match of Oregon in which Ada has seat 0 and Bela seat 1."""
    return known.get("match") or begun(ada, bela)


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
