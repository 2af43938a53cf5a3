"""Every state of a match, as its page shows it: before it begins, while it is played, while it
waits, and after its end. The table is in ``states``.
"""

from __future__ import annotations

import re
from contextlib import nullcontext
from dataclasses import replace
from typing import Final

import pytest

from service.context import Context
from service.matches import lobby, replays
from service.store.batched import REMEMBERED_SECONDS
from tests.service.fakes import AT_ONCE, GAMES, Clock, discovered, judged_batch, played, started
from tests.service.inside_words import inside_words
from tests.service.web import states
from tests.service.web.conftest import SignedIn
from tests.service.web.states import STATES, Scene, State, buttons, main
from tools.memory_queue import MemoryQueue

TO_BE_SHOWN: Final = """
open, me seated / open, invited / open, stranger / open, full
my turn, first action / my turn, after a draw / my turn, in secret with others
result, pending / result, refused / result, partly accepted / result, stale
waiting, for a person with a clock / waiting, for a bot
time, mine is up / time, held by a bot / time, paused / time, outage
offers, mine / offers, to me
over, won / over, lost / over, shared / over, alone / over, resigned / over, agreed / over, abandoned / over, called off
archived / unreadable / maintenance / signed out meanwhile / two tabs / back button
"""
"""The states that a player may meet; the table may have more."""
ORDER: Final = ("told", "asked", "since", "board", "tray", "text", "chat", "notes", "deeds", "seats", "log", "result")
"""The parts of the page, from above; the last ones are those of a match that is over."""


@pytest.fixture
def context(context: Context) -> Context:
    return replace(context, clock=Clock())


@pytest.fixture
def scene(context: Context, signed_in: SignedIn) -> Scene:
    return Scene(context, signed_in)


def test_the_table_has_every_state_that_a_player_may_meet() -> None:
    wanted = {name.strip() for name in re.split("[/\n]", TO_BE_SHOWN) if name.strip()}
    assert len(wanted) == 33
    assert wanted - STATES.keys() == set()


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_a_page_says_in_which_state_the_match_is_and_offers_what_can_be_done(scene: Scene, state: State) -> None:
    with discovered(state.games) if state.games else nullcontext():
        _, page = state.bring(scene)
    shown, offered = main(page), buttons(page)
    assert (page.status_code, page.mimetype) == (state.status, "text/html")
    assert [sentence for sentence in state.says if sentence not in shown] == []
    assert set(state.offers) - offered == set()
    assert [each for each in state.lacks if each in offered or (each not in BUTTONS and each in shown)] == []
    places = [shown.find(f'id="{name}"') for name in (*ORDER, "draws", "next")]
    found = [place for place in places if place >= 0]
    assert found == sorted(found), "the parts are in the order of what matters to a player"
    assert shown.count("<h1") == 1
    assert inside_words(re.sub(r"(?s)<pre.*?</pre>|<[^>]*>", " ", shown)) == set()
    assert "<title>Your turn" in page.text or "Play" not in offered


BUTTONS: Final = {
    name for state in STATES.values() for name in (*state.offers, *state.lacks) if re.fullmatch(r"[A-Z][\w ]+", name)
}


def test_on_a_phone_the_board_comes_before_what_happened(scene: Scene) -> None:
    browser, page = states.after_a_draw(scene)
    path, phone = page.request.path, {"User-Agent": "Mozilla/5.0 (Linux; Android 14) Mobile Safari/537.36"}
    small, large, past = (
        browser.client.get(address, headers=headers).text
        for address, headers in ((path, phone), (path, {}), (f"{path}?ply=1", phone))
    )
    assert small.index('id="asked"') < small.index('id="board"') < small.index('id="since"') < small.index('id="chat"')
    assert large.index('id="since"') < large.index('id="board"')
    assert past.index('id="since"') < past.index('id="board"'), "from one board to the next, beside its entry"


def test_who_acts_in_secret_with_others_sees_nothing_of_theirs(scene: Scene) -> None:
    with discovered(AT_ONCE):
        table = started(scene.context, "sealed")
        _, before = scene.look(table.match.id, table.players[1])
        played(scene.context, table.players[0], table.match.id, "1")
        _, after = scene.look(table.match.id, table.players[1])
    moves, told = (
        re.findall(pattern, before.text) for pattern in ('name="move" value="([^"]*)"', 'id="text".*?</pre>')
    )
    assert len(moves) > 1
    assert re.findall(r'name="move" value="([^"]*)"', after.text) == moves
    assert re.findall('id="text".*?</pre>', after.text) == told


def test_a_turn_that_waited_for_its_verdict_is_told(scene: Scene) -> None:
    queue = scene.context.queue
    assert isinstance(queue, MemoryQueue)
    judge = queue.judge
    browser, waits = states.pending(scene)
    assert '<meta http-equiv="refresh" content="3">' in waits.text
    queue.judge = judge
    judged_batch(scene.context)
    assert "Your turn was played." in browser.get(waits.request.full_path).text


def test_who_comes_back_takes_the_seat_from_the_bot(scene: Scene) -> None:
    with discovered(GAMES):
        browser, page = states.held_by_a_bot(scene)
        path = page.request.path
        assert browser.press(page, f"{path}/time", do="back").status_code == 303
        assert "a bot plays your seat" not in browser.get(path).text


def test_a_match_that_cannot_be_read_goes_on_in_all_that_needs_no_board(scene: Scene) -> None:
    browser, page = states.unreadable(scene)
    path = page.request.path
    for form, sent in (
        ("chat", {"text": "I have told the host."}),
        ("notes", {"note": "Then the wheat"}),
        ("time", {"do": "away", "days": "3"}),
        ("offers", {"do": "pause", "days": "5"}),
    ):
        assert browser.press(page, f"{path}/{form}", None, **sent).status_code == 303, form
    page = browser.get(path)
    for words in ("I have told the host.", "Then the wheat", "Your days off last from", "offers a pause of 5 days"):
        assert words in page.text
    turn = browser.client.post(path, data={"line": "1", "ply": "3", "nonce": states.nonce_of(page)})
    assert (turn.status_code, turn.mimetype) == (503, "text/html")
    assert "The board cannot be shown." in turn.text


def test_a_match_whose_rules_fail_at_showing_it_can_be_resigned(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    table, game_of = started(scene.context, "oregon"), replays.game_of

    def fail(*args: object) -> str:
        raise KeyError("A fault of the rules.")

    monkeypatch.setattr(replays, "game_of", lambda match: replace(game_of(match), text=fail))
    browser, page = scene.look(table.match.id, table.players[0])
    assert page.status_code == 200
    assert [words in page.text for words in ("The rules of match", "overland matches check")] == [True, False]
    assert browser.press(page, f"{page.request.path}/resign", sure="yes").status_code == 303
    assert lobby.find(scene.context, None, table.match.id).status == "finished"


def test_in_a_maintenance_the_page_is_read_and_nothing_is_played(scene: Scene) -> None:
    browser, page = states.maintenance(scene)
    assert "Back at noon." in page.text.partition("<main")[0]
    scene.context.timer.advance(REMEMBERED_SECONDS)  # type: ignore[attr-defined]
    refused = browser.press(page, page.request.path, line="1", do="play")
    assert refused.status_code == 503
    assert refused.text.count("Back at noon.") == 1
