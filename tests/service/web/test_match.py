"""The page of a match: anybody watches, whoever is signed in plays by a form without a script."""

from __future__ import annotations

import gzip
import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from engine import registry
from engine.play import legal_actions
from service.api.turns import WRITTEN
from service.app import create_app
from service.context import Context
from service.matches import lobby
from service.matches.types import SeatRequest
from service.players import preferences
from service.store import addresses
from service.store.tables import player_addresses
from service.turns import lookup
from service.views import feed
from service.views.match import match as match_seen
from service.web import match
from tests.service.api.test_written import Written, write
from tests.service.fakes import Round, notices, person, started, state_of
from tests.service.fakes import played as made_turn
from tests.service.inside_words import inside_words
from tests.service.web.conftest import Browser, SignedIn, inlined
from tools.memory_queue import MemoryQueue

GAMES = tuple(registry.games())


@pytest.fixture
def table(context: Context) -> Round:
    return started(context, "oregon")


def lines_of(context: Context, match_id: str, seat: int) -> list[str]:
    game, state = registry.game(lobby.find(context, None, match_id).game), state_of(context, match_id)
    return [game.format(action) for action in legal_actions(game, state, seat)]


def played(browser: Browser, match_id: str, **data: str) -> TestResponse:
    """Fills the form in and presses "Play" or another button; gives the page shown then."""
    path = f"/matches/{match_id}"
    answer = browser.press(browser.get(path), path, None, **({"do": "play"} | data))
    return browser.get(answer.headers["Location"]) if answer.status_code == 303 else answer


@pytest.mark.parametrize("game", GAMES)
def test_whoever_is_awaited_has_every_legal_move_by_its_number(
    context: Context, signed_in: SignedIn, game: str
) -> None:
    table = started(context, game)
    awaited = next(seat.seat for seat in lobby.find(context, None, table.match.id).seats if seat.to_act)
    page = signed_in(table.players[awaited]).get(f"/matches/{table.match.id}").text
    lines = lines_of(context, table.match.id, awaited)
    chosen = re.findall(r'name="move" value="(.*?)"> <span class="number">(\d+)</span> (.*?)</label>', page)
    moves = sorted((int(number), unescape(line), unescape(words)) for line, number, words in chosen)
    assert [(number, line) for number, line, _ in moves] == list(enumerate(lines, 1))
    assert all(line.endswith(words) for _, line, words in moves)
    assert "It is your turn. " in page


@pytest.mark.parametrize("game", GAMES)
def test_no_page_of_a_match_speaks_of_the_inside(context: Context, signed_in: SignedIn, game: str) -> None:
    table = started(context, game)
    for reader in (*table.players, None):
        browser = signed_in(reader)
        for path in (f"/matches/{table.match.id}", "/"):
            page = browser.get(path).text
            shown = unescape(re.sub(r"(?s)<script.*?</script>|<[^>]*>", " ", page))
            assert inside_words(shown, game) == set()


def test_a_chosen_move_of_the_list_is_played(context: Context, signed_in: SignedIn, table: Round) -> None:
    browser, lines = signed_in(table.players[0]), lines_of(context, table.match.id, 0)
    shown = played(browser, table.match.id, move=lines[2])
    assert "Your turn was played." in shown.text
    (turn,) = lookup.of_player(context, table.players[0], table.match.id)
    assert turn.status == "accepted"
    assert turn.verdict is not None
    assert turn.verdict.entries[0] in unescape(shown.text)
    game = registry.game("oregon")
    assert game.format(game.parse(lines[2])[0]) == lines[2]
    assert lines[2].split()[-1] in turn.verdict.entries[0]


def test_a_verdict_that_the_page_tells_needs_no_mail(context: Context, signed_in: SignedIn, table: Round) -> None:
    browser, path = signed_in(table.players[0]), f"/matches/{table.match.id}"
    seen = browser.press(browser.get(path), path, line="1", do="play").headers["Location"]
    assert [notice.status for notice in notices(context, "verdict")] == ["pending"]
    written: Written = []
    browser.client.get(seen, environ_overrides={WRITTEN: written})
    write(context, written)
    assert [notice.status for notice in notices(context, "verdict")] == ["covered"]


