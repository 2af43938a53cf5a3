"""The pages' own scripts use the API in the name of the player who is signed in in their browser;
pages of other origins, and whoever has only one of cookie and nonce, do not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.api.auth import SHOWN, SIGNED_IN
from service.api.requests import NONCE
from service.app import create_app
from service.context import Context
from service.players import accounts, tokens
from service.store import players
from service.store.players import Player
from tests.service.api.conftest import Person
from tests.service.api.test_edges import problem
from tests.service.fakes import limited, sent_token


@dataclass(frozen=True)
class Browser:
    """A browser in which a player is signed in, and the nonce of the page that it shows."""

    client: FlaskClient
    nonce: str

    def ask(self, path: str = "/v1/me", method: str = "GET", **options: object) -> TestResponse:
        """What a script of the page asks, as browsers send it; ``headers`` without a value are left
        out.
        """
        own = {NONCE: self.nonce, "Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"}
        given = options.pop("headers", {})
        assert isinstance(given, Mapping)
        headers = {name: value for name, value in {**own, **given}.items() if value is not None}
        return self.client.open(path, method=method, headers=headers, **options)  # type: ignore[arg-type]


def player_of(context: Context, person: Person) -> Player:
    with context.database.read() as connection:
        found = players.by_email(connection, person.email)
    assert found is not None
    return found


def browser_of(app: Flask, context: Context, person: Person | None) -> Browser:
    """A browser that was shown the start page, by default one in which nobody is signed in."""
    client = app.test_client()
    if person is not None:
        client.set_cookie(SIGNED_IN, tokens.sign_in(context, player_of(context, person)))
    return shown_a_page(client)


def shown_a_page(client: FlaskClient) -> Browser:
    page = client.get("/confirm").text
    shown = client.get_cookie(SHOWN)
    found = re.search(r'<meta name="overland-nonce" content="([a-z2-7]+)">', page)
    assert shown is not None
    assert found is not None
    assert shown.value not in page
    return Browser(client, found[1])


@pytest.fixture
def browser(app: Flask, context: Context, ada: Person) -> Browser:
    return browser_of(app, context, ada)


def test_a_script_of_our_page_acts_as_the_player(browser: Browser, ada: Person, bela: Person, match: str) -> None:
    assert browser.ask().get_json()["name"] == "Ada"
    seats = browser.ask(f"/v1/matches/{match}").get_json()
    who = 0 if seats["seats"][0]["to_act"] else 1
    legal = browser.ask(f"/v1/matches/{match}/legal-actions").get_json()
    assert legal["seat"] == 0
    played = browser.ask(f"/v1/matches/{match}/turns", "POST", json={"ply": seats["ply"], "notation": "1"})
    assert played.status_code == (202 if who == 0 else 409)
    assert browser.ask(f"/v1/matches/{match}/chat", "POST", json={"text": "Hello"}).get_json()["you"]
    assert browser.ask("/v1/me/preferences", "PATCH", json={"chat": False}).get_json()["chat"] is False


def test_what_is_answered_to_it_is_for_nobody_else(browser: Browser) -> None:
    answer = browser.ask()
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert NONCE in answer.headers["Vary"]
    assert not [name for name, _ in answer.headers if name.startswith("Access-Control")]


@pytest.mark.parametrize(
    "headers",
    [
        {NONCE: "a" * 32},
        {NONCE: ""},
        {NONCE: "ä"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Sec-Fetch-Site": None, "Origin": "https://club.example"},
        {"Sec-Fetch-Site": None, "Origin": "http://localhost.club.example"},
        {"Sec-Fetch-Site": None, "Origin": "http://localhost:8001"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "https://club.example"},
        {"Sec-Fetch-Site": None, "Origin": "http://["},
        {"Sec-Fetch-Site": None, "Origin": "localhost"},
    ],
)
def test_a_page_of_another_origin_is_refused(
    browser: Browser, bela: Person, match: str, headers: dict[str, str | None]
) -> None:
    for path, method, body in (
        ("/v1/me", "GET", None),
        (f"/v1/matches/{match}", "GET", None),
        (f"/v1/matches/{match}/resign", "POST", None),
        (f"/v1/matches/{match}/chat", "POST", {"text": "Hello"}),
    ):
        answer = browser.ask(path, method, headers=headers, **({} if body is None else {"json": body}))
        problem(answer, 403, "foreign_page")
    assert browser.ask(f"/v1/matches/{match}").get_json()["status"] == "running"


def test_the_cookie_alone_is_nobody(browser: Browser, match: str) -> None:
    problem(browser.ask(headers={NONCE: None}), 401, "unauthorized")
    assert browser.ask(f"/v1/matches/{match}/observation", headers={NONCE: None}).get_json()["seat"] is None
    problem(browser.ask(f"/v1/matches/{match}/resign", "POST", headers={NONCE: None}), 401, "unauthorized")


def test_the_nonce_of_another_browser_is_none(app: Flask, context: Context, browser: Browser, bela: Person) -> None:
    other = browser_of(app, context, bela)
    problem(replace(browser, nonce=other.nonce).ask(), 403, "foreign_page")


def test_a_page_of_one_player_never_acts_in_the_name_of_another(
    context: Context, browser: Browser, bela: Person, match: str
) -> None:
    found, _ = tokens.recognise_at(context, bela.token, None)
    assert found is not None
    browser.client.set_cookie(SIGNED_IN, tokens.sign_in(context, found[0]))
    problem(browser.ask(f"/v1/matches/{match}/resign", "POST"), 403, "foreign_page")
    assert shown_a_page(browser.client).ask().get_json()["name"] == "Bela"


def test_a_browser_without_the_cookie_of_the_page_is_refused(browser: Browser) -> None:
    browser.client.delete_cookie(SHOWN)
    problem(browser.ask(), 403, "foreign_page")


def test_where_nobody_is_signed_in_nobody_acts(app: Flask, context: Context, ada: Person, browser: Browser) -> None:
    problem(browser_of(app, context, None).ask(), 401, "unauthorized")
    assert browser.client.post("/sign-out", data={"nonce": browser.nonce}).status_code == 303
    problem(browser.ask(), 401, "unauthorized")


def test_a_token_counts_before_the_browser(browser: Browser, bela: Person) -> None:
    assert browser.ask(headers={"Authorization": f"Bearer {bela.token}"}).get_json()["name"] == "Bela"
    problem(browser.ask(headers={"Authorization": "Bearer ovl_nobodys"}), 401, "unknown_token")


def test_no_page_of_another_origin_may_send_the_nonce(browser: Browser, match: str) -> None:
    asks = {"Origin": "https://club.example", "Access-Control-Request-Method": "POST", NONCE: None}
    allowed = browser.ask(f"/v1/matches/{match}/turns", "OPTIONS", headers=asks).headers
    assert NONCE.lower() not in allowed["Access-Control-Allow-Headers"].lower()
    assert "Access-Control-Allow-Credentials" not in allowed


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_a_form_of_another_site_does_nothing(browser: Browser, match: str, kind: str) -> None:
    foreign = {NONCE: None, "Sec-Fetch-Site": "cross-site", "Origin": "https://club.example"}
    answer = browser.ask(
        f"/v1/matches/{match}/chat", "POST", headers=foreign, data='{"text": "Hello"}', content_type=kind
    )
    problem(answer, 401, "unauthorized")


def test_a_browser_proves_no_mailbox(browser: Browser) -> None:
    problem(browser.ask("/v1/me/addresses", "POST", json={"email": "eve@example.org"}), 403, "proof_needed")
    problem(browser.ask("/v1/tokens", "POST", json={"scopes": ["account"]}), 403, "proof_needed")


def test_a_browser_that_a_mail_has_just_signed_in_proves_the_mailbox(app: Flask, context: Context, ada: Person) -> None:
    client = app.test_client()
    accounts.sign_in(context, ada.email)
    client.set_cookie(SIGNED_IN, accounts.confirm_in_browser(context, sent_token(context, ada.email), None)[2])
    browser = shown_a_page(client)
    assert browser.ask("/v1/me/addresses", "POST", json={"email": "ada@home.example"}).status_code == 202


def test_a_key_is_the_players_also_in_the_browser(browser: Browser, ada: Person, match: str) -> None:
    path, key = f"/v1/matches/{match}/chat", {"Idempotency-Key": "1"}
    numbers = [
        ada.post(path, {"text": "Hello"}, headers=key).get_json()["number"],
        browser.ask(path, "POST", headers=key, json={"text": "Hello"}).get_json()["number"],
    ]
    assert numbers == [1, 1]
    issued = [
        browser.ask("/v1/tokens", "POST", headers={"Idempotency-Key": "2"}, json={"scopes": ["read"]}) for _ in "ab"
    ]
    assert issued[0].get_json() == issued[1].get_json()


def test_a_player_is_one_caller_with_browser_and_token(context: Context, ada: Person) -> None:
    app = create_app(limited(context))
    browser = browser_of(app, context, ada)
    left = int(browser.ask().headers["RateLimit-Remaining"])
    assert int(browser.ask().headers["RateLimit-Remaining"]) == left - 1
    by_token = app.test_client().get("/v1/me", headers={"Authorization": f"Bearer {ada.token}"})
    assert int(by_token.headers["RateLimit-Remaining"]) == left - 2
