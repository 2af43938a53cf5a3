"""Turns over HTTP: stored, awaited, repeated, refused, previewed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.context import Context
from tests.service.api.conftest import Person, SignUp
from tests.service.api.test_edges import problem
from tests.service.fakes import judge_one
from tools.memory_queue import MemoryQueue

WAIT = {"Prefer": "wait=5"}


def first_legal(person: Person, match: str) -> tuple[int, dict[str, Any]]:
    legal = person.get(f"/v1/matches/{match}/legal-actions").get_json()
    found: dict[str, Any] = legal["items"][0]
    return legal["ply"], found


def illegal_start(person: Person, match: str) -> str:
    """A space that the start tile cannot go to."""
    legal = {item["notation"] for item in person.get(f"/v1/matches/{match}/legal-actions").get_json()["items"]}
    return next(
        line
        for line in (f"start {column}{row}" for column in "ABCDEFGHIJKLMNO" for row in range(1, 11))
        if line not in legal
    )


def test_a_turn_is_stored_and_has_an_address(ada: Person, match: str) -> None:
    ply, action = first_legal(ada, match)
    answer = ada.post(f"/v1/matches/{match}/turns", {"ply": ply, "actions": [action["action"]]})
    assert answer.status_code == 202
    assert "Preference-Applied" not in answer.headers
    turn = ada.get(answer.headers["Location"]).get_json()
    assert turn["id"] == answer.get_json()["id"]
    assert turn["status"] == "accepted"
    assert turn["verdict"]["ply_before"] == ply
    assert turn["verdict"]["violation"] is None
    assert turn["verdict"]["entries"]


def test_a_client_that_waits_gets_the_verdict(ada: Person, match: str) -> None:
    ply, action = first_legal(ada, match)
    answer = ada.post(f"/v1/matches/{match}/turns", {"ply": ply, "notation": action["notation"]}, headers=WAIT)
    assert answer.status_code == 200
    assert answer.headers["Preference-Applied"] == "wait=5"
    turn = answer.get_json()
    assert (turn["status"], turn["actions"], turn["notation"]) == ("accepted", [action["action"]], [action["notation"]])


def test_a_client_that_waits_too_long_gets_the_queued_turn(ada: Person, match: str, context: Context) -> None:
    asleep = create_app(replace(context, queue=MemoryQueue())).test_client()
    ply, action = first_legal(ada, match)
    waiting = Person(asleep, ada.name, ada.email, ada.token)
    answer = waiting.post(
        f"/v1/matches/{match}/turns", {"ply": ply, "actions": [action["action"]]}, headers={"Prefer": "wait=0"}
    )
    assert answer.status_code == 202
    assert answer.headers["Preference-Applied"] == "wait=0"
    assert answer.get_json()["status"] == "queued"
    assert answer.get_json()["verdict"] is None
    judge_one(context, answer.get_json()["id"])
    assert ada.get(answer.headers["Location"]).get_json()["status"] == "accepted"


def test_a_rejected_turn_says_which_rule_and_what_would_be_legal(ada: Person, match: str) -> None:
    ply, action = first_legal(ada, match)
    answer = ada.post(f"/v1/matches/{match}/turns", {"ply": ply, "notation": illegal_start(ada, match)}, headers=WAIT)
    found = answer.get_json(force=True)
    assert (answer.status_code, answer.content_type) == (422, "application/problem+json")
    assert found["type"] == "/docs/problems/turn_rejected"
    assert found["code"] != "turn_rejected"
    assert found["rule"]
    assert found["errors"] == [{"pointer": "/actions/0", "detail": found["detail"]}]
    assert action in found["legal"]
    assert found["legal_total"] >= len(found["legal"]) > 0
    assert found["turn"]["status"] == "rejected"
    assert found["turn"]["verdict"]["violation"]["rule"] == found["rule"]
    assert found["turn"]["next"] is None
    assert "legal" not in found["turn"]["verdict"]["violation"], "once is enough"
    assert "legal_total" not in found["turn"]["verdict"]["violation"]
    kept = ada.get(found["turn"]["links"]["self"]).get_json()["verdict"]["violation"]
    assert (kept["legal"], kept["legal_total"]) == (found["legal"], found["legal_total"])
    assert answer.headers["Location"] == found["turn"]["links"]["self"]
    assert ada.get(f"/v1/matches/{match}").get_json()["ply"] == ply


def test_without_waiting_a_turn_that_will_be_rejected_is_stored_too(ada: Person, match: str) -> None:
    ply, _ = first_legal(ada, match)
    answer = ada.post(f"/v1/matches/{match}/turns", {"ply": ply, "notation": illegal_start(ada, match)})
    assert answer.status_code == 202
    assert ada.get(answer.headers["Location"]).get_json()["status"] == "rejected"


def test_a_stale_turn_learns_what_changed(ada: Person, bela: Person, match: str) -> None:
    ply, action = first_legal(ada, match)
    ada.post(f"/v1/matches/{match}/turns", {"ply": ply, "actions": [action["action"]]}, headers=WAIT)
    found = problem(
        bela.post(f"/v1/matches/{match}/turns", {"ply": ply, "actions": [action["action"]]}), 409, "stale_ply"
    )
    assert (found["ply"], found["current_ply"] > ply) == (ply, True)
    assert any("Ada" in sentence for sentence in found["changes"])


def test_a_ply_that_is_still_to_come_is_refused(ada: Person, match: str) -> None:
    found = problem(ada.post(f"/v1/matches/{match}/turns", {"ply": 9999, "notation": "1"}), 409, "ply_ahead")
    assert "only at ply" in found["detail"]


def test_the_same_key_and_body_are_the_same_turn(ada: Person, match: str) -> None:
    ply, action = first_legal(ada, match)
    body = {"ply": ply, "actions": [action["action"]]}
    answers = [
        ada.post(f"/v1/matches/{match}/turns", body, headers={"Idempotency-Key": "key-1"} | extra)
        for extra in ({}, {}, WAIT)
    ]
    assert [answer.status_code for answer in answers] == [202, 202, 200]
    assert len({answer.get_json()["id"] for answer in answers}) == 1
    assert len(ada.get(f"/v1/matches/{match}/turns").get_json()["items"]) == 1


def test_the_same_key_for_another_body_is_refused(ada: Person, match: str) -> None:
    ply, action = first_legal(ada, match)
    key = {"Idempotency-Key": "key-1"}
    ada.post(f"/v1/matches/{match}/turns", {"ply": ply, "actions": [action["action"]]}, headers=key)
    problem(
        ada.post(f"/v1/matches/{match}/turns", {"ply": ply, "notation": "2"}, headers=key),
        409,
        "idempotency_key_reused",
    )


@pytest.mark.parametrize("key", ["", " ", "a b", "x" * 129, "käse"])
def test_a_key_has_a_form(ada: Person, match: str, key: str) -> None:
    answer = ada.post(f"/v1/matches/{match}/turns", {"ply": 0, "notation": "1"}, headers={"Idempotency-Key": key})
    assert problem(answer, 422, "invalid")["errors"][0]["header"] == "Idempotency-Key"


def test_a_preview_changes_nothing(ada: Person, match: str) -> None:
    ply, action = first_legal(ada, match)
    answer = ada.post(f"/v1/matches/{match}/turns", {"ply": ply, "actions": [action["action"]], "dry_run": True})
    preview = answer.get_json()
    assert answer.status_code == 200
    assert (preview["status"], preview["game"], preview["accepted"]) == ("preview", "oregon", 1)
    assert preview["violation"] is None
    assert preview["entries"]
    assert preview["observation"]["buildings"]
    assert ada.get(f"/v1/matches/{match}").get_json()["ply"] == ply
    assert ada.get(f"/v1/matches/{match}/turns").get_json()["items"] == []


def test_a_preview_of_something_illegal_says_why(ada: Person, match: str) -> None:
    ply, _ = first_legal(ada, match)
    preview = ada.post(
        f"/v1/matches/{match}/turns", {"ply": ply, "notation": illegal_start(ada, match), "dry_run": True}
    ).get_json()
    assert preview["accepted"] == 0
    assert preview["violation"]["rule"]
    assert preview["violation"]["legal"]


def test_a_number_stands_for_a_legal_action(ada: Person, match: str) -> None:
    legal = ada.get(f"/v1/matches/{match}/legal-actions").get_json()
    turn = ada.post(f"/v1/matches/{match}/turns", {"ply": legal["ply"], "notation": "3"}, headers=WAIT).get_json()
    assert turn["actions"] == [legal["items"][2]["action"]]


def test_notation_that_cannot_be_read_is_refused_with_the_place(ada: Person, match: str) -> None:
    ply, _ = first_legal(ada, match)
    found = problem(
        ada.post(f"/v1/matches/{match}/turns", {"ply": ply, "notation": "start Z99"}), 422, "notation_error"
    )
    assert (found["errors"][0]["pointer"], found["errors"][0]["column"]) == ("/notation", 6)
    assert found["errors"][0]["expected"]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/ply"),
        ({"ply": 1}, "/actions"),
        ({"ply": 1, "actions": []}, "/actions"),
        ({"ply": 1, "actions": None}, "/actions"),
        ({"ply": 1, "actions": {}}, "/actions"),
        ({"ply": 1, "actions": [{"type": "farmer"}] * 101}, "/actions"),
        ({"ply": 1, "actions": [{"type": "done"}], "notation": "done"}, "/notation"),
        ({"ply": 1, "notation": []}, "/notation"),
        ({"ply": 1, "notation": 3}, "/notation"),
        ({"ply": 1, "notation": ["done"] * 101}, "/notation"),
        ({"ply": 1, "notation": "x" * 1001}, "/notation"),
        ({"ply": "1", "notation": "done"}, "/ply"),
        ({"ply": 1.5, "notation": "done"}, "/ply"),
        ({"ply": True, "notation": "done"}, "/ply"),
        ({"ply": -1, "notation": "done"}, "/ply"),
        ({"ply": 2**40, "notation": "done"}, "/ply"),
        ({"ply": 1, "notation": "done", "dry_run": "yes"}, "/dry_run"),
        ({"ply": 1, "notation": "done", "seat": -1}, "/seat"),
        ({"ply": 1, "notation": "done", "wait": 10}, "/wait"),
    ],
)
def test_what_is_wrong_with_a_turn_is_said_by_pointer(ada: Person, match: str, body: object, pointer: str) -> None:
    assert problem(ada.post(f"/v1/matches/{match}/turns", body), 422, "invalid")["errors"][0]["pointer"] == pointer


@pytest.mark.parametrize(
    ("action", "pointer"),
    [
        ({"type": "fly"}, "/actions/0/type"),
        ({}, "/actions/0/type"),
        ("done", "/actions/0"),
        (None, "/actions/0"),
        ({"type": "farmer", "space": "Z1", "cards": []}, "/actions/0/space"),
        ({"type": "farmer", "space": "A1", "cards": ["unicorn"]}, "/actions/0/cards/0"),
        ({"type": "farmer", "space": "A1", "cards": "wagon"}, "/actions/0/cards"),
        ({"type": "farmer", "space": "A1", "cards": [], "joker": 1}, "/actions/0/joker"),
        ({"type": ["farmer"]}, "/actions/0/type"),
        ({"type": "deal_coal", "to": 0, "value": 3}, "/actions/0/type"),
        ({"type": "done", "extra": {}}, "/actions/0/extra"),
    ],
)
def test_an_invalid_action_is_pointed_at(ada: Person, match: str, action: object, pointer: str) -> None:
    ply, _ = first_legal(ada, match)
    found = problem(ada.post(f"/v1/matches/{match}/turns", {"ply": ply, "actions": [action]}), 422, "invalid")
    assert pointer in [error["pointer"] for error in found["errors"]]


def test_only_players_with_a_seat_can_play(ada: Person, match: str, sign_up: SignUp) -> None:
    stranger = sign_up("Mallory")
    ply, action = first_legal(ada, match)
    body = {"ply": ply, "actions": [action["action"]]}
    problem(stranger.post(f"/v1/matches/{match}/turns", body), 403, "not_seated")
    problem(stranger.get(f"/v1/matches/{match}/legal-actions"), 403, "not_seated")
    problem(ada.post(f"/v1/matches/{match}/turns", body | {"seat": 1}), 403, "not_your_seat")
    assert ada.get(f"/v1/matches/{match}").get_json()["ply"] == ply


def test_a_turn_out_of_turn_is_refused_before_anything_else_of_it_is_looked_at(
    ada: Person, bela: Person, match: str
) -> None:
    ply, action = first_legal(ada, match)
    path = f"/v1/matches/{match}/turns"
    for body in ({"ply": ply, "actions": [action["action"]]}, {"ply": 9999, "notation": "nonsense"}):
        for more in ({}, {"dry_run": True}):
            found = problem(bela.post(path, body | more, headers=WAIT), 409, "not_your_turn")
            assert found["detail"] == "It is not your turn: Ada is awaited."
    assert bela.get(path).get_json()["items"] == []


@pytest.mark.usefixtures("in_advance")
def test_a_turn_whose_match_has_moved_on_when_it_is_judged_is_a_conflict(ada: Person, bela: Person, match: str) -> None:
    ply, action = first_legal(ada, match)
    path = f"/v1/matches/{match}/turns"
    answer = bela.post(path, {"ply": ply, "actions": [action["action"]]}, headers=WAIT)
    found = problem(answer, 409, "not_your_turn")
    assert (found["type"], found["turn"]["status"]) == ("/docs/problems/not_your_turn", "rejected")


def test_a_turn_is_shown_to_its_submitter_alone(ada: Person, bela: Person, match: str, client: FlaskClient) -> None:
    ply, action = first_legal(ada, match)
    path = ada.post(f"/v1/matches/{match}/turns", {"ply": ply, "actions": [action["action"]]}).headers["Location"]
    problem(bela.get(path), 404, "turn_not_found")
    problem(client.get(path), 401, "unauthorized")
    assert bela.get(f"/v1/matches/{match}/turns").get_json()["items"] == []


def test_legal_actions_after_a_prefix_follow_from_it(ada: Person, match: str) -> None:
    _, action = first_legal(ada, match)
    path = f"/v1/matches/{match}/legal-actions"
    now = ada.get(path).get_json()
    assert ada.post(path, {}).get_json() == now
    assert ada.post(path, {"actions": []}).get_json() == now
    after = ada.post(path, {"actions": [action["action"]]})
    assert after.status_code == 200
    assert after.get_json()["items"] == []
    problem(
        ada.post(path, {"notation": illegal_start(ada, match)}),
        422,
        ada.post(path, {"notation": illegal_start(ada, match)}).get_json(force=True)["code"],
    )
    problem(ada.post(path, {"notation": "gibberish"}), 422, "notation_error")


def test_a_seat_that_is_not_awaited_has_no_legal_actions(bela: Person, match: str) -> None:
    assert bela.get(f"/v1/matches/{match}/legal-actions").get_json()["items"] == []
