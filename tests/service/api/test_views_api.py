"""What a match shows over HTTP: observation, log, record, boards; and what it keeps to itself."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine import registry
from engine.record import read_record
from engine.types import Layout
from service.app import create_app
from service.context import Context
from service.kept import SizedCache, States
from service.views import match as views
from tests.service.api.conftest import Person
from tests.service.api.test_edges import problem

BOARDS = (("board.svg", "image/svg+xml"), ("board.png", "image/png"), ("board.txt", "text/plain"))
ANY_PLY = 1_000_000


def test_an_observation_is_that_of_the_ply_that_is_asked_for(ada: Person, match: str) -> None:
    path = f"/v1/matches/{match}/observation"
    now = ada.get(path).get_json()
    then = ada.get(f"{path}?ply=0").get_json()
    assert (then["ply"], now["ply"] > 0) == (0, True)
    assert then["observation"] != now["observation"]
    assert ada.get(f"{path}?ply={now['ply']}").get_json() == now
    ahead = ada.get(f"{path}?ply={now['ply'] + 1}")
    assert (ahead.status_code, ahead.get_json()["code"]) == (409, "ply_ahead")


def test_an_observation_is_the_viewers_own(ada: Person, bela: Person, client: FlaskClient, match: str) -> None:
    path = f"/v1/matches/{match}/observation"
    mine, theirs, spectators = (viewer.get(path).get_json() for viewer in (ada, bela, client))
    assert [seen["seat"] for seen in (mine, theirs, spectators)] == [0, 1, None]
    assert mine["observation"]["seats"][0]["hand"] is not None
    assert mine["observation"]["seats"][1]["hand"] is None
    assert [seat["hand"] for seat in spectators["observation"]["seats"]] == [None, None]
    assert mine["to_act"] == [0]
    assert mine["prompt"]


def test_everybody_sees_who_is_awaited_for_what(ada: Person, bela: Person, client: FlaskClient, match: str) -> None:
    for viewer in (ada, bela, client):
        seen, page = (
            viewer.get(f"/v1/matches/{match}/observation").get_json(),
            viewer.get(f"/v1/matches/{match}").get_json(),
        )
        assert seen["awaited"] == [{"seat": 0, "player": "Ada", "prompt": seen["prompt"]}]
        assert [seat["prompt"] for seat in page["seats"]] == [seen["prompt"], None]
    (listed,) = ada.get("/v1/matches?mine=true").get_json()["items"]
    assert [(seat["to_act"], seat["prompt"]) for seat in listed["seats"]] == [(True, None), (False, None)]


@pytest.mark.parametrize(
    "what", ["observation", "log", "record", "board.svg", "board.png", "board.txt", "board.png?width=400"]
)
def test_what_has_not_changed_is_not_sent_again(ada: Person, match: str, what: str) -> None:
    path = f"/v1/matches/{match}/{what}"
    first = ada.get(path)
    etag = first.headers["ETag"]
    assert "Authorization" in first.headers["Vary"]
    assert "private" in first.headers["Cache-Control"]
    again = ada.get(path, headers={"If-None-Match": etag})
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", etag)
    assert ada.get(path, headers={"If-None-Match": f'"other", {etag}'}).status_code == 304
    assert ada.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


def test_nothing_is_replayed_to_find_that_nothing_changed(
    ada: Person, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/v1/matches/{match}/observation"
    etag = ada.get(path).headers["ETag"]

    def replayed(*_: Any) -> None:
        raise AssertionError("the log was replayed")

    monkeypatch.setattr(views, "observation", replayed)
    assert ada.get(path, headers={"If-None-Match": etag}).status_code == 304


@pytest.mark.parametrize("what", ["observation", "log", "record", "board.svg", "board.txt"])
def test_what_is_kept_for_one_viewer_is_shown_to_no_other(
    context: Context, ada: Person, bela: Person, client: FlaskClient, match: str, what: str
) -> None:
    path = f"/v1/matches/{match}/{what}"
    kept = [viewer.get(path).text for viewer in (ada, bela, client) for _ in range(2)]
    afresh = create_app(replace(context, kept=SizedCache(0))).test_client()
    viewers = (replace(ada, client=afresh), replace(bela, client=afresh), afresh)
    assert kept == [viewer.get(path).text for viewer in viewers for _ in range(2)]
    assert len({*kept}) == 3


def test_a_turn_and_a_viewer_change_the_tag(ada: Person, bela: Person, client: FlaskClient, match: str) -> None:
    path = f"/v1/matches/{match}/observation"
    tags = {viewer.get(path).headers["ETag"] for viewer in (ada, bela, client)}
    assert len(tags) == 3
    ada.post(f"/v1/matches/{match}/turns", {"ply": ada.get(path).get_json()["ply"], "notation": "1"})
    assert ada.get(path).headers["ETag"] not in tags


def test_the_log_is_narrated_for_the_caller(ada: Person, bela: Person, client: FlaskClient, match: str) -> None:
    entries = ada.get(f"/v1/matches/{match}/log?limit=200").get_json()["items"]
    assert [entry["ply"] for entry in entries] == list(range(len(entries)))
    own = [entry for entry in entries if (entry["action"] or {}).get("type") == "deal_symbol"]
    assert {entry["action"]["to"] for entry in own} == {0}
    seen = [
        entry
        for entry in client.get(f"/v1/matches/{match}/log?limit=200").get_json()["items"]
        if (entry["action"] or {}).get("type") == "deal_symbol"
    ]
    assert seen == []


def test_the_log_comes_in_pages(ada: Person, match: str) -> None:
    path, plies = f"/v1/matches/{match}/log?limit=5", []
    while path:
        page = ada.get(path).get_json()
        plies += [entry["ply"] for entry in page["items"]]
        path = page["next"]
    assert plies == list(range(ada.get(f"/v1/matches/{match}").get_json()["ply"]))


def test_the_record_of_a_running_match_keeps_its_secrets(ada: Person, client: FlaskClient, match: str) -> None:
    record = client.get(f"/v1/matches/{match}/record").get_json()
    assert record["secret"] is None
    assert any(entry["action"] is None for entry in record["log"])
    assert read_record(record).match == match


@pytest.mark.parametrize(("what", "media_type"), BOARDS)
def test_the_board_is_there_for_everybody(client: FlaskClient, match: str, what: str, media_type: str) -> None:
    answer = client.get(f"/v1/matches/{match}/{what}")
    assert (answer.status_code, answer.mimetype) == (200, media_type)


def test_the_picture_is_a_png_of_the_width_asked_for(client: FlaskClient, match: str) -> None:
    data = client.get(f"/v1/matches/{match}/board.png?width=321").data
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20], "big") == 321
    assert (
        problem(client.get(f"/v1/matches/{match}/board.png?width=99999"), 422, "invalid")["errors"][0]["parameter"]
        == "width"
    )


@pytest.mark.parametrize("layout", ["desktop", "phone"])
def test_a_picture_of_an_earlier_ply_stays_as_it_was(ada: Person, bela: Person, match: str, layout: str) -> None:
    path = f"/v1/matches/{match}/board.svg?layout={layout}"
    before, ply = bela.get(path).text, ada.get(f"/v1/matches/{match}").json["ply"]  # type: ignore[index]
    assert bela.get(f"{path}&ply={ply}").text == before
    assert ada.get(path).text.count("data-pick=") > ada.get(f"{path}&ply={ply - 1}").text.count("data-pick=") == 0
    ada.post(f"/v1/matches/{match}/turns", {"ply": ply, "notation": "1"}, headers={"Prefer": "wait=5"})
    assert bela.get(path).text != before
    assert bela.get(f"{path}&ply={ply}").text == before
    problem(bela.get(f"{path}&ply=999"), 409, "ply_ahead")


@pytest.mark.parametrize("what", ["board.svg", "board.png"])
def test_a_picture_is_drawn_for_the_layout_asked_for(client: FlaskClient, match: str, what: str) -> None:
    answers = {layout: client.get(f"/v1/matches/{match}/{what}?layout={layout}") for layout in Layout}
    assert {answer.status_code for answer in answers.values()} == {200}
    assert len({answer.headers["ETag"] for answer in answers.values()}) == len(Layout)
    assert client.get(f"/v1/matches/{match}/{what}").headers["ETag"] == answers[Layout.DESKTOP].headers["ETag"]
    error = problem(client.get(f"/v1/matches/{match}/{what}?layout=poster"), 422, "invalid")["errors"][0]
    assert error["parameter"] == "layout"
    assert "desktop, phone, print" in error["detail"]


def test_a_picture_with_a_hostile_name_runs_nothing(client: FlaskClient, match: str) -> None:
    answer = client.get(f"/v1/matches/{match}/board.svg")
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    assert "<script" not in answer.text


def test_texts_are_utf_8_and_lines_are_short(client: FlaskClient, match: str) -> None:
    answer = client.get(f"/v1/matches/{match}/board.txt")
    assert answer.content_type == "text/plain; charset=utf-8"
    assert max(len(line) for line in answer.text.splitlines()) <= 78


def test_the_catalogue_says_everything_needed_to_play(client: FlaskClient) -> None:
    game = client.get("/v1/games/oregon").get_json()
    assert game["seats"] == [2, 3, 4]
    assert [(option["name"], option["default"]) for option in game["options"]] == [("discard_duplicates", False)]
    assert "farmer" in game["notation"]
    for link in game["links"].values():
        assert client.get(link).status_code == 200
    assert client.get(game["links"]["rules"]).mimetype == "text/markdown"
    assert "provenance" in json.dumps(client.get(game["links"]["components"]).get_json())
    assert [item["name"] for item in client.get("/v1/games").get_json()["items"]] == list(registry.games())


@pytest.mark.parametrize("name", list(registry.games()))
def test_the_rules_are_served_with_descriptions_in_the_places_of_pictures(client: FlaskClient, name: str) -> None:
    described = re.findall(r"!\[(.+)\]\(.*\)", registry.rules_text(name))
    served = client.get(f"/v1/games/{name}/rules").text
    assert described
    assert all(f"(Picture: {each}.)" in served for each in described)
    assert re.findall(r"\]\((?!https?://)", served) == []


def test_a_game_or_component_set_that_is_unknown_names_those_that_are(client: FlaskClient) -> None:
    assert "oregon" in problem(client.get("/v1/games/chess"), 404, "not_found")["detail"]
    assert "standard" in problem(client.get("/v1/games/oregon/components?set=gold"), 404, "not_found")["detail"]


@pytest.mark.parametrize("path", ["observation", "board.svg", "board.txt", "board.png"])
def test_what_has_not_changed_is_answered_without_replaying_anything(
    context: Context, ada: Person, match: str, path: str
) -> None:
    etag = ada.get(f"/v1/matches/{match}/{path}").headers["ETag"]
    fresh = replace(context, states=States(10))  # a process that remembers nothing
    answer = replace(ada, client=create_app(fresh).test_client()).get(
        f"/v1/matches/{match}/{path}", headers={"If-None-Match": etag}
    )
    assert answer.status_code == 304
    assert fresh.states.nearest(match, ANY_PLY) is None  # whoever replays a match remembers it
    afresh = replace(fresh, kept=SizedCache(0))
    replace(ada, client=create_app(afresh).test_client()).get(f"/v1/matches/{match}/{path}")
    assert fresh.states.nearest(match, ANY_PLY) is not None
