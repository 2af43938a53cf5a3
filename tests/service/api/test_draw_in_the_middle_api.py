"""Ozeanien over HTTP and mail: the ship is put first, then a tile is drawn, then it is placed.

The answer to the first part asks for the second.
"""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from engine import registry
from service.context import Context
from service.notices.mail.compose import mail_of
from tests.service.api.conftest import Person
from tests.service.fakes import notices

WAIT = {"Prefer": "wait=5"}
BOX = registry.component_document("ozeanien") | {
    "name": "our box",
    "sea_tiles": {
        "value": {"sea": 0, "cape": 35, "coast": 0, "strait": 0, "bay": 0, "inland": 0},
        "provenance": "rulebook",
    },
}
"""Whatever is drawn is a cape, which fits in three ways at the circle west 3."""


@pytest.fixture
def path(ada: Person, bela: Person) -> str:
    """A running match of Ozeanien in which Ada has seat 0 and Bela seat 1."""
    created = ada.post(
        "/v1/matches",
        {"game": "ozeanien", "title": "South seas", "components": BOX, "seats": [{"kind": "me"}, {"kind": "open"}]},
    )
    found: str = created.get_json()["links"]["self"]
    assert bela.post(f"{found}/join").get_json()["status"] == "running"
    return found


def turn(person: Person, path: str, notation: Any, ply: int) -> dict[str, Any]:
    answer = person.post(f"{path}/turns", {"ply": ply, "notation": notation}, headers=WAIT)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.get_json()
    return found


def test_the_answer_shows_the_tile_and_every_way_to_place_it_numbered(ada: Person, path: str) -> None:
    found = turn(ada, path, "ship west 3", 0)
    drawn = ada.get(f"{path}/observation").get_json()
    tile = drawn["observation"]["tile"]
    assert found["verdict"]["entries"][-1].startswith("Ada draws a")
    assert tile in found["verdict"]["entries"][-1]
    asked = found["next"]
    assert (asked["ply"], asked["prompt"]) == (drawn["ply"], drawn["prompt"])
    assert asked["prompt"] == {"code": "place", "values": {"tile": tile}, "sentence": asked["prompt"]["sentence"]}
    assert tile in asked["prompt"]["sentence"]
    assert [each["number"] for each in asked["legal"]] == list(range(1, asked["legal_total"] + 1))
    assert asked["legal"] == ada.get(f"{path}/legal-actions").get_json()["items"]
    shown = [(each["number"], each["space"], each["land"]) for each in drawn["observation"]["placements"]]
    assert shown == [(each["number"], each["action"]["space"], each["action"]["land"]) for each in asked["legal"]]
    assert ada.get(found["links"]["self"]).get_json() == found, "whoever did not wait finds the same"


def test_a_number_is_an_answer_and_the_explorer_may_follow_at_once(ada: Person, path: str) -> None:
    asked = turn(ada, path, "ship west 3", 0)["next"]
    chosen = asked["legal"][-1]
    found = turn(ada, path, [str(chosen["number"]), "skip"], asked["ply"])
    assert found["actions"] == [chosen["action"], {"type": "skip"}]
    assert found["next"] is None, "Bela is awaited"


def test_a_number_alone_leaves_the_explorer_to_be_asked_for(ada: Person, path: str) -> None:
    asked = turn(ada, path, "ship west 3", 0)["next"]
    after = turn(ada, path, "1", asked["ply"])["next"]
    assert after["prompt"]["sentence"] == "Put an explorer on the tile just placed, or skip."
    assert [each["notation"] for each in after["legal"]] == ["explorer 1", "explorer 2", "explorer 3", "skip"]


def test_what_is_asked_next_is_gone_once_the_match_has_moved_on(ada: Person, path: str) -> None:
    first = turn(ada, path, "ship west 3", 0)
    turn(ada, path, "1", first["next"]["ply"])
    assert ada.get(first["links"]["self"]).get_json()["next"] is None
    assert [each["next"] for each in ada.get(f"{path}/turns").get_json()["items"]] == [None, None]


def test_a_placement_guessed_before_the_draw_does_not_undo_the_draw(ada: Person, path: str) -> None:
    """The ship stays where it was put; what is asked next is the tile that was drawn."""
    found = turn(ada, path, "ship west 3; place G5 N", 0)
    assert found["status"] == "partly_accepted"
    assert found["verdict"]["violation"]["pointer"] == "/actions/1"
    assert found["next"]["legal"] == found["verdict"]["violation"]["legal"]


def test_the_others_and_the_spectators_see_the_tile_and_what_is_asked(
    ada: Person, bela: Person, client: FlaskClient, path: str
) -> None:
    asked = turn(ada, path, "ship west 3", 0)["next"]
    for looking in (bela, client):
        seen = looking.get(f"{path}/observation").get_json()
        assert seen["awaited"] == [{"seat": 0, "player": "Ada", "prompt": asked["prompt"]}]
        assert len(seen["observation"]["placements"]) == asked["legal_total"]
        assert asked["prompt"]["values"]["tile"] in looking.get(f"{path}/board.txt").text


def test_the_mail_to_who_put_the_ship_shows_the_tile_and_the_numbers(ada: Person, context: Context, path: str) -> None:
    asked = turn(ada, path, "ship west 3", 0)["next"]
    mail = mail_of(context, notices(context, "verdict")[-1])
    text, page = (str(mail.get_body((kind,)).get_content()) for kind in ("plain", "html"))  # type: ignore[union-attr]
    assert "Ada draws a" in text.partition("THE BOARD")[0]
    assert f"Ada (G) is to {asked['prompt']['sentence'].lower()}" in text
    for each in asked["legal"]:
        assert f"{each['number']}  {each['notation']}" in text.partition("A number is an answer:")[2]
        assert f"{each['number']} {each['notation']}\n" in text.partition("THE BOARD")[0]
    assert text.startswith("Reply with a number or a line, for example ")
    assert asked["legal"][0]["notation"] in page
    assert [part.get_content_type() for part in mail.walk()].count("image/png") == 1
