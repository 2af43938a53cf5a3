"""The archive over HTTP."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from service.context import Context
from service.matches import archive
from tests.service.api.conftest import Person
from tests.service.fakes import Clock, notices


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
        archive.look_after(context)
        assert ada.get(f"/v1/matches/{match}/record").status_code == 200
    assert notices(context, "archive") == []
    for days in (14, 13, 3):
        clock.now += timedelta(days=days)
        archive.look_after(context)
    assert ada.get(f"/v1/matches/{match}").get_json()["status"] == "archived"
    assert ada.get("/v1/me/awaiting").get_json()["items"] == []
    assert [each["id"] for each in ada.get("/v1/matches?mine=true&status=archived").get_json()["items"]] == [match]
    assert bela.post(f"/v1/matches/{match}/reopen", {}).get_json()["status"] == "running"
    assert len(ada.get("/v1/me/awaiting").get_json()["items"]) == 1
