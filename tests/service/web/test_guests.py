"""Playing at once, as a guest: from the start page to a match, and to an account that keeps it."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.test import TestResponse

from service.api.auth import SHOWN, SIGNED_IN
from service.app import create_app
from service.context import Context
from service.ledger.check import check_ledger
from service.loop import Loop
from service.matches import lobby
from service.matches.types import SeatRequest
from service.players import accounts, suspending, tokens
from service.store.audit import Operator
from service.store.players import Player
from service.store.tables import audit
from service.sweeps import sweep
from tests.service.fakes import at_once, limited, notices, person, sent_token
from tests.service.web.conftest import Browser
from tests.service.web.test_confirm import nonce
from tests.service.web.test_invitation import link_of
from tests.service.web.test_sign_in import link_for


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


def press_token(client: FlaskClient, token: str) -> TestResponse:
    shown = client.get("/confirm", query_string={"token": token})
    return client.post("/confirm", data={"token": token, "nonce": nonce(shown)})


def test_a_stranger_is_in_a_match_after_one_press(client: FlaskClient, context: Context) -> None:
    answer = play(client)
    assert answer.status_code == 303
    page = client.get(answer.location)
    assert page.status_code == 200
    guest = visitor(client, context)
    assert guest.name in page.text
    assert "/sign-out" not in page.text, "it would give the match up for good"
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
    app = create_app(limited(context))
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
    assert f"The match that you play as {guest.name} is then yours for good" in shown.text
    answer = client.post("/confirm", data={"token": token, "nonce": nonce(shown)})
    assert answer.location == match
    ada = visitor(client, context)
    assert (ada.id, ada.name, ada.guest_until) == (guest.id, "Ada", None)
    assert [f"/matches/{each.id}" for each in lobby.mine(context, ada)] == [match]
    assert re.search("Ada", client.get(match).text)


def test_a_guest_who_has_played_before_is_led_from_the_mail_to_the_match_of_the_guest(
    client: FlaskClient, context: Context
) -> None:
    ada = person(context, "Ada")
    for number in range(2):
        lobby.create(context, ada, "oregon", {}, [SeatRequest("me"), SeatRequest("open")], f"Match {number}")
    match = play(client).location
    mailed = client.post("/sign-in/mail", data={"nonce": nonce(client.get("/")), "email": ada.email})
    assert "Open it in this browser" in mailed.text
    token = sent_token(context, ada.email)
    shown = client.get("/confirm", query_string={"token": token})
    assert client.post("/confirm", data={"token": token, "nonce": nonce(shown)}).location == match
    assert visitor(client, context).id == ada.id
    assert "You play here as Ada." in client.get(match).text


def test_what_others_are_told_of_somebody_is_kept_when_a_guest_becomes_them(
    client: FlaskClient, context: Context
) -> None:
    ada, zoe = person(context, "Ada"), "zoe@example.org"
    accounts.sign_up(context, "Zoe", zoe)
    seats = [SeatRequest("me"), SeatRequest("invite", zoe)]
    lobby.decline(context, lobby.create(context, ada, "oregon", {}, seats, "Duel").id, 1, zoe)
    play(client)
    guest, host = visitor(client, context), Operator("root", "A mistake.")
    suspending.suspend(context, guest, host)
    suspending.lift(context, guest, host)
    client.post("/sign-up", data={"nonce": nonce(client.get("/")), "name": "Zoe", "email": zoe})
    token = sent_token(context, zoe)
    shown = client.get("/confirm", query_string={"token": token})
    client.post("/confirm", data={"token": token, "nonce": nonce(shown)})
    assert visitor(client, context).name == "Zoe"
    assert [each.player_id for each in notices(context, "seat_freed")] == [ada.id]
    with context.database.read() as connection:
        noted = connection.scalars(select(audit.c.player_id)).all()
    assert noted == [guest.id] * 2
    assert check_ledger(context.database).breaches == []


def test_the_mail_to_an_address_that_a_guest_has_typed_gives_nothing_away(
    client: FlaskClient, context: Context
) -> None:
    """Whoever reads it has another browser: the match stays with the guest."""
    match = play(client).location
    guest = visitor(client, context)
    client.post("/sign-up", data={"nonce": nonce(client.get("/")), "name": "Ada", "email": "ada@example.org"})
    token, other = sent_token(context, "ada@example.org"), client.application.test_client()
    shown = other.get("/confirm", query_string={"token": token})
    assert "To keep it, open this link there." in shown.text
    assert guest.name not in shown.text
    assert other.post("/confirm", data={"token": token, "nonce": nonce(shown)}).location == "/matches"
    assert other.get(match).status_code == 404
    assert visitor(client, context) == guest
    assert f"You play here as {guest.name}." in client.get(match).text


def test_a_link_of_another_mail_leaves_the_match_with_the_guest_and_says_so(
    client: FlaskClient, context: Context
) -> None:
    ada, match = person(context, "Ada"), play(client).location
    guest, browser, link = visitor(client, context), Browser(client), link_for(context, ada)
    page = browser.get(link)
    assert f"The match that you play here as {guest.name} does not come along." in page.text
    assert browser.press(page, "/sign-in").status_code == 303
    assert (visitor(client, context).id, lobby.mine(context, ada)) == (ada.id, ())
    browser.press(browser.get("/"), "/sign-out")
    assert play(client).location == match
    client.post("/sign-in/mail", data={"nonce": nonce(client.get("/sign-in")), "email": ada.email})
    assert press_token(client, sent_token(context, ada.email)).location == match
    assert [f"/matches/{each.id}" for each in lobby.mine(context, ada)] == [match]


def test_the_mail_that_an_old_link_sends_brings_along_the_match_of_the_guest(
    client: FlaskClient, context: Context
) -> None:
    ada, match, browser = person(context, "Ada"), play(client).location, Browser(client)
    page = browser.get(link_for(context, ada, days_ago=365))
    assert "does not come along" not in page.text
    assert "Open it in this browser" in browser.press(page, "/sign-in").text
    assert press_token(client, sent_token(context, ada.email)).location == match
    assert visitor(client, context).id == ada.id


def test_a_token_of_another_browser_leaves_the_match_with_the_guest_and_says_so(
    client: FlaskClient, context: Context
) -> None:
    ada, match = person(context, "Ada"), play(client).location
    accounts.sign_in(context, ada.email)
    token = sent_token(context, ada.email)
    assert "does not come along" in client.get("/confirm", query_string={"token": token}).text
    assert press_token(client, token).status_code == 303
    assert client.get(match).status_code == 404
    assert lobby.mine(context, ada) == ()


def test_the_button_of_an_invitation_brings_the_match_along_and_says_so(client: FlaskClient, context: Context) -> None:
    seats, match = [SeatRequest("me"), SeatRequest("invite", "zoe@example.org")], play(client).location
    guest = visitor(client, context)
    made = lobby.create(context, person(context, "Ada"), "oregon", {}, seats, "Duel")
    page = client.get(link_of(context, made.id, "zoe@example.org"))
    assert f"The match that you play as {guest.name} is kept." in page.text
    answer = Browser(client).press(page, "/invitation", name="Zoe")
    assert answer.location == f"/matches/{made.id}"
    assert {f"/matches/{each.id}" for each in lobby.mine(context, visitor(client, context))} == {match, answer.location}


def test_nobody_else_finds_the_match_of_a_guest(client: FlaskClient, context: Context) -> None:
    match, stranger = play(client).location, client.application.test_client()
    for path in (match, f"{match}/board.svg", f"{match}/join", f"/v1{match}", f"/v1{match}/record"):
        assert stranger.get(path).status_code == 404, path
    assert client.get(f"{match}/board.svg").status_code == 200


def test_a_guest_whose_match_is_over_is_told_how_to_go_on(client: FlaskClient, context: Context) -> None:
    match = play(client).location
    data = {"nonce": nonce(client.get(match)), "sure": "yes"}
    assert client.post(f"{match}/resign", data=data).status_code == 303
    assert play(client, "montana").location == match, "a guest has one match, also once it is over"
    page = client.get(match).text
    assert "Sign up with a mail address to play on" in page
    assert "/again" not in page
    start = client.get("/").text
    assert "Your match of Oregon is over." in start
    assert 'class="button" href="/sign-up"' in start


def test_a_guest_is_gone_after_seven_days(client: FlaskClient, context: Context) -> None:
    match = play(client).location
    guest = visitor(client, context)
    later = replace(context, clock=lambda: context.clock() + timedelta(days=7, hours=2))
    browser = create_app(later).test_client()
    for name in (SIGNED_IN, SHOWN):
        cookie = client.get_cookie(name)
        assert cookie is not None
        browser.set_cookie(name, cookie.value)
    assert browser.get(match).status_code == 404
    assert guest.name not in browser.get("/").text
    assert sweep(later)[Loop.LEAVING]["done"] == 1
    fresh = play(browser).location
    assert fresh != match
    assert browser.get(fresh).status_code == 200


def test_a_guest_creates_no_match_by_the_form(client: FlaskClient, context: Context) -> None:
    play(client)
    shown = nonce(client.get("/"))
    assert client.get("/new?game=oregon").location == "/sign-in"
    data = {"nonce": shown, "game": "oregon", "seat0": "me", "seat1": "open"}
    assert client.post("/new", data=data).location == "/sign-in"
    assert len(lobby.mine(context, visitor(client, context))) == 1
