"""The archive over HTTP."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import NoReturn

import pytest
from sqlalchemy.exc import OperationalError

from service.context import Context
from service.store import match_lists as rows
from service.store.database import Database
from tests.service.api.conftest import Person
from tests.service.api.test_maintenance_api import begin, end
from tests.service.fakes import Clock, notices
from tests.service.swept import look_after


@pytest.fixture
def context(context: Context) -> Context:
    return replace(context, clock=Clock())


def test_looking_at_a_match_keeps_it_and_a_request_reopens_it(
    context: Context, ada: Person, bela: Person, pearls: None
) -> None:
    body = {"game": "pearls", "seats": [{"kind": "me"}, {"kind": "open"}], "clock": "none"}
    match = ada.post("/v1/matches", body).get_json()["id"]
    bela.post(f"/v1/matches/{match}/join", {})
    clock = context.clock
    assert isinstance(clock, Clock)
    for _ in range(4):
        clock.now += timedelta(days=13)
        look_after(context)
        assert ada.get(f"/v1/matches/{match}/record").status_code == 200
    assert notices(context, "archive") == []
    for days in (14, 13, 3):
        clock.now += timedelta(days=days)
        look_after(context)
    assert ada.get(f"/v1/matches/{match}").get_json()["status"] == "archived"
    assert ada.get("/v1/me/awaiting").get_json()["items"] == []
    assert [each["id"] for each in ada.get("/v1/matches?mine=true&status=archived").get_json()["items"]] == [match]
    assert bela.post(f"/v1/matches/{match}/resume", {}).get_json()["status"] == "running"
    assert len(ada.get("/v1/me/awaiting").get_json()["items"]) == 1


def visited_at(context: Context, match: str) -> datetime | None:
    with context.database.read() as connection:
        shelf = rows.shelf_of(connection, match)
    return None if shelf is None else shelf.visited_at


def two_days_later(context: Context, ada: Person, bela: Person) -> str:
    """A match without a clock that was not visited for two days."""
    body = {"game": "pearls", "seats": [{"kind": "me"}, {"kind": "open"}], "clock": "none"}
    match: str = ada.post("/v1/matches", body).get_json()["id"]
    bela.post(f"/v1/matches/{match}/join", {})
    clock = context.clock
    assert isinstance(clock, Clock)
    clock.now += timedelta(days=2)
    return match


def test_in_a_maintenance_a_look_is_answered_and_not_noted(
    context: Context, ada: Person, bela: Person, pearls: None
) -> None:
    match = two_days_later(context, ada, bela)
    before = visited_at(context, match)
    begin(context)
    assert ada.get(f"/v1/matches/{match}").status_code == 200
    assert visited_at(context, match) == before
    end(context)
    assert ada.get(f"/v1/matches/{match}").status_code == 200
    assert visited_at(context, match) == context.clock()


def test_a_look_that_cannot_be_noted_is_answered_all_the_same(
    context: Context, ada: Person, bela: Person, pearls: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = two_days_later(context, ada, bela)

    def locked(database: Database) -> NoReturn:
        raise OperationalError("BEGIN IMMEDIATE", {}, Exception("database is locked"))

    monkeypatch.setattr(Database, "write", locked)
    assert ada.get(f"/v1/matches/{match}/record").status_code == 200
