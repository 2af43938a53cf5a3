"""Playing at once, as a guest: from the start page to a match, and to an account that keeps it."""

from __future__ import annotations

import re
from dataclasses import replace

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.api.auth import SHOWN, SIGNED_IN
from service.app import create_app
from service.context import Context
from service.matches import lobby
from service.players import tokens
from service.store.players import Player
from tests.service.fakes import at_once, person, sent_token
from tests.service.web.test_confirm import nonce


def play(client: FlaskClient, game: str = "oregon", **headers: str) -> TestResponse:
    """Opens the start page and presses the button of a game."""
    shown = nonce(client.get("/"))
    return client.post(f"/games/{game}/play", data={"nonce": shown}, headers=headers)


def visitor(client: FlaskClient, context: Context) -> Player:
    cookie = client.get_cookie(SIGNED_IN)
    assert cookie is not None
    found = tokens.signed_in(context, cookie.value)
    assert found is not None
    return found


def test_a_stranger_is_in_a_match_after_one_press(client: FlaskClient, context: Context) -> None:
    answer = play(client)
    assert answer.status_code == 303
    page = client.get(answer.location)
    assert page.status_code == 200
    guest = visitor(client, context)
    assert guest.name in page.text
    start = client.get("/").text
    assert f"You play as {guest.name}" in start
    assert answer.location in start
    assert 'href="/sign-up"' in start


def test_eight_presses_at_once_in_one_browser_are_one_match(client: FlaskClient, context: Context) -> None:
    shown = nonce(client.get("/"))
    cookie = client.get_cookie(SHOWN)
    assert cookie is not None

    def press() -> str:
        browser = client.application.test_client()
        browser.set_cookie(SHOWN, cookie.value)
        return str(browser.post("/games/oregon/play", data={"nonce": shown}).location)

    assert len(set(at_once(*[press] * 8))) == 1


def test_another_game_leads_to_the_one_match_of_a_guest(client: FlaskClient) -> None:
    first = play(client).location
    client.delete_cookie(SHOWN)
    assert play(client, "montana").location == first


def test_another_site_begins_no_match(client: FlaskClient, context: Context) -> None:
    client.get("/")
    assert client.post("/games/oregon/play", data={"nonce": "a" * 32}).status_code == 403
    assert play(client, **{"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert client.get_cookie(SIGNED_IN) is None


def test_a_player_is_led_to_the_form_of_a_match(client: FlaskClient, context: Context) -> None:
    client.set_cookie(SIGNED_IN, tokens.sign_in(context, person(context, "Ada")))
    assert 'href="/new?game=oregon"' in client.get("/").text
    shown = nonce(client.get("/"))
    assert client.post("/games/oregon/play", data={"nonce": shown}).location == "/new?game=oregon"


def test_five_guests_an_hour_come_from_one_network(context: Context) -> None:
    app = create_app(replace(context, settings=replace(context.settings, rate_limit=True)))
    one, other = {"REMOTE_ADDR": "2001:db8:1:2::1"}, {"REMOTE_ADDR": "2001:db8:1:2:ffff::9"}
    answers = []
    for number in range(7):
        browser = app.test_client()
        shown = nonce(browser.get("/"))
        data, environ = {"nonce": shown}, one if number % 2 else other
        answers.append(browser.post("/games/oregon/play", data=data, environ_overrides=environ))
        again = browser.post("/games/oregon/play", data=data, environ_overrides=environ)
        assert again.status_code == answers[-1].status_code, "a second press is not counted"
    assert [answer.status_code for answer in answers] == [303] * 5 + [429] * 2
    assert "guests" in answers[-1].text
    elsewhere = app.test_client()
    shown = nonce(elsewhere.get("/"))
    environ = {"REMOTE_ADDR": "2001:db8:1:3::1"}
    assert elsewhere.post("/games/oregon/play", data={"nonce": shown}, environ_overrides=environ).status_code == 303


def test_a_guest_signs_up_and_keeps_the_match(client: FlaskClient, context: Context) -> None:
    match = play(client).location
    guest = visitor(client, context)
    page = client.get("/sign-up", follow_redirects=True)
    assert guest.name in page.text
    client.post("/sign-up", data={"nonce": nonce(page), "name": "Ada", "email": "ada@example.org"})
    token = sent_token(context, "ada@example.org")
    shown = client.get("/confirm", query_string={"token": token})
    answer = client.post("/confirm", data={"token": token, "nonce": nonce(shown)})
    assert answer.location == match
    ada = visitor(client, context)
    assert (ada.id, ada.name, ada.guest_until) == (guest.id, "Ada", None)
    assert [f"/matches/{each.id}" for each in lobby.mine(context, ada)] == [match]
    assert re.search("Ada", client.get(match).text)


def test_a_guest_creates_no_match_by_the_form(client: FlaskClient, context: Context) -> None:
    play(client)
    shown = nonce(client.get("/"))
    assert client.get("/new?game=oregon").location == "/sign-in"
    data = {"nonce": shown, "game": "oregon", "seat0": "me", "seat1": "open"}
    assert client.post("/new", data=data).location == "/sign-in"
    assert len(lobby.mine(context, visitor(client, context))) == 1
