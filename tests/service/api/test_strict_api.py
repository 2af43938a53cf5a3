"""Nothing that a client sends is ignored: parameters, cursors, names in a body, tokens."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.api.openapi import openapi_document
from tests.service.api.conftest import Person
from tests.service.api.test_edges import problem

OPERATIONS = [
    (method, path)
    for path, methods in openapi_document()["paths"].items()
    for method in methods
    if method != "parameters"
]
PARTS = {"{game}": "oregon", "{match}": "k3v7q2m5xa", "{turn}": "k3v7q2m5xa"}


def filled(path: str) -> str:
    for part, value in PARTS.items():
        path = path.replace(part, value)
    return path.replace("{", "").replace("}", "")


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_operation_refuses_a_parameter_that_it_does_not_know(ada: Person, method: str, path: str) -> None:
    headers = {"Authorization": f"Bearer {ada.token}"}
    answer = ada.client.open(f"{filled(path)}?nonsense=1", method=method.upper(), headers=headers, json={})
    found = problem(answer, 422, "invalid")
    assert [fault["parameter"] for fault in found["errors"]] == ["nonsense"]


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_operation_refuses_a_token_that_is_not_valid(client: FlaskClient, method: str, path: str) -> None:
    answer = client.open(filled(path), method=method.upper(), headers={"Authorization": "Bearer ovl_nobodys"}, json={})
    problem(answer, 401, "unknown_token")


def test_a_parameter_is_given_once(client: FlaskClient) -> None:
    found = problem(client.get("/v1/matches?limit=1&limit=2"), 422, "invalid")
    assert found["errors"] == [{"parameter": "limit", "detail": "limit is given twice."}]


@pytest.mark.parametrize(
    "path",
    [
        "/v1/matches?after=nothing",
        "/v1/matches?mine=true&after=nothing",
        "/v1/me/mails?after=nothing",
        "/v1/matches/{match}/turns?after=nothing",
        "/v1/matches/{match}/log?after=99999",
        "/v1/matches/{match}/chat?after=7",
    ],
)
def test_a_page_after_something_that_is_not_in_the_list_is_refused(ada: Person, match: str, path: str) -> None:
    found = problem(ada.get(path.replace("{match}", match)), 422, "invalid")
    assert [fault["parameter"] for fault in found["errors"]] == ["after"]


@pytest.mark.parametrize("body", ['{"ply": 0, "ply": 1, "notation": "1"}', '{"ply": 0, "actions": [{"a": 1, "a": 1}]}'])
def test_a_name_is_given_once_in_an_object(ada: Person, match: str, body: str) -> None:
    answer = ada.post(f"/v1/matches/{match}/turns", data=body, content_type="application/json")
    assert "twice" in problem(answer, 400, "malformed_json")["detail"]


def test_every_list_calls_its_items_so() -> None:
    document = openapi_document()
    lists = {
        operation["operationId"]: operation["responses"]["200"]["content"]["application/json"]["schema"]["$ref"]
        for methods in document["paths"].values()
        for operation in methods.values()
        if isinstance(operation, dict) and operation.get("operationId", "").startswith("list")
    }
    schemas: dict[str, Any] = document["components"]["schemas"]
    assert len(lists) > 8
    assert {
        name for name, ref in lists.items() if "items" not in schemas[ref.rpartition("/")[2]]["properties"]
    } == set()
