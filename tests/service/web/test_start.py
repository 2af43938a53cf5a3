"""The start page: what a stranger, a guest and a player find there."""

from __future__ import annotations

from dataclasses import replace

from flask.testing import FlaskClient

from service.api.auth import SIGNED_IN
from service.app import create_app
from service.clocks.rule import PRESETS
from service.context import Context
from service.matches import lobby
from service.matches.types import SeatRequest
from service.players import tokens
from tests.service.fakes import notices, person
from tests.service.web.conftest import SignedIn


def test_a_stranger_finds_every_way_in(client: FlaskClient) -> None:
    page = client.get("/").text
    for game in ("montana", "oregon", "ozeanien"):
        assert f'action="/games/{game}/play"' in page
        assert f"/games/{game}/pictures/" in page
    for way in ("/sign-in", "/games", "/docs", "/dev/mail", "mailto:overland+join@localhost"):
        assert f'href="{way}"' in page
    for form in ("/sign-in/mail", "/sign-up"):
        assert f'<form method="post" action="{form}">' in page
    assert "POST /v1" not in page


def test_without_plus_addresses_one_signs_up_by_the_subject(context: Context) -> None:
    bare = replace(context, settings=replace(context.settings, mail_addresses="bare"))
    page = create_app(bare).test_client().get("/").text
    assert 'href="mailto:overland@localhost?subject=join"' in page
    assert "Its subject has to be join." in page


def test_open_seats_say_who_waits_and_how_much_time_there_is(client: FlaskClient, context: Context) -> None:
    ada = person(context, "Ada")
    seats = [SeatRequest("me"), SeatRequest("open")]
    open_one = lobby.create(context, ada, "oregon", {}, seats, "<i>Westward</i>", clock=PRESETS["brisk"])
    hidden = lobby.create(context, ada, "oregon", {}, seats, "Hidden", unlisted=True)
    page = client.get("/").text
    assert f'href="/matches/{open_one.id}/join"' in page
    assert "&lt;i&gt;Westward&lt;/i&gt;" in page
    assert "Ada has begun no match with others yet." in page
    assert "1 seat is free" in page
    assert "1 day, 4 hours more for each turn" in page
    assert hidden.id not in page


def test_whoever_sits_in_a_match_is_not_offered_its_open_seat(context: Context, signed_in: SignedIn) -> None:
    ada = person(context, "Ada")
    match = lobby.create(context, ada, "oregon", {}, [SeatRequest("me"), SeatRequest("open")])
    assert match.id not in signed_in(ada).get("/").text
    assert f"/matches/{match.id}/join" in signed_in(person(context, "Bela")).get("/").text


def test_a_mail_to_sign_in_or_up_is_asked_for_on_the_page_itself(context: Context, signed_in: SignedIn) -> None:
    browser = signed_in(None)
    answer = browser.press(browser.get("/"), "/sign-up", name="Ada", email="ada@example.org")
    assert "A mail to ada@example.org is on its way" in answer.text
    person(context, "Bela")
    answer = browser.press(browser.get("/"), "/sign-in/mail", email="bela@example.org")
    assert "A mail to bela@example.org is on its way" in answer.text
    assert [len(notices(context, kind)) for kind in ("confirm_address", "sign_in")] == [2, 1]


def test_a_player_is_led_to_what_waits(client: FlaskClient, context: Context) -> None:
    ada = person(context, "Ada")
    client.set_cookie(SIGNED_IN, tokens.sign_in(context, ada))
    assert "No match waits for you" in client.get("/").text
    seats = [SeatRequest("me"), SeatRequest("bot", level="easy")]
    match = lobby.create(context, ada, "oregon", {}, seats, "Westward")
    page = client.get("/").text
    waits = any(seat.player_id == ada.id and seat.to_act for seat in match.seats)
    assert ("Next: Westward" in page) is waits
    assert 'href="/matches"' in page
    assert "/play" not in page
