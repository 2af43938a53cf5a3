"""Bots in the seats of matches, over HTTP."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.record import read_record, verify
from service.context import Context
from tests.service.api.conftest import Person
from tests.service.bots.tables import until_a_person_is_awaited

pytestmark = pytest.mark.usefixtures("pearls")
ME, EASY, FAIR = {"kind": "me"}, {"kind": "bot", "level": "easy"}, {"kind": "bot", "level": "fair"}


def created(ada: Person, *seats: dict[str, str], **body: Any) -> Any:
    answer = ada.post("/v1/matches", {"game": "pearls", "seats": list(seats)} | body)
    assert answer.status_code == 201, answer.get_json()
    return answer.get_json()


def test_a_match_with_bots_begins_at_once_and_marks_them(ada: Person) -> None:
    match = created(ada, ME, EASY, FAIR)
    assert match["status"] == "running"
    assert [(seat["player"], seat["bot"]) for seat in match["seats"]] == [
        ("Ada", None),
        ("Easy bot", "easy"),
        ("Fair bot", "fair"),
    ]


def test_who_plays_with_bots_alone_has_no_clock_unless_one_is_chosen(ada: Person) -> None:
    assert created(ada, ME, EASY)["clock"] is None
    assert created(ada, ME, EASY, clock="brisk")["clock"]["preset"] == "brisk"
    assert created(ada, ME, EASY, {"kind": "open"})["clock"]["preset"] == "relaxed"


@pytest.mark.parametrize(
    ("seats", "pointer", "says"),
    [
        ([ME, {"kind": "bot"}], "/seats/1/level", "easy or fair"),
        ([ME, {"kind": "bot", "level": "mean"}], "/seats/1/level", "easy"),
        ([{"kind": "me", "level": "easy"}, EASY], "/seats/0/level", "takes no level"),
        ([ME, EASY | {"email": "bela@example.org"}], "/seats/1/email", "takes no email"),
        ([EASY, FAIR], "/seats", "a seat for a person"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_place(
    ada: Person, seats: list[dict[str, str]], pointer: str, says: str
) -> None:
    answer = ada.post("/v1/matches", {"game": "pearls", "seats": seats})
    assert answer.status_code == 422
    problem = answer.get_json()["errors"][0]
    assert problem["pointer"] == pointer
    assert says in problem["detail"]


def test_the_turn_of_a_bot_is_seen_like_that_of_a_person(ada: Person, context: Context) -> None:
    match = created(ada, FAIR, ME)["id"]
    until_a_person_is_awaited(context, match)
    found = ada.get(f"/v1/matches/{match}").get_json()
    assert found["seats"][1]["to_act"]
    events = ada.get(f"/v1/matches/{match}/log").get_json()
    assert events["items"][0]["seat"] == 0
    assert ada.post(f"/v1/matches/{match}/resign", {}).get_json()["status"] == "finished"
    record = ada.get(f"/v1/matches/{match}/record").get_json()
    assert record["bots"] == {"0": "fair"}
    outcome = verify(read_record(record)).outcome
    assert outcome is not None
    assert outcome.ranks == (1, 2)


def test_a_bot_is_not_blocked(ada: Person) -> None:
    match = created(ada, ME, EASY)["id"]
    answer = ada.post("/v1/me/blocks", {"match": match, "seat": 1})
    assert (answer.status_code, answer.get_json()["errors"][0]["pointer"]) == (422, "/seat")


def test_a_profile_says_who_is_a_bot(ada: Person) -> None:
    seats = created(ada, ME, EASY, {"kind": "open"})["seats"]
    mine, bots = (ada.get(f"/v1/players/{seat['player_id']}").get_json() for seat in seats[:2])
    assert [(each["name"], each["bot"]) for each in (mine, bots)] == [("Ada", None), ("Easy bot", "easy")]
    assert (mine["turns"], mine["matches"], mine["left"]) == (0, 0, 0)
    assert seats[2]["player_id"] is None


def own_bot(owner: Person, name: str = "Greedy") -> tuple[str, str]:
    """The id and the token of a new bot."""
    made = owner.post("/v1/me/bots", {"name": name}).get_json()
    return made["player"]["id"], made["token"]


def test_a_host_gives_a_bot_of_theirs_a_seat_by_its_id_and_it_plays(ada: Person, bela: Person) -> None:
    bot, token = own_bot(ada)
    match = created(ada, {"kind": "me"}, {"kind": "own_bot", "player": bot}, {"kind": "invite", "email": bela.email})
    assert (match["status"], match["clock"]["preset"]) == ("open", "relaxed")
    seat = match["seats"][1]
    me = ada.get("/v1/me").get_json()["id"]
    assert (seat["player"], seat["player_id"], seat["owner_id"]) == ("Greedy bot", bot, me)
    started = bela.post(f"/v1/matches/{match['id']}/join").get_json()
    assert started["status"] == "running"
    own = replace(ada, token=token)
    assert own.get(f"/v1/matches/{match['id']}/observation").get_json()["seat"] == 1


def test_nobody_seats_a_bot_of_another_a_person_or_one_bot_twice(ada: Person, bela: Person) -> None:
    bot, _ = own_bot(ada)
    person = bela.get("/v1/me").get_json()["id"]
    me, its = {"kind": "me"}, {"kind": "own_bot", "player": bot}
    refused = [
        (bela, [me, its], "/seats/1/player", "You have no such bot"),
        (ada, [me, its | {"player": person}], "/seats/1/player", "You have no such bot"),
        (ada, [me, its | {"player": "nobody"}], "/seats/1/player", "You have no such bot"),
        (ada, [me, its, its], "/seats/2/player", "nobody can hold two"),
        (ada, [me, {"kind": "own_bot"}], "/seats/1/player", "needs player"),
        (ada, [me, {"kind": "open", "player": bot}], "/seats/1/player", "takes no player"),
    ]
    for host, seats, pointer, says in refused:
        answer = host.post("/v1/matches", {"game": "pearls", "seats": seats})
        assert answer.status_code == 422, answer.text
        assert (answer.get_json()["errors"][0]["pointer"], says in answer.text) == (pointer, True)
    ada.delete(f"/v1/me/bots/{bot}")
    assert "You have no such bot" in ada.post("/v1/matches", {"game": "pearls", "seats": [me, its]}).text
