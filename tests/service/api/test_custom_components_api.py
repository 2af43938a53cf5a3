"""A match with the printed components of somebody's own box, over HTTP alone."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from engine import registry
from engine.conformance.components import accepted
from engine.documents import to_document
from engine.draws import digest
from engine.play import legal_actions
from engine.record import read_record, setup_of, verify
from service.cli import main
from service.context import Context
from tests.engine.matches import subject
from tests.service.api.conftest import Person
from tests.service.api.test_edges import problem
from tests.service.fakes import state_of

GAME = registry.game("oregon")
BOX: dict[str, Any] = registry.component_document("oregon") | {
    "name": "our box",
    "rows": {"value": ["campfire", "eagle", "settler", "bison", "wagon"], "provenance": "rulebook"},
    "terrain": {
        "value": [
            "..^^.=......^^.",
            "..^^..=...~~...",
            "....^.=....~~..",
            "....^.=.^^..~~.",
            "====..=..^...~.",
            "....====......^",
            "^.......=...^^^",
            "^^.~~....=....^",
            "..~~~..^^.=====",
            "...~..^^^^.....",
        ],
        "provenance": "rulebook",
        "note": "Read off the board.",
    },
    "farmers": {"value": 6, "provenance": "rulebook"},
}
KEPT = to_document(GAME.load_components(BOX))
TABLE = {"game": "oregon", "seats": [{"kind": "me"}, {"kind": "open"}]}


def test_a_match_with_a_set_of_ones_own_shows_it_before_anyone_joins(ada: Person, client: FlaskClient) -> None:
    answer = ada.post("/v1/matches", TABLE | {"components": BOX})
    assert answer.status_code == 201, answer.text
    match = answer.get_json()
    assert (match["components"], match["components_digest"]) == ("custom", digest(KEPT))
    shown = client.get(match["links"]["components"]).get_json()
    assert shown == {
        "match": match["id"],
        "game": "oregon",
        "name": "custom",
        "digest": digest(KEPT),
        "components": KEPT,
    }


def test_the_standard_set_has_a_digest_too(ada: Person, client: FlaskClient) -> None:
    match = ada.post("/v1/matches", TABLE).get_json()
    shown = client.get(match["links"]["components"]).get_json()
    assert match["components"] == shown["name"] == "standard"
    assert match["components_digest"] == shown["digest"] == digest(shown["components"])
    assert GAME.load_components(shown["components"]) == registry.components("oregon")


def test_a_whole_match_is_played_with_it_and_its_record_verifies(ada: Person, bela: Person, context: Context) -> None:
    people, luck = (ada, bela), random.Random(20261121)
    match = ada.post("/v1/matches", TABLE | {"components": BOX}).get_json()
    path = match["links"]["self"]
    assert bela.post(f"{path}/join").get_json()["status"] == "running"
    board = ada.get(f"{path}/observation").get_json()["observation"]
    assert board["row_symbols"] == BOX["rows"]["value"]
    assert ada.get(f"{path}/board.svg").status_code == ada.get(f"{path}/board.txt").status_code == 200
    for _ in range(400):
        found = ada.get(path).get_json()
        awaited = [seat["seat"] for seat in found["seats"] if seat["to_act"]]
        if not awaited:
            break
        legal = people[awaited[0]].get(f"{path}/legal-actions").get_json()
        if luck.random() < 0.1:  # all of the log is replayed for it
            state = state_of(context, match["id"])
            assert state.table.components == GAME.load_components(BOX)
            assert [each["action"] for each in legal["items"]] == [
                to_document(action) for action in legal_actions(GAME, state, awaited[0])
            ]
        turn = {"ply": legal["ply"], "actions": [luck.choice(legal["items"])["action"]]}
        answer = people[awaited[0]].post(f"{path}/turns", turn, headers={"Prefer": "wait=5"})
        assert (answer.status_code, answer.get_json()["status"]) == (200, "accepted"), answer.text
    assert found["status"] == "finished"
    record = read_record(ada.get(f"{path}/record").get_json())
    assert record.components == KEPT
    assert record.commitment == match["commitment"]
    assert setup_of(record)[1].components == GAME.load_components(BOX)
    assert verify(record).plies == found["ply"]


BOXES: dict[str, dict[str, Any]] = {
    "montana": {"settlements": {"2": 2, "3": 2, "4": 2}},
    "oregon": {"farmers": 3},
    "ozeanien": {
        "board": {"columns": 4, "rows": 3},
        "sea_tiles": {"sea": 4, "cape": 4, "coast": 3, "strait": 2, "bay": 1, "inland": 0},
    },
}
"""Sets of somebody's own by which a match is short; for other games one is made by chance."""


