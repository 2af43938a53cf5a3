"""Join links in the API: who is told one, what it leads to, taking a seat with it, replacing it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlalchemy import select

from service.context import Context
from service.store import tables
from tests.service.api.conftest import Person, SignUp
from tests.service.api.test_edges import problem

TABLE = {"game": "oregon", "clock": "relaxed", "seats": [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]}


def created(host: Person, **more: Any) -> tuple[str, str]:
    """The id of a new match and the secret of its link."""
    answer = host.post("/v1/matches", TABLE | more)
    assert answer.status_code == 201, answer.text
    url = answer.get_json()["join_url"]
    assert url.startswith("http://127.0.0.1:8000/join/")
    return answer.get_json()["id"], url.rpartition("/")[2]


def joins(person: Person, match: str, **body: Any) -> Any:
    return person.post(f"/v1/matches/{match}/join", body)


def test_the_host_and_while_a_seat_is_free_whoever_sits_is_told_the_link(
    ada: Person, bela: Person, sign_up: SignUp
) -> None:
    match, secret = created(ada)
    cleo, path = sign_up("Cleo"), f"/v1/matches/{match}"
    assert bela.get(path).get_json()["join_url"] is None
    assert ada.client.get(path).get_json()["join_url"] is None
    assert joins(bela, match).get_json()["join_url"].endswith(secret)
    assert joins(cleo, match).get_json()["join_url"] is None
    assert bela.get(path).get_json()["join_url"] is None
    assert ada.get(path).get_json()["join_url"].endswith(secret)


def test_the_link_shows_what_one_wants_to_know_without_a_token(ada: Person) -> None:
    match, secret = created(ada)
    found = ada.client.get(f"/v1/join/{secret}").get_json()
    assert (found["match"]["id"], found["match"]["join_url"]) == (match, None)
    assert (found["host"]["name"], found["host"]["matches"]) == ("Ada", 0)
    assert [each["name"] for each in found["players"]] == ["Ada"]
    assert (len(found["clock"]), found["board"]) == (3, None)


def test_once_the_match_has_started_the_link_shows_the_board_of_a_spectator(ada: Person, bela: Person) -> None:
    match, secret = created(ada, seats=TABLE["seats"][:2])
    joins(bela, match, link=secret)
    shown = ada.client.get(f"/v1/join/{secret}").get_json()
    assert shown["board"] == ada.client.get(f"/v1/matches/{match}/board.txt").text
    assert ada.get(f"/v1/join/{secret}").get_json()["board"] == shown["board"]


def test_a_seat_is_taken_with_the_link_once_however_often(ada: Person, bela: Person) -> None:
    match, secret = created(ada)
    answers = [joins(bela, match, link=secret).get_json()["seats"] for _ in range(2)]
    assert answers[0] == answers[1]
    assert [seat["player"] for seat in answers[0]] == ["Ada", "Bela", None]


@pytest.mark.parametrize("body", [None, b"null", b" null\n", b"{}"])
def test_what_needs_no_body_may_be_sent_null(ada: Person, bela: Person, body: bytes | None) -> None:
    match, _ = created(ada)
    sent: dict[str, Any] = {} if body is None else {"data": body, "content_type": "application/json"}
    for verb, seated in (("join", ["Ada", "Bela", None]), ("leave", ["Ada", None, None])):
        answer = bela.post(f"/v1/matches/{match}/{verb}", **sent)
        assert answer.status_code == 200, answer.text
        assert [seat["player"] for seat in answer.get_json()["seats"]] == seated


def test_a_link_of_another_match_gives_no_seat(ada: Person, bela: Person) -> None:
    match, _ = created(ada)
    _, other = created(ada)
    for link in (other, "a" * 26):
        problem(joins(bela, match, link=link), 404, "join_link_not_found")
    problem(joins(bela, match, link="/é"), 422, "invalid")


def test_only_the_host_replaces_the_link_and_the_one_before_is_dead_at_once(ada: Person, bela: Person) -> None:
    match, secret = created(ada)
    joins(bela, match, link=secret)
    problem(bela.delete(f"/v1/join/{secret}"), 403, "not_the_creator")
    new = ada.delete(f"/v1/join/{secret}").get_json()["join_url"].rpartition("/")[2]
    assert new != secret
    problem(ada.get(f"/v1/join/{secret}"), 404, "join_link_not_found")
    problem(ada.delete(f"/v1/join/{secret}"), 404, "join_link_not_found")
    problem(joins(bela, match, link=secret), 404, "join_link_not_found")
    assert ada.client.get(f"/v1/join/{new}").get_json()["match"]["id"] == match


def test_the_links_of_matches_in_which_nobody_can_sit_say_why(ada: Person, bela: Person, sign_up: SignUp) -> None:
    cleo, two = sign_up("Cleo"), TABLE["seats"][:2]
    full, over, cancelled = (created(ada, seats=two) for _ in range(3))
    for match, secret in (full, over):
        joins(bela, match, link=secret)
    bela.post(f"/v1/matches/{over[0]}/resign")
    ada.post(f"/v1/matches/{cancelled[0]}/leave")
    said = {full: "has started", over: "is over", cancelled: "was cancelled"}
    for (match, secret), words in said.items():
        assert words in problem(joins(cleo, match, link=secret), 409, "match_not_open")["detail"]
        assert ada.client.get(f"/v1/join/{secret}").status_code == 200


def test_a_link_takes_no_seat_that_is_kept_for_another(ada: Person, bela: Person, sign_up: SignUp) -> None:
    seats = [{"kind": "me"}, {"kind": "invite", "email": bela.email}]
    match, secret = created(ada, seats=seats)
    problem(joins(sign_up("Cleo"), match, link=secret), 409, "no_seat_open")
    assert joins(bela, match, link=secret).get_json()["status"] == "running"


def test_whom_the_host_has_blocked_takes_no_open_seat_with_or_without_the_link(ada: Person, bela: Person) -> None:
    first, _ = created(ada)
    joins(bela, first)
    ada.post("/v1/me/blocks", {"match": first, "seat": 1})
    match, secret = created(ada)
    for body in ({}, {"link": secret}, {"seat": 1}):
        assert "block" not in problem(joins(bela, match, **body), 409, "no_seat_open")["detail"].lower()


@pytest.mark.parametrize("place", ["lists", "events", "export", "mails", "webhooks"])
def test_the_secret_is_nowhere_else(context: Context, ada: Person, bela: Person, place: str) -> None:
    match, secret = created(ada)
    channel = {"url": "https://example.org/overland"}
    assert ada.post(f"/v1/matches/{match}/webhooks", channel).status_code == 201
    joins(bela, match, link=secret)
    texts = {
        "lists": lambda: [ada.get(f"/v1/matches{query}").text for query in ("", "?mine=true")],
        "events": lambda: [ada.get(f"/v1/matches/{match}/events").text, rows(context, tables.events)],
        "export": lambda: [person.get("/v1/me/export").text for person in (ada, bela)],
        "mails": lambda: [rows(context, tables.outbox), ada.get("/v1/me/mails").text],
        "webhooks": lambda: [rows(context, tables.webhooks)],
    }[place]()
    assert all(texts)
    assert secret not in "".join(texts)


def rows(context: Context, table: Any) -> str:
    with context.database.read() as connection:
        return json.dumps([list(row) for row in connection.execute(select(table))], default=str)
