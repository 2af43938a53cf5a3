"""What every request meets: problems for everything that goes wrong, headers, ids, limits, and no
internals in answers.
"""

from __future__ import annotations

import functools
import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from structlog.testing import capture_logs

from service.api.openapi import openapi_document
from service.api.problems import KINDS, MEDIA_TYPE
from service.app import create_app
from service.context import Context
from service.errors import MOST_FAULTS
from tests.service.api.conftest import Person


@functools.cache
def problem_schema() -> Draft202012Validator:
    """The published schema of problems."""
    return Draft202012Validator(
        {"$ref": "#/components/schemas/Problem", "components": openapi_document()["components"]}
    )


def problem(answer: Any, status: int, code: str) -> dict[str, Any]:
    """The problem of an answer, checked for what every problem has."""
    assert answer.status_code == status, answer.text
    assert answer.content_type == MEDIA_TYPE
    found: dict[str, Any] = answer.get_json(force=True)
    problem_schema().validate(found)
    assert found["status"] == status
    assert found["code"] == code
    assert found["detail"].endswith((".", "…", "?"))
    assert found["type"].removeprefix("/docs/problems/") in KINDS
    assert found["instance"].endswith(answer.headers["X-Request-Id"])
    return found


def test_an_unknown_address_says_where_to_look(client: FlaskClient) -> None:
    assert "/docs" in problem(client.get("/v1/nothing"), 404, "not_found")["detail"]


def test_nothing_is_redirected_for_its_slashes(client: FlaskClient) -> None:
    for path, methods in openapi_document()["paths"].items():
        begin, _, end = path.rpartition("/")
        for method in methods.keys() - {"parameters"}:
            problem(client.open(f"{begin}//{end}", method=method.upper()), 404, "not_found")
            assert client.open(f"{path}/", method=method.upper()).status_code != 308, path
    assert client.get("/matches//nothing").status_code == 404


def test_a_method_that_is_not_possible_names_those_that_are(client: FlaskClient) -> None:
    answer = client.put("/v1/games")
    assert "GET" in problem(answer, 405, "method_not_allowed")["detail"]
    assert "GET" in answer.headers["Allow"]


def test_a_body_must_say_that_it_is_json(client: FlaskClient) -> None:
    assert (
        "application/json"
        in problem(client.post("/v1/players", data="name=Ada"), 415, "unsupported_media_type")["detail"]
    )


def test_a_body_that_is_not_json_is_refused_with_the_place(client: FlaskClient) -> None:
    assert (
        "column 10"
        in problem(
            client.post("/v1/players", data='{"name": Ada}', content_type="application/json"), 400, "malformed_json"
        )["detail"]
    )


def test_a_body_that_is_too_long_is_refused(client: FlaskClient) -> None:
    problem(
        client.post("/v1/players", data=b'"' + b"x" * 70_000 + b'"', content_type="application/json"),
        413,
        "body_too_large",
    )


@pytest.mark.parametrize(("path", "most"), [("/v1/players", 65_536), ("/v1/matches", 262_144)])
def test_a_body_has_64_kib_at_most_and_256_where_it_may_hold_a_component_set(ada: Person, path: str, most: int) -> None:
    statuses = [
        ada.post(path, data=b'"' + b"x" * (length - 2) + b'"', content_type="application/json").status_code
        for length in (most, most + 1)
    ]
    assert statuses == [422, 413]


def test_every_fault_of_a_body_is_named_with_its_pointer(client: FlaskClient) -> None:
    found = problem(client.post("/v1/players", json={"name": 3, "email": "nowhere", "age": 41}), 422, "invalid")
    assert {error["pointer"] for error in found["errors"]} == {"/name", "/email", "/age"}
    assert all(error["detail"] for error in found["errors"])


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/players", {str(number): 1 for number in range(2_000)}),
        ("/v1/players", {"name": [float("1e300")] * 2_000}),
        (
            "/v1/matches",
            {"game": "oregon", "seats": [{"kind": "me"}], "options": {str(number): 1 for number in range(2_000)}},
        ),
        ("/v1/matches", {"game": "oregon", "seats": [3] * 2_000}),
    ],
)
def test_of_thousands_of_faults_twenty_are_named(ada: Person, path: str, body: dict[str, Any]) -> None:
    answer = ada.post(path, body)
    assert len(problem(answer, 422, "invalid")["errors"]) == MOST_FAULTS
    assert len(answer.data) < len(json.dumps(body))


def test_an_unknown_name_is_quoted_in_a_few_characters(client: FlaskClient) -> None:
    (error,) = problem(
        client.post("/v1/players", json={"name": "Ada", "email": "ada@example.org", "a\n" * 9_000: 1}), 422, "invalid"
    )["errors"]
    assert error["detail"].startswith('There is no field "a\\na\\n')
    assert len(error["detail"]) < 150


def test_a_body_must_be_an_object(client: FlaskClient) -> None:
    assert problem(client.post("/v1/players", json=["Ada"]), 422, "invalid")["errors"] == [
        {"pointer": "", "detail": "A JSON object is expected here."}
    ]


