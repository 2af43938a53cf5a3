"""Preferences, chat, notes and blocks over HTTP."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.service.api.conftest import Person, SignUp
from tests.service.api.test_edges import problem

DEFAULT = {
    "mails": "at_once",
    "digest_hour": 19,
    "time_zone": "UTC",
    "without": [],
    "merged": True,
    "chat": True,
    "text_only": False,
    "confirm": "never",
    "quiet": None,
    "quiet_zone": None,
    "reminders": "both",
    "automatic_days_off": False,
    "discord": None,
    "slack": None,
}


def test_preferences_are_changed_one_by_one_and_set_back(ada: Person) -> None:
    assert ada.get("/v1/me/preferences").get_json() == DEFAULT | {"stopped": []}
    changed = ada.patch("/v1/me/preferences", {"mails": "digest", "time_zone": "europe/zurich", "without": ["verdict"]})
    assert changed.status_code == 200
    wanted = DEFAULT | {"mails": "digest", "time_zone": "Europe/Zurich", "without": ["verdict"], "stopped": []}
    assert changed.get_json() == ada.get("/v1/me/preferences").get_json() == wanted
    assert ada.patch("/v1/me/preferences", {"mails": None, "without": None}).get_json() == DEFAULT | {
        "time_zone": "Europe/Zurich",
        "stopped": [],
    }


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"mails": "daily"}, "/mails"),
        ({"digest_hour": 24}, "/digest_hour"),
        ({"digest_hour": "7"}, "/digest_hour"),
        ({"time_zone": "Zurich"}, "/time_zone"),
        ({"time_zone": "../etc/passwd"}, "/time_zone"),
        ({"without": ["sign_in"]}, "/without/0"),
        ({"without": "verdict"}, "/without"),
        ({"chat": "no"}, "/chat"),
        ({"quiet": "22:00-08:00"}, "/quiet"),
        ({"reminders": "daily"}, "/reminders"),
        ({"automatic_days_off": "yes"}, "/automatic_days_off"),
        ({"colour": "green"}, "/colour"),
    ],
)
def test_a_preference_that_does_not_exist_is_refused(ada: Person, body: object, pointer: str) -> None:
    assert problem(ada.patch("/v1/me/preferences", body), 422, "invalid")["errors"][0]["pointer"] == pointer


def test_a_match_has_preferences_of_its_own(ada: Person, bela: Person, match: str, sign_up: SignUp) -> None:
    path = f"/v1/matches/{match}/preferences"
    ada.patch("/v1/me/preferences", {"mails": "digest"})
    changed = ada.patch(path, {"mails": "off"}).get_json()
    assert (changed["mails"], changed["chosen"]) == ("off", ["mails"])
    assert ada.get("/v1/me/preferences").get_json()["mails"] == "digest"
    assert bela.get(path).get_json()["mails"] == "at_once"
    assert ada.patch(path, {"mails": None}).get_json() == DEFAULT | {"mails": "digest", "chosen": []}
    problem(ada.patch(path, {"digest_hour": 7}), 422, "invalid")
    problem(sign_up("Eve").get(path), 403, "not_seated")
    problem(ada.get("/v1/matches/nowhere/preferences"), 404, "match_not_found")


def test_players_talk_and_nobody_else_listens(ada: Person, bela: Person, match: str, sign_up: SignUp) -> None:
    path = f"/v1/matches/{match}/chat"
    said = ada.post(path, {"text": "<b>Good luck</b> & fun!"})
    assert said.status_code == 201
    assert said.get_json()["number"] == 1
    bela.post(path, {"text": "And you"})
    first = bela.get(f"{path}?limit=1").get_json()
    assert [item["text"] for item in first["items"]] == ["<b>Good luck</b> & fun!"]
    assert first["next"] == f"{path}?limit=1&after=1"
    (second,) = bela.get(first["next"]).get_json()["items"]
    assert (second["text"], second["player"], second["you"], second["seat"]) == ("And you", "Bela", True, 1)
    eve = sign_up("Eve")
    problem(eve.get(path), 403, "not_seated")
    problem(eve.post(path, {"text": "Hello"}), 403, "not_seated")
    problem(eve.client.get(path), 401, "unauthorized")
    problem(ada.post(path, {"text": "x" * 501}), 422, "invalid")
    problem(ada.post(path, {"text": "a\x07b"}), 422, "invalid")


def test_a_note_is_seen_by_nobody_else(ada: Person, bela: Person, match: str, sign_up: SignUp) -> None:
    path = f"/v1/matches/{match}/notes"
    assert ada.get(path).get_json() == {"text": "", "changed_at": None}
    noted = ada.put(path, {"text": "Coal first.\r\nThen the harbour. "}).get_json()
    assert noted["text"] == "Coal first.\nThen the harbour."
    assert ada.get(path).get_json() == noted
    assert bela.get(path).get_json()["text"] == ""
    problem(sign_up("Eve").put(path, {"text": "mine"}), 403, "not_seated")
    problem(ada.put(path, {"text": "x" * 4001}), 422, "invalid")
    problem(ada.put(path, {"text": "a\x1bb"}), 422, "invalid")
    assert ada.put(path, {"text": " "}).get_json() == {"text": "", "changed_at": None}


def test_a_player_is_blocked_by_seat_and_unblocked_by_id(ada: Person, bela: Person, match: str) -> None:
    blocked = ada.post("/v1/me/blocks", {"match": match, "seat": 1})
    assert blocked.status_code == 201
    assert ada.get("/v1/me/blocks").get_json() == {"items": [blocked.get_json()]}
    assert blocked.get_json()["name"] == "Bela"
    bela.post(f"/v1/matches/{match}/chat", {"text": "Hello?"})
    assert ada.get(f"/v1/matches/{match}/chat").get_json()["items"] == []
    assert bela.get("/v1/me/blocks").get_json() == {"items": []}
    assert ada.delete(f"/v1/me/blocks/{blocked.get_json()['player']}").status_code == 204
    problem(ada.delete(f"/v1/me/blocks/{blocked.get_json()['player']}"), 404, "not_blocked")
    problem(ada.post("/v1/me/blocks", {"match": match, "seat": 5}), 404, "nobody_there")
    problem(ada.post("/v1/me/blocks", {"match": match, "seat": 0}), 422, "invalid")


@pytest.mark.parametrize(
    ("method", "path", "missing"),
    [
        ("GET", "/v1/me/preferences", "read"),
        ("PATCH", "/v1/me/preferences", "account"),
        ("POST", "/v1/me/blocks", "account"),
        ("GET", "/v1/me/blocks", "read"),
    ],
)
def test_a_token_of_a_bot_that_only_plays_changes_no_preferences(
    ada: Person, client: FlaskClient, method: str, path: str, missing: str
) -> None:
    secret = ada.post("/v1/tokens", {"label": "bot", "scopes": ["play"]}).get_json()["token"]
    bot = Person(client, "bot", ada.email, secret)
    answer = client.open(path, method=method, headers={"Authorization": f"Bearer {bot.token}"}, json={})
    assert problem(answer, 403, "missing_scope")["scope"] == missing


def test_mails_are_listed_with_what_became_of_them_and_never_their_content(
    ada: Person, bela: Person, match: str
) -> None:
    listed = ada.get("/v1/me/mails").get_json()
    assert {mail["kind"] for mail in listed["items"]} == {"confirm_address", "match_started", "your_turn"}
    assert {mail["status"] for mail in listed["items"]} <= {"queued", "held"}
    assert {mail["match"] for mail in listed["items"]} == {match, None}
    assert "token" not in ada.get("/v1/me/mails").text
    first = ada.get("/v1/me/mails?limit=2").get_json()
    rest = ada.get(first["next"]).get_json()
    assert [*first["items"], *rest["items"]] == listed["items"]
    theirs = bela.get("/v1/me/mails").get_json()["items"]
    assert not {mail["id"] for mail in theirs} & {mail["id"] for mail in listed["items"]}
    problem(ada.post(f"/v1/me/mails/{theirs[0]['id']}/send"), 404, "mail_not_found")
    problem(ada.post(f"/v1/me/mails/{first['items'][0]['id']}/send"), 409, "mail_waits")