def test_a_line_plays_and_one_that_breaks_a_rule_is_told_with_the_rule(
    context: Context, signed_in: SignedIn, table: Round
) -> None:
    browser, lines = signed_in(table.players[0]), lines_of(context, table.match.id, 0)
    wrong = next(
        line for line in (f"start {column}{row}" for row in range(1, 9) for column in "ABCDE") if line not in lines
    )
    refused = played(browser, table.match.id, line=wrong)
    assert "Your turn was refused. Nothing was changed." in refused.text
    assert "(rule R" in refused.text
    assert "Your turn was played." in played(browser, table.match.id, line=lines[0]).text


def test_a_line_that_cannot_be_read_is_shown_again_with_what_would_work(signed_in: SignedIn, table: Round) -> None:
    answer = played(signed_in(table.players[0]), table.match.id, line="strat <A1>")
    assert answer.status_code == 422
    assert 'value="strat &lt;A1&gt;"' in answer.text
    assert 'role="alert"' in answer.text


@pytest.mark.parametrize(("data", "sentence"), [({}, "Choose a move"), ({"move": "start A1", "line": "2"}, "not both")])
def test_nothing_and_two_things_are_refused(
    context: Context, signed_in: SignedIn, table: Round, data: dict[str, str], sentence: str
) -> None:
    answer = played(signed_in(table.players[0]), table.match.id, **data)
    assert answer.status_code == 422
    assert sentence in answer.text
    assert lookup.of_player(context, table.players[0], table.match.id) == ()


def test_only_looking_plays_nothing(context: Context, signed_in: SignedIn, table: Round) -> None:
    answer = played(signed_in(table.players[0]), table.match.id, line="1", do="preview")
    assert answer.status_code == 200
    assert "What would happen" in answer.text
    assert 'value="1"' in answer.text
    assert lookup.of_player(context, table.players[0], table.match.id) == ()


@pytest.mark.parametrize(("wanted", "is_asked_back"), [("never", False), ("draws", False), ("always", True)])
def test_who_wants_to_be_asked_back_is_shown_what_a_turn_does_before_it_is_played(
    context: Context, signed_in: SignedIn, table: Round, wanted: str, is_asked_back: bool
) -> None:
    browser, path = signed_in(table.players[0]), f"/matches/{table.match.id}"
    with context.database.write() as connection:
        preferences.change(connection, table.players[0].id, {"confirm": wanted}, context.clock())
    first = browser.press(browser.get(path), path, line="1", do="play")
    assert (first.status_code == 200) == is_asked_back
    if is_asked_back:
        assert "Nothing has been played. To play it, press the button" in first.text
        assert lookup.of_player(context, table.players[0], table.match.id) == ()
        assert browser.press(first, path, line="2", do="play").status_code == 200, "another turn is asked about anew"
        assert browser.press(first, path, line="1", do="play").status_code == 303
    assert len(lookup.of_player(context, table.players[0], table.match.id)) == 1


def test_a_button_that_is_pressed_twice_plays_once(context: Context, signed_in: SignedIn, table: Round) -> None:
    browser, path = signed_in(table.players[0]), f"/matches/{table.match.id}"
    page = browser.get(path)
    first, second = (browser.press(page, path, line="1", do="play") for _ in range(2))
    assert first.headers["Location"] == second.headers["Location"]
    assert len(lookup.of_player(context, table.players[0], table.match.id)) == 1


def test_numbers_of_an_earlier_list_play_nothing(context: Context, signed_in: SignedIn, table: Round) -> None:
    path = f"/matches/{table.match.id}"
    browser = signed_in(table.players[0])
    page = browser.get(path)
    browser.press(page, path, line="1", do="play")
    signed_in(table.players[1]).press(signed_in(table.players[1]).get(path), path, line="1", do="play")
    old = browser.press(page, path, line="2", do="play", key="a" * 20)
    assert old.status_code in (403, 409)
    assert len(lookup.of_player(context, table.players[0], table.match.id)) == 1


