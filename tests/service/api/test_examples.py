"""The examples of the API: what goes over the wire, recorded from the service, and each of them as
the document says.

`RECORD_EXAMPLES=1 python -m pytest tests/service/api/test_examples.py` writes them again.
"""

from __future__ import annotations

import json
import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from werkzeug.test import TestResponse

from service.api.openapi import openapi_document
from service.app import create_app
from service.context import Context
from service.turns import pending
from tests.service.api.conftest import latest_secret
from tools.memory_queue import MemoryQueue

FOLDER = Path(__file__).parents[3] / "openapi" / "examples"
SHOWN = ("Location", "ETag", "Preference-Applied", "WWW-Authenticate")
DOCUMENT = openapi_document()
MOMENT = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


class Recorder:
    """Talks to the service, and keeps what was said by name."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        self.kept: dict[str, dict[str, Any]] = {}

    def ask(
        self, name: str, method: str, path: str, body: Any = None, token: str | None = None, **headers: str
    ) -> TestResponse:
        sent = {"Authorization": f"Bearer {token}"} if token else {}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        answer = self.client.open(
            path, method=method, json=body, headers=sent | {"X-Request-Id": f"example-{len(self.kept):04}"}
        )
        shown = {key: "Bearer ovl_…" if key == "Authorization" else value for key, value in sent.items()}
        request = {"method": method, "path": path, "headers": shown} | ({} if body is None else {"body": body})
        answered = {key: answer.headers[key] for key in SHOWN if key in answer.headers}
        content = answer.get_json(force=True) if "json" in answer.content_type else answer.text
        response = {
            "status": answer.status_code,
            "headers": {"Content-Type": answer.content_type} | answered,
            "body": content,
        }
        self.kept[name] = {"operation": operation_id(method, path), "request": request, "response": response}
        return answer


def operation_id(method: str, path: str) -> str:
    """The operation of the document that a request is of."""
    parts = path.partition("?")[0].split("/")
    for template, methods in sorted(DOCUMENT["paths"].items(), key=lambda item: item[0].count("{")):
        wanted = template.split("/")
        if (
            len(wanted) == len(parts)
            and all(want in (part, f"{{{want.strip('{}')}}}") for want, part in zip(wanted, parts, strict=True))
            and method.lower() in methods
        ):
            found: str = methods[method.lower()]["operationId"]
            return found
    raise AssertionError(f"{method} {path} is no operation")


@pytest.fixture
def recorded(context: Context) -> dict[str, dict[str, Any]]:
    queue = MemoryQueue()
    still = replace(context, queue=queue, clock=lambda: MOMENT)
    queue.judge = lambda: pending.judge_pending(still)
    recorder = Recorder(create_app(still).test_client())
    return play(recorder, still)


def play(recorder: Recorder, context: Context) -> dict[str, dict[str, Any]]:
    """The first steps of a match, and the mistakes one makes."""
    ask = recorder.ask
    ask("sign_up", "POST", "/v1/players", {"name": "Ada", "email": "ada@example.org"})
    confirmed = ask("confirm", "POST", "/v1/confirm", {"token": latest_secret(context)})
    ada = confirmed.get_json()["token"]
    recorder.client.post("/v1/players", json={"name": "Bela", "email": "bela@example.org"})
    bela = recorder.client.post("/v1/confirm", json={"token": latest_secret(context)}).get_json()["token"]
    seats = [{"kind": "reserved"}, {"kind": "invite", "email": "bela@example.org"}]
    match = ask(
        "create_match", "POST", "/v1/matches", {"game": "oregon", "title": "Westward", "seats": seats}, ada
    ).get_json()
    path = f"/v1/matches/{match['id']}"
    ask("take_own_seat", "POST", f"{path}/join", {"nonce": "k7Yw0c-2mVQx9d_B4hTzLr"}, ada)
    ask("join_match", "POST", f"{path}/join", {"nonce": "my-own-luck-42"}, bela)
    legal = ask("legal_actions", "GET", f"{path}/legal-actions", None, ada).get_json()
    ply, first = legal["ply"], legal["items"][0]["notation"]
    ask("observation", "GET", f"{path}/observation", None, ada)
    ask("dry_run", "POST", f"{path}/turns", {"ply": ply, "notation": first, "dry_run": True}, ada)
    ask("notation_error", "POST", f"{path}/turns", {"ply": ply, "notation": "start Z99"}, ada)
    ask("rejected_turn", "POST", f"{path}/turns", {"ply": ply, "notation": illegal(legal)}, ada, Prefer="wait=10")
    ask(
        "accepted_turn",
        "POST",
        f"{path}/turns",
        {"ply": ply, "notation": first},
        ada,
        Prefer="wait=10",
        Idempotency_Key="5f0c1d7e",
    )
    ask("stale_turn", "POST", f"{path}/turns", {"ply": ply, "notation": "1"}, bela)
    late = {"ply": ply + 1, "actions": [legal["items"][0]["action"]]}
    ask("not_your_turn", "POST", f"{path}/turns", late, ada, Prefer="wait=10")
    ask("log", "GET", f"{path}/log?after={ply - 1}", None, bela)
    ask("board_text", "GET", f"{path}/board.txt")
    ask(
        "invalid_body",
        "POST",
        "/v1/matches",
        {"game": "chess", "seats": [{"kind": "invite"}], "tilte": "Westward"},
        ada,
    )
    ask("no_token", "GET", "/v1/me")
    wanted = {"mails": "digest", "digest_hour": 19, "time_zone": "Europe/Zurich"}
    ask("change_preferences", "PATCH", "/v1/me/preferences", wanted, ada)
    ask("invalid_preferences", "PATCH", "/v1/me/preferences", {"mails": "daily", "time_zone": "Zurich"}, ada)
    ask("change_match_preferences", "PATCH", f"{path}/preferences", {"mails": "at_once"}, ada)
    ask("say", "POST", f"{path}/chat", {"text": "Good luck!"}, bela)
    ask("chat", "GET", f"{path}/chat", None, ada)
    return recorder.kept


def illegal(legal: dict[str, Any]) -> str:
    lines = {item["notation"] for item in legal["items"]}
    return next(
        line
        for line in (f"start {column}{row}" for column in "ABCDEFGHIJKLMNO" for row in range(1, 11))
        if line not in lines
    )


def written(example: dict[str, Any]) -> str:
    body = example["response"]["body"]
    if isinstance(body, dict) and str(body.get("token", "")).startswith("ovl_"):
        body = body | {"token": "ovl_…"}
    return json.dumps(example | {"response": example["response"] | {"body": body}}, indent=2, ensure_ascii=False) + "\n"


def test_every_example_is_kept_and_answered_alike(recorded: dict[str, dict[str, Any]]) -> None:
    if os.environ.get("RECORD_EXAMPLES"):
        FOLDER.mkdir(parents=True, exist_ok=True)
        for name, example in recorded.items():
            (FOLDER / f"{name}.json").write_text(written(example), encoding="utf-8")
    kept = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.json")}
    assert set(kept) == set(recorded), "run RECORD_EXAMPLES=1 python -m pytest tests/service/api/test_examples.py"
    for name, example in recorded.items():
        assert kept[name]["response"]["status"] == example["response"]["status"], name
        assert kept[name]["operation"] == example["operation"]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_every_example_is_as_the_document_says(path: Path) -> None:
    example = json.loads(path.read_text(encoding="utf-8"))
    operation = next(
        found
        for methods in DOCUMENT["paths"].values()
        for found in methods.values()
        if isinstance(found, dict) and found.get("operationId") == example["operation"]
    )
    answer = operation["responses"][str(example["response"]["status"])]
    if "$ref" in answer:
        answer = DOCUMENT["components"]["responses"][answer["$ref"].rpartition("/")[2]]
    content = answer["content"][example["response"]["headers"]["Content-Type"].partition(";")[0]]
    Draft202012Validator({**content["schema"], "components": DOCUMENT["components"]}).validate(
        example["response"]["body"]
    )
