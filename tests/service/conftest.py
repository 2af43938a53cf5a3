"""Fixtures that the tests of the service share."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

import pytest
from flask import Flask, Response, request
from redis import Redis

from service.api import problems
from service.api.problems import ProblemDetails
from service.api.refused import REFUSED
from service.app import create_app, with_context
from service.config import load
from service.context import Context
from service.redis_link import RedisLink
from service.store import matches
from service.turns import judge
from service.wiring import wire
from tests.service.fakes import link_to
from tests.workers.valkey import Valkey


@pytest.fixture(scope="session")
def undeclared() -> list[str]:
    """The problems that operations have answered, and that the description does not name."""
    found: list[str] = []
    answer = problems.respond

    def noted(problem: ProblemDetails) -> Response:
        response = answer(problem)
        refused, code = REFUSED.get(request.endpoint or ""), problem.code or problem.kind
        status = response.status_code
        if refused is None or (refused.by_game and status == HTTPStatus.UNPROCESSABLE_ENTITY):
            return response
        found.extend([] if code in refused.codes.get(status, ()) else [f"{refused.operation} {status} {code}"])
        return response

    problems.respond = noted
    return found


@pytest.fixture(autouse=True)
def every_problem_is_described(undeclared: list[str]) -> Iterator[None]:
    """Fails a test in which an operation answers a problem that it does not declare."""
    undeclared.clear()
    yield
    assert undeclared == []


@pytest.fixture(scope="session")
def app_of_session(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """The application, which takes longer to build than most tests, with a service of its own."""
    return create_app(wire(load({"OVERLAND_DATA_DIR": str(tmp_path_factory.mktemp("app"))})))


@pytest.fixture
def app(app_of_session: Flask, context: Context) -> Flask:
    """The application with the service of the test; who changes it makes another."""
    return with_context(app_of_session, context)


@pytest.fixture
def ranges_read(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The ranges of plies that are read from logs, in order."""
    ranges: list[tuple[int, int]] = []
    log = matches.log

    def noted(connection: Any, match_id: str, start: int, stop: int) -> Any:
        ranges.append((start, stop))
        return log(connection, match_id, start, stop)

    monkeypatch.setattr(matches, "log", noted)
    return ranges


@pytest.fixture(scope="module")
def valkey_of_module(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    """A Valkey for the tests of a module, which keeps what they leave in it."""
    valkey = Valkey(tmp_path_factory.mktemp("valkey"))
    valkey.start()
    yield valkey
    valkey.stop()


@pytest.fixture
def valkey(valkey_of_module: Valkey) -> Valkey:
    """An empty Valkey."""
    valkey_of_module.wipe()
    return valkey_of_module


@pytest.fixture
def valkey_url(valkey: Valkey) -> str:
    return valkey.url


@pytest.fixture
def link(valkey_url: str) -> Iterator[RedisLink]:
    """The link of a service to an empty Valkey."""
    link = link_to(valkey_url)
    yield link
    link.close()


@pytest.fixture
def redis(valkey_url: str) -> Iterator[Redis]:
    """A connection to an empty Valkey."""
    with Redis.from_url(valkey_url) as connection:
        yield connection


@pytest.fixture
def in_advance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns of seats that are not awaited are stored, as where the match moves on meanwhile."""
    monkeypatch.setattr(judge, "not_awaited", lambda match, seat: None)