def test_what_was_chosen_in_a_stale_list_is_not_chosen_in_the_new_one(
    context: Context, signed_in: SignedIn, table: Round
) -> None:
    path, (ada, bela) = f"/matches/{table.match.id}", table.players
    browser, rival = signed_in(ada), signed_in(bela)
    stale = browser.get(path)
    earlier = lines_of(context, table.match.id, 0)
    while lines_of(context, table.match.id, 0) in (earlier, []):
        for each in (browser, rival):
            each.press(each.get(path), path, line="1", do="play")
    for name, value in (("move", earlier[2]), ("line", "3"), ("line", f"{earlier[2]}; 3")):
        refused = browser.press(stale, path, None, **{name: value, "do": "play", "key": "a" * 20})
        assert refused.status_code == 409
        assert " checked" not in refused.text
        assert '<input id="line" name="line" value=""' in refused.text
        assert browser.press(refused, path, do="play").status_code == 422
    words = browser.press(stale, path, do="play", key="a" * 20, line=earlier[2])
    assert f'name="line" value="{earlier[2]}"' in words.text


def test_what_was_chosen_is_still_chosen_after_a_preview(context: Context, signed_in: SignedIn, table: Round) -> None:
    browser, path = signed_in(table.players[0]), f"/matches/{table.match.id}"
    line = lines_of(context, table.match.id, 0)[2]
    shown = browser.press(browser.get(path), path, move=line, do="preview")
    assert re.findall(r'value="([^"]*)" checked', shown.text) == [line]


def test_picture_and_text_of_a_page_are_of_one_ply(context: Context, signed_in: SignedIn, table: Round) -> None:
    path, (ada, bela) = f"/matches/{table.match.id}", table.players
    page = signed_in(bela).get(path)
    (ply,) = re.findall(r'data-ply="(\d+)"', page.text)
    picture = signed_in(bela).get(f"{path}/board.svg?ply={ply}")
    assert inlined(picture) in page.text
    browser = signed_in(ada)
    browser.press(browser.get(path), path, line="1", do="play")
    assert signed_in(bela).get(f"{path}/board.svg?ply={ply}").text == picture.text
    assert signed_in(bela).get(f"{path}/board.svg").text != picture.text
    assert signed_in(bela).get(f"{path}/board.svg?ply=99").status_code == 409


def test_the_stream_of_a_page_begins_with_what_happened_while_it_was_loaded(
    context: Context, signed_in: SignedIn, table: Round
) -> None:
    browser = signed_in(table.players[1])
    cursor = re.search(r'data-cursor="([^"]+)"', browser.get(f"/matches/{table.match.id}").text)
    assert cursor is not None
    made_turn(context, table.players[0], table.match.id, "1")
    found = feed.feed(context, feed.of_match(table.players[1], table.match.id, ""), unescape(cursor[1]), 0)
    assert max(each.ply or 0 for each in found.items) == lobby.find(context, None, table.match.id).ply


def test_a_phone_is_sent_the_picture_for_phones(context: Context, signed_in: SignedIn, table: Round) -> None:
    path, browser = f"/matches/{table.match.id}", signed_in(table.players[0])
    for agent, layout in (
        ("Mozilla/5.0 (Linux; Android 14) Mobile Safari/537.36", "phone"),
        ("Mozilla/5.0", "desktop"),
    ):
        page = browser.client.get(path, headers={"User-Agent": agent}).text
        assert inlined(browser.get(f"{path}/board.svg?layout={layout}")) in page


def test_a_page_is_compressed_and_no_two_answers_are_of_one_length(signed_in: SignedIn, table: Round) -> None:
    path, browser = f"/matches/{table.match.id}", signed_in(table.players[0])
    answers = [browser.client.get(path, headers={"Accept-Encoding": "gzip"}) for _ in range(5)]
    assert len({len(answer.data) for answer in answers}) > 1
    shown = [gzip.decompress(answer.data).decode() for answer in answers]
    nonces = [re.findall(r'<meta name="overland-nonce" content="(\w+)">', page) for page in shown]
    assert len({each for (each,) in nonces}) == len(answers)
    picture = inlined(browser.get(f"{path}/board.svg"))
    assert all(len(gzip.compress(page.replace(picture, "").encode())) <= 15_000 for page in shown)
    assert all(len(answer.data) < 40_000 for answer in answers)


