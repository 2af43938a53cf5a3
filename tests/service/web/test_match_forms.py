"""The forms of the page of a match: notes, days off, resigning, playing again, the next match."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

import pytest

from service.app import create_app
from service.context import Context
from service.leaving import leave_for_good
from service.matches import chat, days_off, lobby
from service.matches.types import SeatRequest
from service.players import tokens
from tests.service.fakes import Round, limited, person, played, started
from tests.service.web.conftest import SignedIn, browsers_of


@pytest.fixture
def table(context: Context) -> Round:
    return started(context, "oregon", clock="brisk")


def test_notes_are_kept_for_their_writer_alone(context: Context, signed_in: SignedIn, table: Round) -> None:
    path = f"/matches/{table.match.id}"
    ada, bela = (signed_in(player) for player in table.players)
    assert ada.press(ada.get(path), f"{path}/notes", note="Zebra <first>").status_code == 303
    assert "Zebra &lt;first&gt;" in ada.get(path).text
    assert "Zebra" not in bela.get(path).text + signed_in(None).get(path).text
    long = ada.press(ada.get(path), f"{path}/notes", note="x" * 4001)
    assert (long.status_code, "at most 4000 characters" in long.text) == (422, True)
    assert "x" * 4001 in long.text
    assert chat.noted(context, table.players[0], table.match.id).text == "Zebra <first>"


def test_a_line_is_said_once_for_a_form_however_often_its_button_is_pressed(
    context: Context, signed_in: SignedIn, table: Round
) -> None:
    path, ada = f"/matches/{table.match.id}", signed_in(table.players[0])
    page = ada.get(path)
    said = [ada.press(page, f"{path}/chat", text="Hello") for _ in "ab"]
    assert [answer.headers["Location"] for answer in said] == [f"{path}#chat"] * 2
    assert ada.press(ada.get(path), f"{path}/chat", text="Hello").status_code == 303
    lines = chat.heard(context, table.players[0], table.match.id, 0, 10)
    assert [line.text for line in lines] == ["Hello", "Hello"]


def test_notes_of_another_tab_are_not_overwritten_unseen(context: Context, signed_in: SignedIn, table: Round) -> None:
    path, ada = f"/matches/{table.match.id}", signed_in(table.players[0])
    old = ada.get(path)
    assert ada.press(ada.get(path), f"{path}/notes", note="Coal first.").status_code == 303
    refused = ada.press(old, f"{path}/notes", note="The harbour.")
    assert refused.status_code == 409
    assert "They read now: Coal first." in unescape(refused.text)
    assert ">The harbour.</textarea>" in refused.text
    assert ada.press(refused, f"{path}/notes", note="The harbour.").status_code == 303
    assert chat.noted(context, table.players[0], table.match.id).text == "The harbour."


def test_a_form_acts_for_the_player_to_whom_it_was_shown_alone(
    context: Context, signed_in: SignedIn, table: Round
) -> None:
    path, browser = f"/matches/{table.match.id}", signed_in(table.players[0])
    page = browser.get(path)
    browser.client.set_cookie("overland-browser", tokens.sign_in(context, table.players[1]))
    for form, fields in (("resign", {"sure": "yes"}), ("chat", {"text": "Mine"}), ("notes", {"note": "Mine"})):
        refused = browser.press(page, f"{path}/{form}", None, **fields)
        assert (refused.status_code, "somebody else has signed in here" in refused.text) == (403, True)
    assert lobby.find(context, None, table.match.id).status == "running"
    assert chat.noted(context, table.players[1], table.match.id).text == ""
    browser.client.set_cookie("overland-browser", tokens.sign_in(context, table.players[0]))
    assert browser.press(page, f"{path}/chat", text="Here again").status_code == 303, "the same player, anew"


def test_what_was_written_is_shown_to_whoever_is_not_signed_in_any_more(signed_in: SignedIn, table: Round) -> None:
    path, browser = f"/matches/{table.match.id}", signed_in(table.players[0])
    page = browser.get(path)
    browser.client.delete_cookie("overland-browser")
    for form, fields in (("chat", {"text": "Zebra <1>"}), ("notes", {"note": "Zebra <1>"})):
        refused = browser.press(page, f"{path}/{form}", None, **fields)
        assert refused.status_code == 401
        assert "Zebra <1>" in unescape(refused.text)


def test_who_has_no_page_is_no_link(context: Context, signed_in: SignedIn, table: Round) -> None:
    path, browser = f"/matches/{table.match.id}", signed_in(table.players[1])
    assert f'href="/players/{table.players[0].id}"' in browser.get(path).text
    leave_for_good(context, table.players[0])
    page = browser.get(path).text
    assert "A former player" in page
    assert f'href="/players/{table.players[0].id}"' not in page


def test_who_is_away_stops_their_clocks_and_comes_back(context: Context, signed_in: SignedIn, table: Round) -> None:
    path, browser = f"/matches/{table.match.id}", signed_in(table.players[0])
    wrong = browser.press(browser.get(path), f"{path}/time", do="away", days="-3")
    assert wrong.status_code == 422
    assert browser.press(browser.get(path), f"{path}/time", do="away", days="3").status_code == 303
    page = browser.get(path)
    assert "Your days off last from" in page.text
    assert "Your clock is stopped" in page.text
    assert browser.press(page, f"{path}/time", do="here").status_code == 303
    assert "Your days off last from" not in browser.get(path).text


def test_days_off_of_a_page_are_ended_by_their_own_buttons_also_those_to_come(
    context: Context, signed_in: SignedIn, table: Round
) -> None:
    path, (ada, _) = f"/matches/{table.match.id}", table.players
    browser, now = signed_in(ada), context.clock()
    days_off.declare(context, ada, 2)
    (first, last) = days_off.declare(context, ada, 3, now + timedelta(days=20)).items
    page = browser.get(path)
    assert re.findall(r'name="taken" value="(\w+)"', page.text) == [first.id, last.id]
    assert re.findall(r'value="here">([^<]+)', page.text) == ["I am back", "Take them back"]
    assert 'name="days" type="number" min="2" max="2" value="2"' in page.text
    assert browser.press(page, f"{path}/time", do="here", taken=last.id).status_code == 303
    assert days_off.of_player(context, ada).items == (first,)


def test_resigning_needs_two_steps(context: Context, signed_in: SignedIn, table: Round) -> None:
    path, browser = f"/matches/{table.match.id}", signed_in(table.players[0])
    unsure = browser.press(browser.get(path), f"{path}/resign")
    assert unsure.status_code == 422
    assert lobby.find(context, None, table.match.id).status == "running"
    assert browser.press(browser.get(path), f"{path}/resign", sure="yes").status_code == 303
    assert "is over: Bela has won." in browser.get(path).text
    assert f'action="{path}/resign"' not in browser.get(path).text


def test_a_match_is_played_once_more_and_the_others_are_told_where(
    context: Context, signed_in: SignedIn, table: Round
) -> None:
    path = f"/matches/{table.match.id}"
    ada, bela, eve = *(signed_in(player) for player in table.players), signed_in(person(context, "Eve"))
    assert f'action="{path}/again"' not in ada.get(path).text
    lobby.resign(context, table.players[0], table.match.id)
    over = ada.get(path)
    first, second = (ada.press(over, f"{path}/again") for _ in range(2))
    assert first.status_code == 303
    assert first.headers["Location"] == second.headers["Location"]
    made = lobby.find(context, table.players[0], first.headers["Location"].rpartition("/")[2])
    assert (made.game, made.status, made.unlisted) == ("oregon", "open", True)
    assert made.clock == lobby.find(context, None, table.match.id).clock
    told = unescape(bela.get(path).text)
    assert told.count("Once more? Take your seat at ") == 1
    link = re.search(r"Take your seat at \S+?(/join/[a-z0-9]+)", told)
    assert link is not None
    assert bela.get(link[1]).status_code == 200
    assert "@example.org" not in ada.get(first.headers["Location"]).text, "nobody is told an address of another"
    assert f'action="{path}/again"' not in eve.get(path).text


def test_a_match_of_which_the_others_could_not_be_told_is_not_created(
    context: Context, signed_in: SignedIn, table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, ada = f"/matches/{table.match.id}", signed_in(table.players[0])
    lobby.resign(context, table.players[0], table.match.id)
    monkeypatch.setattr(chat, "MOST_LINES", 1)
    chat.say(context, table.players[0], table.match.id, "A close one.")
    refused = ada.press(ada.get(path), f"{path}/again")
    assert (refused.status_code, "Go on tomorrow" in refused.text) == (429, True)
    assert [each.id for each in lobby.mine(context, table.players[0])] == [table.match.id]
    monkeypatch.setattr(chat, "MOST_LINES", 2)
    assert ada.press(ada.get(path), f"{path}/again").status_code == 303
    assert "Once more?" in signed_in(table.players[1]).get(path).text


def test_the_matches_that_somebody_plays_once_more_are_counted_as_those_of_the_form(context: Context) -> None:
    ada, context = person(context, "Ada"), limited(context)
    browser, bots = browsers_of(create_app(context), context)(ada), [SeatRequest("bot", level="fair")]
    match = lobby.create(context, ada, "oregon", None, [SeatRequest("me"), *bots])
    lobby.resign(context, ada, match.id)
    pressed = [browser.press(browser.get(f"/matches/{match.id}"), f"/matches/{match.id}/again") for _ in range(21)]
    assert [answer.status_code for answer in pressed] == [303] * 20 + [429]


def test_a_match_against_bots_begins_again_at_once(context: Context, signed_in: SignedIn) -> None:
    ada = person(context, "Ada")
    match = lobby.create(context, ada, "oregon", None, [SeatRequest("me"), SeatRequest("bot", level="fair")], "Duel")
    lobby.resign(context, ada, match.id)
    path, browser = f"/matches/{match.id}", signed_in(ada)
    again = browser.press(browser.get(path), f"{path}/again").headers["Location"]
    assert lobby.find(context, ada, again.rpartition("/")[2]).status == "running"
    assert "Once more?" not in browser.get(path).text


def test_nobody_chooses_the_id_of_the_match_that_a_form_creates(context: Context, signed_in: SignedIn) -> None:
    ada, eve = person(context, "Ada"), person(context, "Eve")
    bots = [SeatRequest("me"), SeatRequest("bot", level="fair")]
    theirs, mine = (lobby.create(context, player, "oregon", None, bots) for player in (ada, eve))
    lobby.resign(context, eve, mine.id)
    path, browser = f"/matches/{mine.id}", signed_in(eve)
    for chosen in (theirs.id, "a" * lobby.MATCH_ID_LENGTH):
        again = browser.press(browser.get(path), f"{path}/again", key=chosen + "b" * lobby.MATCH_ID_LENGTH)
        made = again.headers["Location"].rpartition("/")[2]
        assert made != chosen
        assert lobby.find(context, eve, made).seats[0].player_id == eve.id


def test_the_next_match_that_waits_is_named_with_how_many_wait(context: Context, signed_in: SignedIn) -> None:
    ada = person(context, "Ada")
    bots = [SeatRequest("me"), SeatRequest("bot", level="fair")]
    first, second = (lobby.create(context, ada, "oregon", None, bots, title) for title in ("One", "Two"))
    browser = signed_in(ada)
    assert "Next match" not in browser.get(f"/matches/{first.id}").text, "while this one waits"
    played(context, ada, first.id, "1")
    page = browser.get(f"/matches/{first.id}").text
    assert "Next match: one waits for you" in page
    assert f'href="/matches/{second.id}"' in page
    assert "Next match" not in signed_in(None).get(f"/matches/{first.id}").text


def test_what_was_said_since_one_was_last_heard_of_is_new(context: Context, signed_in: SignedIn, table: Round) -> None:
    path = f"/matches/{table.match.id}"
    ada, bela = (signed_in(player) for player in table.players)
    ada.press(ada.get(path), f"{path}/chat", text="Hello")
    assert bela.get(path).text.count('<li class="new">') == 1
    assert '<li class="new">' not in ada.get(path).text
    bela.press(bela.get(path), f"{path}/chat", text="Hi")
    assert '<li class="new">' not in bela.get(path).text
    assert ada.get(path).text.count('<li class="new">') == 1
