"""The form of a new match: it does what `POST /v1/matches` does, once, and loses nothing typed."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Annotated, Any, Literal

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine import registry
from engine.documents import About
from service.api.auth import SIGNED_IN
from service.app import create_app
from service.clocks.rule import PRESETS
from service.context import Context
from service.matches import lobby
from service.matches.types import Match
from service.players import bots, tokens
from service.store.players import Player
from tests.service.fakes import at_once, discovered, limited, notices, person
from tests.service.web.test_confirm import nonce


@pytest.fixture
def ada(client: FlaskClient, context: Context) -> Player:
    ada = person(context, "Ada")
    client.set_cookie(SIGNED_IN, tokens.sign_in(context, ada))
    return ada


def form_of(page: TestResponse) -> dict[str, str]:
    """What a browser sends of the form as it was shown."""
    text = html.unescape(page.text.split('action="/new"')[1])
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', text))
    fields |= {"nonce": nonce(page)} | dict(re.findall(r'type="radio" name="(\w+)" value="(\w*)" checked', text))
    for name, choices in re.findall(r'<select[^>]* name="(\w+)"[^>]*>(.*?)</select>', text, re.DOTALL):
        chosen = re.findall(r'<option value="([^"]*)" selected', choices) or re.findall(r'value="([^"]*)"', choices)
        fields[name] = chosen[0]
    fields |= dict(re.findall(r'<input id="[^"]+" name="(\w+)" type="(?!file)\w+"[^>]*? value="([^"]*)"', text))
    fields |= dict.fromkeys(re.findall(r'type="checkbox" name="(\w+)" value="on" checked', text), "on")
    fields |= dict(re.findall(r'<textarea[^>]* name="(\w+)"[^>]*>\n(.*?)</textarea>', text, re.DOTALL))
    return fields


def send(client: FlaskClient, game: str = "oregon", **changed: str) -> TestResponse:
    fields = form_of(client.get(f"/new?game={game}")) | changed
    return client.post("/new", data=fields)


def created(context: Context, answer: TestResponse, player: Player) -> Match:
    assert answer.status_code == 303, answer.text
    return lobby.find(context, player, answer.location.rpartition("/")[2])


def test_who_is_not_signed_in_is_asked_to(client: FlaskClient) -> None:
    assert client.get("/new").location == "/sign-in"
    answer = client.post("/new", data={"game": "oregon", "title": "Evening"})
    assert (answer.status_code, "Nothing was done: you are not signed in here" in answer.text) == (401, True)
    assert "go back to the form" in answer.text


def test_no_raw_name_is_shown(client: FlaskClient, pearls: None, ada: Player) -> None:
    for game in registry.games().values():
        page = html.unescape(client.get(f"/new?game={game.info.name}").text)
        shown = re.sub("<[^>]*>", " ", page)
        assert not re.search(r"\b[a-z]+_[a-z_]+\b", shown), game.info.name
        for words in game.option_words.values():
            assert words in shown
            assert words in html.unescape(client.get(f"/games/{game.info.name}").text)


def test_the_game_is_chosen_first(client: FlaskClient, ada: Player) -> None:
    page = client.get("/new").text
    assert 'href="/new?game=ozeanien"' in page


def test_the_form_as_it_is_shown_creates_a_match_with_an_open_seat(
    client: FlaskClient, context: Context, ada: Player
) -> None:
    match = created(context, send(client), ada)
    assert [(seat.player_id, seat.bot) for seat in match.seats] == [(ada.id, None), (None, None)]
    assert match.clock is not None
    assert (match.clock.preset, match.title, match.unlisted) == ("relaxed", "Oregon", False)


def test_every_field_counts(client: FlaskClient, context: Context, ada: Player) -> None:
    answer = send(
        client,
        seat0="bot-fair",
        seat1="me",
        seat2="invite",
        email2="bela@example.org",
        title="Westward",
        clock="brisk",
        if_late="resign",
        unlisted="on",
        option_discard_duplicates="on",
    )
    match = created(context, answer, ada)
    assert [(seat.player_id == ada.id, seat.bot, seat.invited_email) for seat in match.seats] == [
        (False, "fair", None),
        (True, None, None),
        (False, None, "bela@example.org"),
    ]
    assert match.clock is not None
    assert (match.clock.preset, match.clock.if_late) == ("brisk", "resign")
    assert (match.title, match.unlisted, match.options) == ("Westward", True, {"discard_duplicates": True})
    assert [notice.address for notice in notices(context, "invitation")] == ["bela@example.org"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Options that may be missing."""

    hoard: bool = False
    limit: Annotated[int | None, About("How many pearls end the match.", minimum=2)] = None
    bonus: Annotated[Literal["odd", "even"] | None, About("Who gets a pearl.")] = None