def test_the_script_is_one_module_that_a_person_can_read() -> None:
    script = Path(match.__file__).with_name("static") / "play.js"
    lines = script.read_text().splitlines()
    assert len(lines) <= 500
    assert max(map(len, lines)) <= 120


def test_a_turn_that_waits_is_looked_at_again(context: Context, table: Round, signed_in: SignedIn) -> None:
    asleep = replace(context, queue=MemoryQueue())
    client = create_app(asleep).test_client()
    for cookie in [signed_in(table.players[0]).client.get_cookie("overland-browser")]:
        assert cookie is not None
        client.set_cookie("overland-browser", cookie.value)
    browser = Browser(client)
    asleep.timer.step = 10  # type: ignore[attr-defined]
    shown = played(browser, table.match.id, line="1")
    assert "waits for its verdict" in shown.text
    assert '<meta http-equiv="refresh" content="3">' in shown.text


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}])
def test_a_form_of_another_site_plays_nothing(
    context: Context, signed_in: SignedIn, table: Round, headers: dict[str, str]
) -> None:
    browser, path = signed_in(table.players[0]), f"/matches/{table.match.id}"
    answer = browser.press(browser.get(path), path, headers, line="1", do="play")
    assert answer.status_code == 403
    assert lookup.of_player(context, table.players[0], table.match.id) == ()
    assert browser.client.post(path, data={"line": "1", "ply": "0"}).status_code == 403


def test_nobody_plays_without_being_signed_in(context: Context, signed_in: SignedIn, table: Round) -> None:
    path = f"/matches/{table.match.id}"
    ours = signed_in(table.players[0])
    hidden = dict(re.findall(r'name="(\w+)" value="([^"]*)"', ours.get(path).text))
    answer = signed_in(None).client.post(path, data=hidden | {"line": "1"})
    assert answer.status_code == 401
    assert "You are not signed in here" in answer.text
    assert lookup.of_player(context, table.players[0], table.match.id) == ()


def test_spectators_and_rivals_see_no_hand_and_no_form(context: Context, signed_in: SignedIn, table: Round) -> None:
    path = f"/matches/{table.match.id}"
    game = registry.game("oregon")
    state = state_of(context, table.match.id)
    names = ("Ada", "Bela")
    own = game.text(game.observe(state, 0), names)
    watched = game.text(game.observe(state, None), names)
    assert own != watched
    assert own.strip("\n") in unescape(signed_in(table.players[0]).get(path).text)
    for viewer in (signed_in(None), signed_in(person(context, "Eve"))):
        page = unescape(viewer.get(path).text)
        assert watched.strip("\n") in page
        assert own.strip("\n") not in page
        assert 'name="move"' not in page
        assert "The match waits for Ada" in page
    rival = unescape(signed_in(table.players[1]).get(path).text)
    assert game.text(game.observe(state, 1), names).strip("\n") in rival
    assert 'name="move"' not in rival


def test_the_picture_is_that_of_the_viewer(context: Context, signed_in: SignedIn, table: Round) -> None:
    path = f"/matches/{table.match.id}/board.svg"
    own, watched = signed_in(table.players[0]).get(path), signed_in(None).get(path)
    assert own.mimetype == watched.mimetype == "image/svg+xml"
    assert own.text != watched.text
    assert own.headers["Cache-Control"] == "private, no-cache"
    assert "Cookie" in own.headers["Vary"]
    assert signed_in(None).get(f"{path}?layout=phone").text != watched.text


def test_the_page_loads_one_script_of_ours_and_is_never_cached(signed_in: SignedIn, table: Round) -> None:
    page = signed_in(table.players[0]).get(f"/matches/{table.match.id}")
    assert re.findall("<script.*?>", page.text) == ['<script type="module" src="/static/play.js">']
    assert " style=" not in page.text
    assert "onclick" not in page.text
    assert page.headers["Cache-Control"] == "no-store"
    assert "/v1/" not in page.text
    assert "form-action 'self'" in page.headers["Content-Security-Policy"]