def box_of(game: str) -> dict[str, Any]:
    """The document of a set of somebody's own."""
    if game in BOXES:
        own = {
            name: {"value": value, "provenance": "rulebook", "note": "Counted."} for name, value in BOXES[game].items()
        }
        return registry.component_document(game) | {"name": "our box"} | own
    changed = accepted(subject(game), random.Random(game))
    assert changed is not None
    return changed[0]


@pytest.mark.parametrize("game", list(registry.games()))
def test_a_match_of_any_game_with_a_set_of_ones_own_is_verified_from_its_record_alone(
    game: str, ada: Person, bela: Person, tmp_path: Path
) -> None:
    people, box, luck = (ada, bela), box_of(game), random.Random(game)
    match = ada.post(
        "/v1/matches", {"game": game, "components": box, "seats": [{"kind": "me"}, {"kind": "open"}]}
    ).get_json()
    path = match["links"]["self"]
    assert bela.post(f"{path}/join").get_json()["status"] == "running"
    while awaited := ada.get(f"{path}/observation").get_json()["to_act"]:
        legal = people[awaited[0]].get(f"{path}/legal-actions").get_json()
        turn = {"ply": legal["ply"], "notation": str(luck.choice(legal["items"])["number"])}
        assert (
            people[awaited[0]].post(f"{path}/turns", turn, headers={"Prefer": "wait=5"}).get_json()["status"]
            == "accepted"
        )
    file = tmp_path / "record.json"
    file.write_text(ada.get(f"{path}/record").text)
    assert read_record(json.loads(file.read_text())).components == to_document(registry.game(game).load_components(box))
    verified = CliRunner().invoke(main, ["verify", str(file)])
    assert verified.exit_code == 0
    assert f"{game}, 2 seats, {ada.get(path).get_json()['ply']} plies" in verified.stdout


def test_faults_of_the_set_are_named_by_pointer_beside_all_others(ada: Person) -> None:
    rows = {"value": ["wagon", "wagon", "settler", "eagle"], "provenance": "rulebook"}
    found = problem(
        ada.post("/v1/matches", TABLE | {"components": BOX | {"rows": rows}, "seats": [{"kind": "me"}]}), 422, "invalid"
    )
    assert {error["pointer"]: error["detail"] for error in found["errors"]} == {
        "/components/rows/value": "There are 4 bands here; an edge has 5, one for each symbol.",
        "/seats": "Oregon is for 2, 3 or 4 players, not 1.",
    }
    found = problem(
        ada.post("/v1/matches", TABLE | {"components": BOX | {"farmers": {"value": "six"}, "colour": 1}}),
        422,
        "invalid",
    )
    assert {error["pointer"] for error in found["errors"]} == {
        "/components/farmers/value",
        "/components/farmers/provenance",
        "/components/colour",
    }


@pytest.mark.parametrize("components", [3, [], None, True, "", "x" * 41, "golden"])
def test_what_is_neither_a_name_nor_a_set_is_refused(ada: Person, components: Any) -> None:
    found = problem(ada.post("/v1/matches", TABLE | {"components": components}), 422, "invalid")
    assert [error["pointer"] for error in found["errors"]] == ["/components"]


def test_a_set_may_be_longer_than_other_bodies_but_not_endless(ada: Person) -> None:
    def noted(length: int) -> dict[str, Any]:
        return TABLE | {"components": BOX | {"farmers": {"value": 6, "provenance": "rulebook", "note": "x" * length}}}

    assert ada.post("/v1/matches", noted(100_000)).status_code == 201
    problem(ada.post("/v1/matches", noted(300_000)), 413, "body_too_large")


def test_numbers_written_with_a_zero_fraction_are_kept_as_whole_numbers(ada: Person, client: FlaskClient) -> None:
    match = ada.post(
        "/v1/matches", TABLE | {"components": BOX | {"farmers": {"value": 6.0, "provenance": "rulebook"}}}
    ).get_json()
    assert match["components_digest"] == digest(KEPT)


def test_no_set_that_comes_with_a_game_has_the_name_of_supplied_ones() -> None:
    assert all("custom" not in registry.component_sets(name) for name in registry.games())