@pytest.mark.parametrize(
    ("typed", "options"),
    [({}, (None, None)), ({"option_limit": "5", "option_bonus": "odd"}, (5, "odd")), ({"option_limit": "1"}, None)],
)
def test_an_option_that_may_be_missing_is_left_empty_or_given(
    client: FlaskClient, context: Context, ada: Player, monkeypatch: pytest.MonkeyPatch, typed: Any, options: Any
) -> None:
    with discovered(), monkeypatch.context() as patched:
        game = replace(registry.game("pearls"), options=Limits)
        patched.setattr(registry, "games", lambda: {"pearls": game})
        patched.setattr(registry, "versions", lambda name: {1: game})
        answer = send(client, "pearls", **typed)
        assert "By default none." in html.unescape(client.get("/games/pearls").text)
        if options is None:
            assert (answer.status_code, form_of(answer)["option_limit"]) == (422, "1")
        else:
            match = created(context, answer, ada)
            assert (match.options["limit"], match.options["bonus"]) == options


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (
            {"clock": "own", "base": "2", "increment": "6", "most": "4"},
            "2 days, 6 hours more for each turn, never more than 4 days",
        ),
        ({"clock": "own", "base": "36", "base_unit": "H", "increment": "", "most": ""}, "1 day 12 hours, nothing more"),
        ({"clock": "own_total", "total": "20", "base": "many"}, "20 days for the whole match"),
        (
            {"clock": "total", "weekends": "on", "zone": "Europe/Zurich"},
            "without Saturdays and Sundays (Europe/Zurich)",
        ),
    ],
)
def test_a_clock_of_ones_own(
    client: FlaskClient, context: Context, ada: Player, typed: dict[str, str], words: str
) -> None:
    match = created(context, send(client, **typed), ada)
    assert match.clock is not None
    assert words in match.clock.words
    assert match.clock.days_off


def test_days_off_can_be_left_out(client: FlaskClient, context: Context, ada: Player) -> None:
    fields = form_of(client.get("/new?game=oregon"))
    assert fields.pop("days_off") == "on"
    match = created(context, client.post("/new", data=fields), ada)
    assert match.clock is not None
    assert not match.clock.days_off


def test_a_bot_of_ones_own_has_a_seat(client: FlaskClient, context: Context, ada: Player) -> None:
    bot = bots.make(context, ada, "Greedy")[0]
    assert f'value="own-bot-{bot.id}">Greedy bot<' in client.get("/new?game=oregon").text
    match = created(context, send(client, seat1=f"own-bot-{bot.id}"), ada)
    assert [seat.player_id for seat in match.seats] == [ada.id, bot.id]
    others = bots.make(context, person(context, "Bela"), "Clever")[0]
    assert f"{others.id}" not in client.get("/new?game=oregon").text
    refused = send(client, seat1=f"own-bot-{others.id}")
    assert "You have no such bot" in refused.text


def test_one_takes_a_seat_later(client: FlaskClient, context: Context, ada: Player) -> None:
    match = created(context, send(client, seat0="reserved"), ada)
    assert [(seat.player_id, seat.invited) for seat in match.seats] == [(None, True), (None, False)]


@pytest.mark.parametrize("as_file", [True, False])
def test_the_components_of_ones_own_box(client: FlaskClient, context: Context, ada: Player, as_file: bool) -> None:
    text = registry.component_text("oregon", "standard").replace('"name": "standard"', '"name": "my box"')
    fields: dict[str, Any] = form_of(client.get("/new?game=oregon"))
    fields |= {"set_file": (BytesIO(text.encode()), "components.json")} if as_file else {"set": text}
    match = created(context, client.post("/new", data=fields, content_type="multipart/form-data"), ada)
    assert match.components_name == "custom"


def test_a_component_set_that_is_wrong_comes_back_as_text_with_what_is_wrong_where(
    client: FlaskClient, context: Context, ada: Player
) -> None:
    text = registry.component_text("oregon", "standard").replace('"name": "standard"', '"name": "my <box>"')
    wrong = text.replace('"wagon", "bison"', '"wagon", "wagon"')
    fields: dict[str, Any] = form_of(client.get("/new?game=oregon"))
    fields |= {"set_file": (BytesIO(wrong.encode()), "components.json")}
    answer = client.post("/new", data=fields, content_type="multipart/form-data")
    assert answer.status_code == 422
    again = form_of(answer)
    assert again["set"] == wrong.strip()
    assert re.search(r'id="new-set-below"><span class="warning">(columns|rows)[^<]', html.unescape(answer.text))
    assert 'aria-describedby="new-set-below"' in answer.text
    created(context, client.post("/new", data=again | {"set": text}), ada)