def test_a_parameter_that_does_not_exist_is_not_ignored(client: FlaskClient) -> None:
    found = problem(client.get("/v1/matches?stauts=open"), 422, "invalid")
    assert found["errors"][0]["parameter"] == "stauts"
    assert "status" in found["errors"][0]["detail"]


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=201",
        "limit=-1",
        "limit=x",
        "limit=1e3",
        "limit=",
        "limit=99999999999",
        "mine=yes",
        "status=lost",
        "after=%00",
        "after=a%20b",
    ],
)
def test_a_parameter_out_of_bounds_is_refused_by_name(client: FlaskClient, query: str) -> None:
    assert (
        problem(client.get(f"/v1/matches?{query}"), 422, "invalid")["errors"][0]["parameter"] == query.partition("=")[0]
    )


def test_a_list_for_nobody_in_particular_has_open_matches_alone(client: FlaskClient) -> None:
    found = problem(client.get("/v1/matches?status=running"), 422, "invalid")
    assert [fault["parameter"] for fault in found["errors"]] == ["status"]
    assert "mine=true" in found["detail"]


@pytest.mark.parametrize(
    ("path", "body", "pointer", "words"),
    [
        ("/me/days-off", {"days": 2, "start": "2026-12-05"}, "/start", "with its offset from UTC"),
        ("/tokens", {"scopes": "read"}, "/scopes", "list"),
        ("/me/webhooks", {"url": "https://["}, "/url", "its host cannot be read. Enter"),
        ("/me/calendar", {"days": 1}, "/days", 'There is no field "days" here.'),
        ("/me/days-off", {"days": True}, "/days", "true is not a whole number."),
        (
            "/matches",
            {"game": {"name": "oregon"}, "seats": [{"kind": "me"}]},
            "/game",
            'There is no game {"name": "oregon"}; known:',
        ),
    ],
)
def test_what_is_no_value_of_a_field_is_refused_with_what_would_be(
    ada: Person, path: str, body: dict[str, Any], pointer: str, words: str
) -> None:
    (fault,) = problem(ada.post(f"/v1{path}", body), 422, "invalid")["errors"]
    assert fault["pointer"] == pointer
    assert words in fault["detail"]


def test_without_a_token_the_answer_says_how_to_get_one(client: FlaskClient) -> None:
    answer = client.get("/v1/me")
    assert "POST /v1/players" in problem(answer, 401, "unauthorized")["detail"]
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize("header", ["Basic YTpi", "Bearer", "Bearer ", "ovl_abc", "Bearer a b", "Bearer " + "x" * 300])
def test_an_authorization_that_cannot_be_read_says_its_form(client: FlaskClient, header: str) -> None:
    problem(client.get("/v1/me", headers={"Authorization": header}), 401, "unauthorized")


def test_a_token_nobody_issued_is_refused_also_where_none_is_needed(client: FlaskClient) -> None:
    for path in ("/v1/me", "/v1/matches"):
        answer = client.get(path, headers={"Authorization": "Bearer ovl_unknown"})
        problem(answer, 401, "unknown_token")
        assert 'error="invalid_token"' in answer.headers["WWW-Authenticate"]


def test_a_caller_is_checked_before_the_body(client: FlaskClient) -> None:
    problem(client.post("/v1/matches", json={"nonsense": 1}), 401, "unauthorized")


def test_an_internal_error_reveals_no_details(context: Context) -> None:
    app = create_app(context)

    def fail() -> str:
        raise RuntimeError("postgresql://overland:secret@db/overland is down")

    app.add_url_rule("/fail", "fail", fail)
    with capture_logs() as logs:
        answer = app.test_client().get("/fail")
    problem(answer, 500, "internal_error")
    assert "secret" not in answer.text
    assert [entry["event"] for entry in logs] == ["request.failed", "request"]


def test_every_answer_tells_browsers_to_trust_nothing(client: FlaskClient) -> None:
    for path in ("/v1/games", "/v1/nothing", "/healthz"):
        headers = client.get(path).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"


def test_a_request_keeps_the_id_it_came_with_if_that_is_one(client: FlaskClient) -> None:
    assert client.get("/healthz", headers={"X-Request-Id": "client-12345"}).headers["X-Request-Id"] == "client-12345"
    made = client.get("/healthz", headers={"X-Request-Id": "x y<script>"}).headers["X-Request-Id"]
    assert len(made) == 32


def test_a_request_is_one_line_in_the_log_and_no_token_is_in_it(ada: Person) -> None:
    with capture_logs() as logs:
        ada.get("/v1/me")
        ada.post("/v1/confirm", {"token": "very-secret-token"})
    assert [
        (entry["event"], entry["method"], entry["path"], entry["status"])
        for entry in logs
        if entry["event"] == "request"
    ] == [
        ("request", "GET", "/v1/me", 200),
        ("request", "POST", "/v1/confirm", 404),
    ]
    assert all(entry["ms"] >= 0 for entry in logs if entry["event"] == "request")
    assert ada.token not in str(logs)
    assert "very-secret-token" not in str(logs)


def test_what_only_one_person_may_see_is_not_cached_by_proxies(ada: Person) -> None:
    assert ada.get("/v1/me").headers["Cache-Control"] == "private, no-cache"
