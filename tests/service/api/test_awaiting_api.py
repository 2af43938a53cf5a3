"""What waits for a player over HTTP, and polling that costs nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from structlog.testing import capture_logs

from service.api.openapi import openapi_document
from service.clocks.spans import written
from service.context import Context
from service.matches import replays
from service.store import matches as match_rows
from service.turns import trials
from service.views import awaiting
from tests.service.api.conftest import Person
from tests.service.fakes import Clock

WITH = {"seats": [{"kind": "me"}, {"kind": "open"}], "game": "pearls"}


def begun(ada: Person, bela: Person, **body: Any) -> str:
    created = ada.post("/v1/matches", WITH | body)
    assert created.status_code == 201, created.get_json()
    match: str = created.get_json()["id"]
    assert bela.post(f"/v1/matches/{match}/join", {}).status_code == 200
    return match


pytestmark = pytest.mark.usefixtures("pearls")


@pytest.fixture
def context(context: Context) -> Context:
    return replace(context, clock=Clock())


@pytest.fixture
def clock(context: Context) -> Clock:
    assert isinstance(context.clock, Clock)
    return context.clock


def test_the_most_urgent_comes_first_and_matches_without_a_clock_last(ada: Person, bela: Person, clock: Clock) -> None:
    without = begun(ada, bela, clock="none", title="Some time")
    slow, brisk = begun(ada, bela, clock="slow"), begun(ada, bela, clock="brisk")
    items = ada.get("/v1/me/awaiting").get_json()["items"]
    assert [item["match"] for item in items] == [brisk, slow, without]
    assert items[0]["clock"]["main_until"] == written(clock() + timedelta(days=3))
    assert items[0]["clock"]["deadline"] == written(clock() + timedelta(days=5))
    assert items[0]["clock"]["remaining"] == 3 * 86_400
    assert items[0]["prompt"]
    assert items[0]["links"]["turns"] == f"/v1/matches/{brisk}/turns"
    assert (items[2]["title"], items[2]["clock"]) == ("Some time", None)
    assert bela.get("/v1/me/awaiting").get_json() == {"items": [], "total": 0}


def test_polling_replays_nothing_until_something_changes(
    ada: Person, bela: Person, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begun(ada, bela, clock="brisk")
    first = ada.get("/v1/me/awaiting")
    clock.advance(hours=5)
    with monkeypatch.context() as patched:
        patched.setattr(replays, "load", None)
        again = ada.get("/v1/me/awaiting", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    ada.post(f"/v1/matches/{match}/turns", {"ply": 0, "notation": "dive"})
    shown = ada.get(f"/v1/matches/{match}").get_json()
    assert shown["clock"]["preset"] == "brisk"
    begun(ada, bela, clock="brisk")
    changed = ada.get("/v1/me/awaiting", headers={"If-None-Match": first.headers["ETag"]})
    assert changed.status_code == 200


@pytest.mark.parametrize("path", ["/v1/matches/{match}", "/v1/matches?mine=true"])
def test_time_that_passes_changes_no_tag_of_a_match(ada: Person, bela: Person, clock: Clock, path: str) -> None:
    path = path.format(match=begun(ada, bela, clock="brisk"))
    first = ada.get(path)
    for hours in (1, 80, 20):  # its time, and from the second on its reserve
        clock.advance(hours=hours)
        changed = ada.get(path, headers={"If-None-Match": first.headers["ETag"]})
        if hours == 80:
            assert changed.status_code == 200, "the reserve has begun to be used"
            first = changed
        else:
            assert changed.status_code == 304
    assert ada.get(path).get_json() != first.get_json()


def test_a_stopped_clock_shows_a_number_that_stands_still(ada: Person, bela: Person, clock: Clock) -> None:
    clock.now = clock.now.replace(day=27, hour=12)  # a Friday
    begun(ada, bela, clock={"preset": "brisk", "weekends": "UTC"})
    clock.advance(hours=20)
    first = ada.get("/v1/me/awaiting")
    clock.advance(hours=20)
    second = ada.get("/v1/me/awaiting", headers={"If-None-Match": first.headers["ETag"]})
    assert second.status_code == 304
    (item,) = ada.get("/v1/me/awaiting").get_json()["items"]
    assert item["clock"] == first.get_json()["items"][0]["clock"]
    assert (item["clock"]["stopped_by"], item["clock"]["stopped_until"]) == ("weekend", "2026-11-30T00:00:00Z")
    assert item["clock"]["remaining"] == 60 * 3600
    clock.advance(hours=20)
    assert ada.get("/v1/me/awaiting", headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


def test_it_needs_a_token(ada: Person) -> None:
    assert ada.client.get("/v1/me/awaiting").status_code == 401


@pytest.mark.parametrize(
    ("body", "pointer"),
    [("fast", "/clock"), ({"base": "soon"}, "/clock/base"), (3, "/clock"), ({}, "/clock"), ([], "/clock")],
)
def test_a_clock_that_is_none_is_refused(ada: Person, body: Any, pointer: str) -> None:
    refused = ada.post("/v1/matches", WITH | {"clock": body})
    assert refused.status_code == 422
    assert refused.get_json()["errors"][0]["pointer"] == pointer


def test_a_match_is_relaxed_unless_something_else_is_chosen(ada: Person) -> None:
    assert ada.post("/v1/matches", WITH).get_json()["clock"]["words"] == (
        "3 days, 12 hours more for each turn, never more than 5 days"
    )
    assert ada.post("/v1/matches", WITH | {"clock": "none"}).get_json()["clock"] is None
    assert ada.post("/v1/matches", WITH | {"clock": None}).get_json()["clock"] is None


def test_one_request_has_all_that_a_program_needs_to_play(ada: Person, bela: Person) -> None:
    match = begun(ada, bela)
    bare = ada.get("/v1/me/awaiting").get_json()["items"][0]
    assert (bare["observation"], bare["legal"]) == (None, None)
    asked = ada.get("/v1/me/awaiting?observation=true&legal=true")
    (item,) = asked.get_json()["items"]
    assert item["observation"] == ada.get(f"/v1/matches/{match}/observation").get_json()["observation"]
    assert item["legal"] == ada.get(f"/v1/matches/{match}/legal-actions").get_json()
    played = {"ply": item["ply"], "actions": [item["legal"]["items"][0]["action"]]}
    turn = ada.post(f"/v1/matches/{match}/turns", played, headers={"Prefer": "wait=5"})
    assert turn.get_json()["status"] == "accepted"


def test_the_tag_covers_what_was_asked_for(ada: Person, bela: Person) -> None:
    begun(ada, bela)
    tags = {
        ada.get(f"/v1/me/awaiting?{query}").headers["ETag"]
        for query in ("", "legal=true", "observation=true", "observation=true&legal=true")
    }
    assert len(tags) == 4
    again = ada.get("/v1/me/awaiting?legal=true", headers={"If-None-Match": ", ".join(tags)})
    assert again.status_code == 304


def test_with_positions_only_the_most_urgent_matches_are_listed(
    ada: Person, bela: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(awaiting, "MOST_IN_FULL", 1)
    begun(ada, bela, clock="slow")
    brisk = begun(ada, bela, clock="brisk")
    full = ada.get("/v1/me/awaiting?legal=true").get_json()
    assert ([item["match"] for item in full["items"]], full["total"]) == ([brisk], 2)
    assert len(ada.get("/v1/me/awaiting").get_json()["items"]) == 2


def test_a_match_that_cannot_be_read_hides_no_other(ada: Person, bela: Person, context: Context) -> None:
    broken, sound = begun(ada, bela), begun(ada, bela)
    with context.database.write() as connection:
        match_rows.set_unreadable(connection, broken, "gone", context.clock())
    items = ada.get("/v1/me/awaiting?observation=true&legal=true").get_json()["items"]
    assert {item["match"]: item["legal"] is None for item in items} == {broken: True, sound: False}


def test_the_document_says_how_many_are_listed() -> None:
    operation = openapi_document()["paths"]["/v1/me/awaiting"]["get"]
    assert operation["summary"].endswith(f"at most {awaiting.MOST}")
    assert f"at most {awaiting.MOST_IN_FULL}, and" in operation["description"]


@pytest.mark.parametrize("broken", [{"prompts": {}}, {"observe": len}, {"candidates": len}])
def test_a_match_whose_rules_fail_keeps_no_other_from_the_list(
    ada: Person, bela: Person, clock: Clock, monkeypatch: pytest.MonkeyPatch, broken: dict[str, Any]
) -> None:
    oregon, pearls = begun(ada, bela, game="oregon", clock="slow"), begun(ada, bela, clock="brisk")
    game = replays.game_of
    for module in (replays, trials):
        monkeypatch.setattr(
            module, "game_of", lambda match: replace(game(match), **broken) if match.id == pearls else game(match)
        )
    with capture_logs() as logs:
        items = ada.get("/v1/me/awaiting?observation=true&legal=true").get_json()["items"]
    assert [item["match"] for item in items] == [pearls, oregon]
    assert None in (items[0]["prompt"], items[0]["legal"])
    assert items[1]["prompt"]["code"] == "start"
    assert items[1]["observation"]
    assert items[1]["legal"]["items"]
    assert {entry["match"] for entry in logs if entry["event"] == "match.rules_failed"} == {pearls}
