"""Signing up, confirming, tokens and scopes, over HTTP."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from service.context import Context
from tests.service.api.conftest import Person, latest_secret
from tests.service.api.test_edges import problem
from tests.service.api.test_turns_api import WAIT, illegal_start


def test_signing_up_answers_the_same_for_a_known_address(client: FlaskClient, ada: Person) -> None:
    known = client.post("/v1/players", json={"name": "Somebody", "email": ada.email})
    fresh = client.post("/v1/players", json={"name": "Somebody", "email": "new@example.org"})
    assert known.status_code == fresh.status_code == 202
    assert known.text.replace(ada.email, "new@example.org") == fresh.text


def test_confirming_gives_a_player_and_a_token(client: FlaskClient, context: Context) -> None:
    client.post("/v1/players", json={"name": "Zoë", "email": "Zoe@Example.org"})
    answer = client.post("/v1/confirm", json={"token": latest_secret(context)}).get_json()
    assert answer["token"].startswith("ovl_")
    me = client.get("/v1/me", headers={"Authorization": f"Bearer {answer['token']}"}).get_json()
    assert me == answer["player"]
    assert (me["name"], me["email"]) == ("Zoë", "zoe@example.org")
    assert me["confirmed_at"].endswith("Z")


def test_a_token_of_the_mail_works_once(client: FlaskClient, context: Context, ada: Person) -> None:
    problem(client.post("/v1/confirm", json={"token": latest_secret(context)}), 409, "confirmation_used")


def test_an_unknown_token_of_the_mail_is_not_found(client: FlaskClient) -> None:
    problem(client.post("/v1/confirm", json={"token": "a" * 32}), 404, "confirmation_not_found")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"name": "", "email": "a@example.org"}, "/name"),
        ({"name": "x" * 41, "email": "a@example.org"}, "/name"),
        ({"name": "a\nb", "email": "a@example.org"}, "/name"),
        ({"name": "a\u202eb", "email": "a@example.org"}, "/name"),
        ({"name": None, "email": "a@example.org"}, "/name"),
        ({"email": "a@example.org"}, "/name"),
        ({"name": "Ada", "email": "a b@example.org"}, "/email"),
        ({"name": "Ada", "email": "a@example.org\r\nBcc: x@example.org"}, "/email"),
        ({"name": "Ada", "email": ["a@example.org"]}, "/email"),
        ({"name": "Ada", "email": "a@" + "x" * 300}, "/email"),
        ({"name": "a\u0000b", "email": "a@example.org"}, "/name"),
    ],
)
def test_what_cannot_stand_in_a_mail_is_refused(client: FlaskClient, body: object, pointer: str) -> None:
    assert problem(client.post("/v1/players", json=body), 422, "invalid")["errors"][0]["pointer"] == pointer


def test_a_token_is_issued_listed_and_revoked(ada: Person, client: FlaskClient) -> None:
    issued = ada.post("/v1/tokens", {"label": "my bot", "scopes": ["play", "read"]})
    assert issued.status_code == 201
    token = issued.get_json()
    bot = Person(client, "bot", ada.email, token["token"])
    assert bot.get("/v1/me").status_code == 200
    listed = ada.get("/v1/tokens").get_json()["items"]
    assert {item["label"] for item in listed} >= {"my bot"}
    assert all("token" not in item for item in listed)
    assert ada.delete(f"/v1/tokens/{token['id']}").status_code == 204
    problem(bot.get("/v1/me"), 401, "unknown_token")


def test_somebody_elses_token_cannot_be_revoked(ada: Person, bela: Person) -> None:
    token = ada.get("/v1/tokens").get_json()["items"][0]
    problem(bela.delete(f"/v1/tokens/{token['id']}"), 404, "token_not_found")


@pytest.mark.parametrize(
    ("scopes", "method", "path", "missing"),
    [
        (["read"], "POST", "/v1/matches", "play"),
        (["play"], "GET", "/v1/me", "read"),
        (["play"], "GET", "/v1/matches?mine=true", "read"),
        (["play", "read"], "POST", "/v1/tokens", "account"),
        (["play", "read"], "GET", "/v1/tokens", "account"),
    ],
)
def test_a_token_does_what_its_scopes_say_and_no_more(
    ada: Person, client: FlaskClient, scopes: list[str], method: str, path: str, missing: str
) -> None:
    secret = ada.post("/v1/tokens", {"label": "narrow", "scopes": scopes}).get_json()["token"]
    answer = client.open(
        path, method=method, headers={"Authorization": f"Bearer {secret}"}, json={} if method == "POST" else None
    )
    found = problem(answer, 403, "missing_scope")
    assert found["scope"] == missing
    assert f'scope="{missing}"' in answer.headers["WWW-Authenticate"]


def test_a_token_that_manages_tokens_issues_none_with_more_than_it_has(ada: Person, client: FlaskClient) -> None:
    secret = ada.post("/v1/tokens", {"scopes": ["account"]}).get_json()["token"]
    clerk = Person(client, "clerk", ada.email, secret)
    found = problem(clerk.post("/v1/tokens", {"scopes": ["account", "play"]}), 403, "missing_scope")
    assert found["scope"] == "play"
    for body in ({}, {"scopes": None}, {"scopes": ["account"]}):
        problem(clerk.post("/v1/tokens", body), 403, "proof_needed")
        assert ada.post("/v1/tokens", body).status_code == 201


def test_an_answer_with_a_token_is_never_stored(client: FlaskClient, context: Context, ada: Person) -> None:
    client.post("/v1/players", json={"name": "Eve", "email": "eve@example.org"})
    confirmed = client.post("/v1/confirm", json={"token": latest_secret(context)})
    for answer in (confirmed, ada.post("/v1/tokens", {})):
        assert "ovl_" in answer.text
        assert answer.headers["Cache-Control"] == "no-store, no-transform"
        assert answer.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_a_form_of_another_site_confirms_nothing_by_the_api(client: FlaskClient, context: Context, kind: str) -> None:
    client.post("/v1/players", json={"name": "Eve", "email": "eve@example.org"})
    body = f'{{"token": "{latest_secret(context)}"}}'
    answer = client.post("/v1/confirm", data=body, content_type=kind)
    problem(answer, 415, "unsupported_media_type")


@pytest.mark.parametrize(
    "body", [{"scopes": []}, {"scopes": ["fly"]}, {"scopes": "play"}, {"label": ""}, {"label": "x" * 61}]
)
def test_a_token_needs_a_label_and_scopes_that_exist(ada: Person, body: object) -> None:
    problem(ada.post("/v1/tokens", body), 422, "invalid")


def test_a_name_full_of_signs_is_shown_as_it_is(client: FlaskClient, context: Context) -> None:
    name = "Rob'); DROP TABLE <b>{{7*7}}"
    client.post("/v1/players", json={"name": name, "email": "rob@example.org"})
    assert client.post("/v1/confirm", json={"token": latest_secret(context)}).get_json()["player"]["name"] == name


def test_a_seat_leads_to_its_player_whom_everybody_may_look_at(ada: Person, bela: Person, match: str) -> None:
    seats = ada.client.get(f"/v1/matches/{match}").get_json()["seats"]
    found = ada.client.get(f"/v1/players/{seats[1]['player_id']}")
    assert found.status_code == 200
    shown = found.get_json()
    assert (shown["id"], shown["name"], shown["bot"]) == (seats[1]["player_id"], "Bela", None)
    assert shown["since"] == bela.get("/v1/me").get_json()["created_at"]
    assert "email" not in shown
    assert (shown["matches"], shown["turns"], shown["in_time"], shown["left"]) == (1, 0, 0, 0)
    unknown = ada.client.get("/v1/players/nobody")
    assert (unknown.status_code, unknown.get_json()["code"]) == (404, "player_not_found")


def test_a_new_name_is_seen_in_every_match(ada: Person, bela: Person, match: str) -> None:
    before = bela.get(f"/v1/matches/{match}/board.txt")
    answer = ada.patch("/v1/me", {"name": "Grace"})
    assert (answer.status_code, answer.get_json()["name"]) == (200, "Grace")
    assert bela.get(f"/v1/matches/{match}").get_json()["seats"][0]["player"] == "Grace"
    after = bela.get(f"/v1/matches/{match}/board.txt", headers={"If-None-Match": before.headers["ETag"]})
    assert after.status_code == 200
    assert "Grace" in after.text
    taken = bela.patch("/v1/me", {"name": "GRACE"})
    assert (taken.status_code, taken.get_json()["code"]) == (409, "name_taken")
    mixed = bela.patch("/v1/me", {"name": "Bel\u0430"})
    assert (mixed.status_code, mixed.get_json()["errors"][0]["pointer"]) == (422, "/name")


def test_a_bot_of_ones_own_takes_a_seat_and_is_marked(ada: Person, bela: Person) -> None:
    made = ada.post("/v1/me/bots", {"name": "Greedy"})
    assert made.status_code == 201
    bot = Person(ada.client, "Greedy bot", "", made.get_json()["token"])
    shown = bot.get("/v1/me").get_json()
    assert (shown["name"], shown["owner_id"]) == ("Greedy bot", ada.get("/v1/me").get_json()["id"])
    match = bela.post("/v1/matches", {"game": "oregon", "seats": [{"kind": "me"}, {"kind": "open"}]}).get_json()["id"]
    seat = bot.post(f"/v1/matches/{match}/join").get_json()["seats"][1]
    assert (seat["player"], seat["owner_id"], seat["bot"]) == ("Greedy bot", shown["owner_id"], None)
    refused = bot.post("/v1/matches", {"game": "oregon", "seats": [{"kind": "me"}, {"kind": "open"}]})
    assert (refused.status_code, refused.get_json()["code"]) == (403, "bot_owns_nothing")
    assert bot.post("/v1/me/bots", {"name": "Small"}).get_json()["code"] == "missing_scope"
    (listed,) = ada.get("/v1/me/bots").get_json()["items"]
    assert listed["player"]["name"] == "Greedy bot"
    assert [token["label"] for token in listed["tokens"]] == ["bot"]
    another = ada.post(f"/v1/me/bots/{shown['id']}/tokens", {"label": "there"}).get_json()
    assert ada.delete(f"/v1/tokens/{another['id']}").status_code == 204
    assert bela.delete(f"/v1/me/bots/{shown['id']}").status_code == 404
    assert ada.delete(f"/v1/me/bots/{shown['id']}").status_code == 204
    assert bot.get("/v1/me").status_code == 401
    assert ada.get(f"/v1/matches/{match}").get_json()["seats"][1]["player"] == "A former player"


def test_leaving_for_good_needs_a_proof_and_ends_every_token(ada: Person, bela: Person, match: str) -> None:
    weak = ada.post("/v1/tokens", {"label": "weak", "scopes": ["read", "play"]}).get_json()["token"]
    stored = ada.get("/v1/me/export").get_json()
    assert stored["players"][0]["name"] == "Ada"
    assert [row["match_id"] for row in stored["seats"]] == [match]
    assert Person(ada.client, "", "", weak).delete("/v1/me").get_json()["code"] == "missing_scope"
    assert ada.delete("/v1/me").status_code == 204
    for token in (ada.token, weak):
        assert Person(ada.client, "", "", token).get("/v1/me").status_code == 401
    shown = bela.get(f"/v1/matches/{match}").get_json()
    assert (shown["status"], shown["seats"][0]["player"]) == ("finished", "A former player")


def test_what_is_handed_out_tells_nothing_of_what_others_do(ada: Person, bela: Person, match: str) -> None:
    """What a seat has tried in vain, and how often, is between it and the service."""
    before = bela.get("/v1/me/export").get_json(), ada.get("/v1/me/export").get_json()
    illegal = {"ply": ada.get(f"/v1/matches/{match}").get_json()["ply"], "notation": illegal_start(ada, match)}
    assert ada.post(f"/v1/matches/{match}/turns", illegal, headers=WAIT).status_code == 422
    assert bela.get("/v1/me/export").get_json() == before[0]
    after = ada.get("/v1/me/export").get_json()
    own = {"turns", "events", "player_events", "players", "outbox", "tokens"}
    assert {name for name, rows in after.items() if rows != before[1][name]} <= own


def test_a_token_says_when_it_expires_and_when_it_was_used(ada: Person, context: Context) -> None:
    issued = ada.post("/v1/tokens", {"label": "a week", "scopes": ["read"], "expires_in": 7}).get_json()
    assert (issued["used_at"], issued["expires_at"] is None) == (None, False)
    assert Person(ada.client, "", "", issued["token"]).get("/v1/me").status_code == 200
    found = {token["label"]: token for token in ada.get("/v1/tokens").get_json()["items"]}
    assert found["a week"]["used_at"] is not None
    assert found["signed in by mail"]["expires_at"] is None
    assert ada.post("/v1/tokens", {"expires_in": 0}).status_code == 422
