"""The page of a player."""

from __future__ import annotations

import re

from service.context import Context
from service.house import HOUSE
from service.matches import lobby
from service.matches.types import SeatRequest
from service.players import bots
from tests.service.fakes import person, started
from tests.service.web.conftest import SignedIn


def test_a_player_is_shown_as_the_api_shows_them(context: Context, signed_in: SignedIn) -> None:
    table = started(context, "oregon")
    assert f'href="/players/{table.players[0].id}"' in signed_in(None).get(f"/matches/{table.match.id}").text
    page = signed_in(None).get(f"/players/{table.players[0].id}").text
    assert re.search(r"<h1[^>]*>Ada</h1>", page)
    assert re.search(r"Plays here since \d+ \w+ \d{4}\.", page)
    assert "<dt>Matches begun</dt><dd>1</dd>" in page
    assert "ada@example.org" not in page
    assert "So others see you" not in page
    assert "So others see you" in signed_in(table.players[0]).get(f"/players/{table.players[0].id}").text


def test_a_name_in_any_script_and_somebody_new(context: Context, signed_in: SignedIn) -> None:
    page = signed_in(None).get(f"/players/{person(context, 'حسن محمد', 'hassan@example.org').id}").text
    assert 'dir="auto">حسن محمد</h1>' in page
    assert "No match with others has begun yet." in page


def test_a_bot_says_whose_it_is(context: Context, signed_in: SignedIn) -> None:
    ada = person(context, "Ada")
    bot = bots.make(context, ada, "Greedy")[0]
    assert f'A bot of <a href="/players/{ada.id}">' in signed_in(None).get(f"/players/{bot.id}").text
    lobby.create(context, ada, "oregon", {}, [SeatRequest("me"), SeatRequest("bot", level="easy")])
    assert "A bot of this service" in signed_in(None).get(f"/players/{sorted(HOUSE)[0]}").text


def test_nobody_has_a_page_who_has_not_confirmed_an_address(context: Context, signed_in: SignedIn) -> None:
    assert signed_in(None).get("/players/nobody").status_code == 404
