"""The start page: what a stranger, a guest and a player find there."""

from __future__ import annotations

from flask.testing import FlaskClient

from service.api.auth import SIGNED_IN
from service.clocks.rule import PRESETS
from service.context import Context
from service.matches import lobby
from service.matches.types import SeatRequest
from service.players import tokens
from tests.service.fakes import person


def test_a_stranger_finds_every_way_in(client: FlaskClient) -> None:
    page = client.get("/").text
    for game in ("montana", "oregon", "ozeanien"):
        assert f'action="/games/{game}/play"' in page
        assert f"/games/{game}/pictures/" in page
    for way in ("/sign-in", "/sign-up", "/new", "/games", "/docs", "/dev/mail", "mailto:join@localhost"):
        assert f'href="{way}"' in page
    assert "POST /v1" not in page


def test_open_seats_say_who_waits_and_how_much_time_there_is(client: FlaskClient, context: Context) -> None:
    ada = person(context, "Ada")
    seats = [SeatRequest("me"), SeatRequest("open")]
    open_one = lobby.create(context, ada, "oregon", {}, seats, "<i>Westward</i>", clock=PRESETS["brisk"])
    hidden = lobby.create(context, ada, "oregon", {}, seats, "Hidden", unlisted=True)
    page = client.get("/").text
    assert f'href="/matches/{open_one.id}"' in page
    assert "&lt;i&gt;Westward&lt;/i&gt;" in page
    assert "Ada plays with 2 seats" in page
    assert "1 day, 4 hours more for each turn" in page
    assert hidden.id not in page


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