def test_a_player_who_is_invited_takes_the_seat_or_declines(context: Context, signed_in: SignedIn) -> None:
    ada, bela, cleo = (person(context, name) for name in ("Ada", "Bela", "Cleo"))
    seats = [SeatRequest("me"), SeatRequest("invite", bela.email), SeatRequest("invite", cleo.email)]
    match = lobby.create(context, ada, "oregon", None, seats, "A < B")
    path = f"/matches/{match.id}"
    stranger = signed_in(person(context, "Eve")).get(path).text
    assert "A &lt; B" in stranger
    assert "Take a seat" not in stranger
    assert bela.email not in stranger
    bela_s, cleo_s = signed_in(bela), signed_in(cleo)
    assert bela_s.press(bela_s.get(path), f"{path}/seat", do="join").status_code == 303
    assert cleo_s.press(cleo_s.get(path), f"{path}/seat", do="leave").status_code == 303
    found = lobby.find(context, None, match.id)
    assert [seat.player_name for seat in found.seats] == ["Ada", "Bela", None]
    assert not found.seats[2].invited


def test_a_finished_match_shows_who_has_won_and_the_score_sheet(
    context: Context, signed_in: SignedIn, table: Round
) -> None:
    lobby.resign(context, table.players[0], table.match.id)
    page = signed_in(None).get(f"/matches/{table.match.id}").text
    assert "is over: Bela has won." in page
    assert "1. <bdi>Bela</bdi>" in page
    assert 'name="move"' not in page


def test_players_say_things_to_each_other_and_spectators_read_none(
    context: Context, signed_in: SignedIn, table: Round
) -> None:
    path = f"/matches/{table.match.id}"
    ada, bela = (signed_in(player) for player in table.players)
    assert ada.press(ada.get(path), f"{path}/chat", text="Well <played>!").status_code == 303
    assert "<strong><bdi>Ada</bdi>:</strong> <bdi>Well &lt;played&gt;!</bdi>" in bela.get(path).text
    assert "Well" not in signed_in(None).get(path).text
    empty = ada.press(ada.get(path), f"{path}/chat", text=" ")
    assert empty.status_code == 422
    assert "1 to 500 characters" in empty.text


def test_a_player_whose_mails_come_back_is_told(context: Context, signed_in: SignedIn, table: Round) -> None:
    ada = table.players[0]
    with context.database.write() as connection:
        known = addresses.of_player(connection, ada)
        changed = player_addresses.update().where(player_addresses.c.id == known[0].id)
        connection.execute(changed.values(bounced_at=context.clock(), bounce_reason="No such user <here>"))
    for path in ("/", f"/matches/{table.match.id}"):
        assert "Mails to ada@example.org come back: No such user &lt;here&gt;" in signed_in(ada).get(path).text
        assert "come back" not in signed_in(table.players[1]).get(path).text


def test_there_is_no_page_of_an_unknown_match(signed_in: SignedIn) -> None:
    missing = signed_in(None).get("/matches/none")
    assert (missing.status_code, missing.mimetype) == (404, "text/html")
    assert "There is no match none." in missing.text


def test_the_page_of_an_open_match_says_how_reliably_its_players_play(context: Context, signed_in: SignedIn) -> None:
    ada = person(context, "Ada")
    seats = [SeatRequest("me"), SeatRequest("bot", level="fair"), SeatRequest("open")]
    match = lobby.create(context, ada, "oregon", {}, seats)
    page = signed_in(None).get(f"/matches/{match.id}").text
    assert "Ada has begun no match with others yet." in page
    assert "Fair bot is a bot of this service." in page


@pytest.mark.parametrize("others", ["open", "bot"])
def test_a_page_says_before_and_after_the_start_when_the_match_ends_at_the_latest(
    context: Context, signed_in: SignedIn, others: str
) -> None:
    ada = person(context, "Ada")
    seats = [SeatRequest("me"), SeatRequest("bot", level="fair") if others == "bot" else SeatRequest("open")]
    match = lobby.create(context, ada, "oregon", {}, seats)
    longest = match_seen(context, ada, match.id).longest
    page = signed_in(ada).get(f"/matches/{match.id}").text
    assert f"After {longest} moves and draws at the latest the match ends" in page
