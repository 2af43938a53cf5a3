"""Whatever a client sends, the service does not fail, and every answer is one that the document
describes.

The requests are made from the OpenAPI document, fitting ones and broken ones, the same at every
run. They are sent by a player who has a running match, an open one and a finished one; every
operation is among them.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from service.api.openapi import openapi_document
from service.app import with_context
from service.context import Context
from tests.service.api.conftest import Person, email_of, known_in, served_from

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
]
OPERATIONS = sorted(
    (path, method)
    for path, methods in openapi_document()["paths"].items()
    for method in methods
    if method != "parameters"
)


@pytest.fixture(scope="module")
def described(app_of_session: Flask) -> Any:
    """The operations as the document describes them, by path and method."""
    return schemathesis.openapi.from_wsgi("/openapi.json", app_of_session)


@pytest.fixture(scope="module")
def tables(
    app_of_session: Flask, laid: Callable[[frozenset[str]], Path], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[str]]:
    """The folder of a service, to be copied, and its matches: a running one, an open one and a
    finished one, and one that does not exist.
    """
    folder = tmp_path_factory.mktemp("tables")
    shutil.copytree(laid(frozenset({"ada", "bela", "match"})), folder, dirs_exist_ok=True)
    context, known = served_from(folder), known_in(folder)
    client = with_context(app_of_session, context).test_client()
    ada, bela = (Person(client, name, email_of(name), known[name]) for name in ("Ada", "Bela"))
    table = {"game": "oregon", "seats": [{"kind": "me"}, {"kind": "open"}]}
    waiting, given_up = (ada.post("/v1/matches", table).get_json()["id"] for _ in range(2))
    for action in ("join", "resign"):
        assert bela.post(f"/v1/matches/{given_up}/{action}").status_code == HTTPStatus.OK
    context.close()
    return folder, [known["match"], waiting, given_up, "nosuchmatch"]


@pytest.fixture
def context(tmp_path: Path, tables: tuple[Path, list[str]]) -> Iterator[Context]:
    """A service with these matches."""
    shutil.copytree(tables[0], tmp_path, dirs_exist_ok=True)
    wired = served_from(tmp_path)
    yield wired
    wired.close()


@pytest.fixture
def matches(tables: tuple[Path, list[str]]) -> list[str]:
    return tables[1]


@pytest.mark.parametrize(
    ("mode", "examples"),
    [
        pytest.param(GenerationMode.NEGATIVE, 3, id="broken"),
        pytest.param(GenerationMode.NEGATIVE, 20, id="broken-more", marks=pytest.mark.deep),
        pytest.param(GenerationMode.POSITIVE, 20, id="fitting", marks=pytest.mark.deep),
    ],
)
@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_no_request_causes_a_server_error_or_an_undocumented_answer(
    described: Any, ada: Person, matches: list[str], path: str, method: str, mode: GenerationMode, examples: int
) -> None:
    operation = described[path][method]
    bounded = [each for each in operation.iter_parameters() if each.name != "If-None-Match"]  # which may be any text
    if mode is GenerationMode.NEGATIVE and not (bounded or operation.body):
        mode = GenerationMode.POSITIVE  # nothing of it can be broken

    @settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(
        case=operation.as_strategy(generation_mode=mode),
        match=st.sampled_from(matches),
        signed_in=st.sampled_from((True, True, True, False)),
    )
    def send(case: Any, match: str, signed_in: bool) -> None:
        if "match" in (case.path_parameters or {}):
            case.path_parameters["match"] = match
        headers = {"Accept-Encoding": "identity"}  # within the process nothing is decompressed
        if signed_in:
            headers["Authorization"] = f"Bearer {ada.token}"
        case.call_and_validate(headers=headers, checks=CHECKS)

    send()