def test_a_match_against_bots_alone_has_no_clock_unless_one_is_chosen(
    client: FlaskClient, context: Context, ada: Player
) -> None:
    assert created(context, send(client, seat1="bot-easy"), ada).clock is None
    chosen = created(context, send(client, seat1="bot-easy", clock="slow"), ada)
    assert chosen.clock is not None
    assert created(context, send(client, clock="none"), ada).clock is None


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"seat1": "invite", "email1": "bela"}, "'bela' is not a mail address"),
        ({"seat1": "invite", "email1": "ada@example.org"}, "your own address"),
        ({"seat1": "me"}, "Nobody can hold two seats"),
        ({"seat0": "bot-easy", "seat1": "bot-easy"}, "Bots do not play among themselves"),
        ({"title": "A\x07B"}, "no control characters"),
        ({"title": "A\u200dB"}, "no invisible ones"),
        ({"components": "printed"}, "printed"),
        ({"clock": "own", "base": "many"}, "Write a whole number of days or hours."),
        ({"clock": "own", "base": "61"}, "(1 hour to 60 days)"),
        ({"clock": "own", "base": "3", "most": "2"}, "P2D is out of bounds"),
        ({"clock": "own_total", "total": ""}, "Write a whole number of days or hours."),
        ({"weekends": "on", "zone": "Zurich"}, "'Zurich' is no time zone such as Europe/Zurich"),
        ({"set": "{"}, "This is not JSON"),
        ({"set": "[1]"}, "A component set is an object"),
    ],
)
def test_a_problem_stands_beside_its_field_and_nothing_typed_is_lost(
    client: FlaskClient, context: Context, ada: Player, changed: dict[str, str], problem: str
) -> None:
    typed = {"title": "West & wide", "seat2": "bot-fair", "clock": "slow", "unlisted": "on"} | changed
    answer = send(client, **typed)
    assert answer.status_code == 422
    told = html.unescape(answer.text)
    assert problem in told
    again = form_of(answer)
    assert {name: again.get(name) for name in typed if name != "components"} == {
        name: value for name, value in typed.items() if name != "components"
    }
    place = re.search(
        rf'<div id="([^"]*)"><span class="warning">[^<]*{re.escape(html.escape(problem, quote=False))}', told
    )
    if place is not None:
        assert f'aria-describedby="{place[1]}"' in answer.text
    assert lobby.mine(context, ada) == ()


def test_a_form_that_is_sent_eight_times_at_once_creates_one_match(
    client: FlaskClient, context: Context, ada: Player
) -> None:
    fields = form_of(client.get("/new?game=oregon"))
    browsers = [client.application.test_client() for _ in range(8)]
    for browser in browsers:
        for cookie in ("overland-browser", "overland-form"):
            found = client.get_cookie(cookie)
            assert found is not None
            browser.set_cookie(cookie, found.value)

    def press(browser: FlaskClient) -> Any:
        return browser.post("/new", data=fields).location

    places = set(at_once(*[lambda browser=browser: press(browser) for browser in browsers]))
    assert len(places) == 1
    assert len(lobby.mine(context, ada)) == 1


def test_the_key_of_a_form_is_of_its_player_alone(client: FlaskClient, context: Context, ada: Player) -> None:
    fields = form_of(client.get("/new?game=oregon"))
    first = client.post("/new", data=fields).location
    client.set_cookie(SIGNED_IN, tokens.sign_in(context, person(context, "Bela")))
    second = client.post("/new", data=fields).location
    assert second != first


def test_another_site_creates_no_match(client: FlaskClient, context: Context, ada: Player) -> None:
    fields = form_of(client.get("/new?game=oregon")) | {"nonce": "a" * 32, "title": "Kept"}
    answer = client.post("/new", data=fields)
    assert answer.status_code == 403
    assert form_of(answer)["title"] == "Kept"
    assert lobby.mine(context, ada) == ()


def test_presets_are_told_in_words(client: FlaskClient, ada: Player) -> None:
    page = html.unescape(client.get("/new?game=oregon").text)
    assert page.count("days for the whole match") == 1
    assert "7 days, 1 day 12 hours more for each turn" in page
    assert len(PRESETS) == 4


def test_an_unknown_game_is_none(client: FlaskClient, ada: Player) -> None:
    assert client.get("/new?game=chess").status_code == 404
    assert client.post("/new", data={"game": "chess"}).status_code == 404


def test_the_form_counts_as_the_api_does(context: Context, ada: Player) -> None:
    app = create_app(limited(context))
    browser = app.test_client()
    browser.set_cookie(SIGNED_IN, tokens.sign_in(context, ada))
    fields = form_of(browser.get("/new?game=oregon"))
    answers = [browser.post("/new", data=fields).status_code for _ in range(21)]
    assert answers == [303] * 20 + [429]
