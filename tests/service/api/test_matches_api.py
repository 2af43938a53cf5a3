"""Matches over HTTP: create, find, join, leave, start, resign; pages."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.service.api.conftest import Person, SignUp
from tests.service.api.test_edges import problem

TABLE = {"game": "oregon", "seats": [{"kind": "me"}, {"kind": "open"}]}


def created(person: Person, **changes: Any) -> dict[str, Any]:
    answer = person.post("/v1/matches", TABLE | changes)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.get_json()
    assert answer.headers["Location"] == found["links"]["self"]
    return found


def test_a_match_commits_to_its_luck_before_anyone_joins(ada: Person) -> None:
    match = created(ada, title="Westward")
    assert (match["status"], match["title"], match["game"], match["ply"]) == ("open", "Westward", "oregon", 0)
    assert len(match["commitment"]) == 64
    assert match["options"] == {"discard_duplicates": False}
    assert [seat["player"] for seat in match["seats"]] == ["Ada", None]
    assert [seat["you"] for seat in match["seats"]] == [True, False]


def test_the_last_seat_starts_the_match(ada: Person, bela: Person) -> None:
    match = created(ada)
    started = bela.post(f"/v1/matches/{match['id']}/join", {"nonce": "my-own-luck"}).get_json()
    assert started["status"] == "running"
    assert started["ply"] > 0
    assert [seat["to_act"] for seat in started["seats"]] == [True, False]


def test_the_creator_adds_a_nonce_after_the_commitment(ada: Person, bela: Person, client: FlaskClient) -> None:
    match = created(ada, seats=[{"kind": "reserved"}, {"kind": "open"}])
    assert (match["scheme"], match["nonces_digest"], match["seats"][0]["player"]) == ("overland/1", None, None)
    path = match["links"]["self"]
    waiting = bela.post(f"{path}/join", {"nonce": "my-own-luck"}).get_json()
    assert (waiting["status"], waiting["nonces_digest"]) == ("open", None)
    assert "my-own-luck" not in client.get(path).text
    started = ada.post(f"{path}/join", {"nonce": "the-luck-of-ada"}).get_json()
    assert [seat["nonce"] for seat in started["seats"]] == ["the-luck-of-ada", "my-own-luck"]
    assert len(started["nonces_digest"]) == 64
    for answer in (client.get(path), bela.get(f"{path}/observation"), client.get(f"{path}/record")):
        assert answer.get_json()["nonces_digest"] == started["nonces_digest"]
    for query in ("mine=true", "to_act=true"):
        (listed,) = ada.get(f"/v1/matches?{query}").get_json()["items"]
        assert listed["nonces_digest"] == started["nonces_digest"]


def test_a_nonce_that_comes_before_the_commitment_is_refused_and_the_two_steps_are_named(ada: Person) -> None:
    answer = ada.post("/v1/matches", {**TABLE, "nonce": "sent-too-early"})
    (fault,) = answer.get_json()["errors"]
    assert (answer.status_code, fault["pointer"]) == (422, "/nonce")
    assert "reserved" in fault["detail"]
    assert "joining" in fault["detail"]
    assert ada.get("/v1/matches").get_json()["items"] == []


def test_joining_needs_no_body(ada: Person, bela: Person) -> None:
    assert bela.post(f"/v1/matches/{created(ada)['id']}/join").status_code == 200


def test_an_invited_address_is_shown_to_the_creator_alone(ada: Person, bela: Person, client: FlaskClient) -> None:
    match = created(ada, seats=[{"kind": "me"}, {"kind": "invite", "email": "cleo@example.org"}])
    path = match["links"]["self"]
    assert ada.get(path).get_json()["seats"][1]["invited_email"] == "cleo@example.org"
    for text in (bela.get(path).text, client.get(path).text):
        assert "cleo@example.org" not in text
    assert client.get(path).get_json()["seats"][1]["invited"] is True


def test_nobody_learns_a_mail_address_from_a_match(match: str, bela: Person, client: FlaskClient) -> None:
    for path in ("", "/observation", "/log", "/record", "/board.txt"):
        assert "ada@example.org" not in bela.get(f"/v1/matches/{match}{path}").text
        assert "@example.org" not in client.get(f"/v1/matches/{match}{path}").text


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"game": "chess"}, "/game"),
        ({"game": 3}, "/game"),
        ({"seats": []}, "/seats"),
        ({"seats": [{"kind": "me"}]}, "/seats"),
        ({"seats": [{"kind": "me"}] * 2}, "/seats"),
        ({"seats": [{"kind": "open"}] * 9}, "/seats"),
        ({"seats": [{"kind": "sofa"}, {"kind": "me"}]}, "/seats/0/kind"),
        ({"seats": [{"kind": "me"}, {"kind": "invite"}]}, "/seats/1/email"),
        ({"seats": [{"kind": "me"}, {"kind": "open", "email": "a@example.org"}]}, "/seats/1/email"),
        ({"seats": [{"kind": "me"}, {"kind": "invite", "email": "nowhere"}]}, "/seats/1/email"),
        ({"seats": [{"kind": "me"}, "open"]}, "/seats/1"),
        ({"options": {"discard_duplicates": "yes"}}, "/options/discard_duplicates"),
        ({"options": {"speed": 3}}, "/options/speed"),
        ({"options": []}, "/options"),
        ({"components": "gold"}, "/components"),
        ({"nonce": "short"}, "/nonce"),
        ({"nonce": "sent-too-early"}, "/nonce"),
        ({"nonce": "long-enough", "seats": [{"kind": "reserved"}, {"kind": "open"}]}, "/nonce"),
        ({"seats": [{"kind": "reserved", "email": "a@example.org"}, {"kind": "open"}]}, "/seats/0/email"),
        ({"seats": [{"kind": "reserved"}, {"kind": "me"}]}, "/seats"),
        ({"nonce": "with space in it"}, "/nonce"),
        ({"nonce": "newline-at-end\n"}, "/nonce"),
        ({"title": ""}, "/title"),
        ({"title": "x" * 81}, "/title"),
        ({"title": "a\x1b[31mb"}, "/title"),
    ],
)
def test_what_is_wrong_with_a_new_match_is_said_by_pointer(ada: Person, changes: dict[str, Any], pointer: str) -> None:
    found = problem(ada.post("/v1/matches", TABLE | changes), 422, "invalid")
    assert found["errors"][0]["pointer"].startswith(pointer)


def test_seats_have_their_own_refusals(ada: Person, bela: Person, sign_up: SignUp) -> None:
    cleo = sign_up("Cleo")
    match = created(ada, seats=[{"kind": "me"}, {"kind": "invite", "email": bela.email}, {"kind": "open"}])
    path = f"/v1/matches/{match['id']}"
    problem(cleo.post(f"{path}/join", {"seat": 1}), 403, "seat_kept")
    problem(cleo.post(f"{path}/join", {"seat": 0}), 409, "seat_taken")
    problem(cleo.post(f"{path}/join", {"seat": 7}), 422, "invalid")
    problem(cleo.post(f"{path}/join", {"seat": 8}), 422, "invalid")
    problem(cleo.post(f"{path}/leave"), 403, "not_seated")
    problem(cleo.post(f"{path}/start"), 403, "not_the_creator")
    problem(ada.post(f"{path}/start"), 409, "seats_free")
    problem(ada.post(f"{path}/resign"), 409, "match_not_started")


def test_a_seat_can_be_given_back_and_taken_again(ada: Person, bela: Person, sign_up: SignUp) -> None:
    match = created(ada, seats=[{"kind": "me"}, {"kind": "open"}, {"kind": "open"}])
    path = f"/v1/matches/{match['id']}"
    assert bela.post(f"{path}/join", {"seat": 2}).get_json()["seats"][2]["player"] == "Bela"
    assert bela.post(f"{path}/leave").get_json()["seats"][2]["player"] is None
    assert sign_up("Cleo").post(f"{path}/join", {"seat": 2}).status_code == 200


def test_a_match_that_does_not_exist_is_not_found(ada: Person) -> None:
    for path in (
        "",
        "/observation",
        "/legal-actions",
        "/turns",
        "/log",
        "/record",
        "/board.svg",
        "/board.png",
        "/board.txt",
    ):
        problem(ada.get(f"/v1/matches/nosuchmatch{path}"), 404, "match_not_found")
    for path in ("/join", "/leave", "/start", "/resign"):
        problem(ada.post(f"/v1/matches/nosuchmatch{path}"), 404, "match_not_found")


def test_resigning_with_two_seats_ends_the_match(ada: Person, match: str) -> None:
    over = ada.post(f"/v1/matches/{match}/resign").get_json()
    assert over["status"] == "finished"
    assert over["outcome"]["ranks"] == [2, 1]
    assert over["seats"][0]["resigned_at"] is not None


def test_a_match_that_has_not_started_shows_nothing_yet(ada: Person) -> None:
    path = f"/v1/matches/{created(ada)['id']}"
    for what in ("observation", "record", "board.svg", "board.png", "board.txt"):
        problem(ada.get(f"{path}/{what}"), 409, "match_not_started")
    assert ada.get(f"{path}/legal-actions").get_json()["why"] == "not_started"
    assert ada.get(f"{path}/log").get_json() == {"items": [], "next": None}


def test_open_matches_are_there_for_everybody(ada: Person, client: FlaskClient) -> None:
    match = created(ada)
    assert [item["id"] for item in client.get("/v1/matches").get_json()["items"]] == [match["id"]]
    problem(client.get("/v1/matches?mine=true"), 401, "unauthorized")
    problem(client.get("/v1/matches?status=running"), 422, "invalid")


def test_matches_that_wait_for_me_can_be_asked_for(ada: Person, bela: Person, match: str) -> None:
    assert [item["id"] for item in ada.get("/v1/matches?to_act=true").get_json()["items"]] == [match]
    assert bela.get("/v1/matches?to_act=true").get_json()["items"] == []
    assert [item["id"] for item in bela.get("/v1/matches?mine=true&status=running").get_json()["items"]] == [match]
    assert bela.get("/v1/matches?mine=true&status=finished").get_json()["items"] == []


def test_pages_lead_from_one_to_the_next_and_show_everything_once(ada: Person, client: FlaskClient) -> None:
    made = [created(ada)["id"] for _ in range(5)]
    path, found = "/v1/matches?limit=2&status=open", []
    for _ in range(3):
        answer = client.get(path)
        page = answer.get_json()
        found += [item["id"] for item in page["items"]]
        if page["next"] is None:
            assert "Link" not in answer.headers
            break
        assert answer.headers["Link"] == f'<{page["next"]}>; rel="next"'
        path = page["next"]
    assert sorted(found) == sorted(made)
    assert len(found) == 5
