"""What happened, on the page of a match: since one's last turn, in parts, and step by step on the
board.
"""

from __future__ import annotations

import random
import re
from html import unescape

import pytest

from engine import registry
from service.context import Context
from service.players import preferences
from service.web import match_story
from service.web.match_story import PART
from tests.service.fakes import Round, played, played_on, started
from tests.service.web.conftest import Browser, SignedIn, inlined


@pytest.fixture
def table(context: Context) -> Round:
    return started(context, "oregon")


def section(page: str, name: str) -> str:
    found = re.search(rf'<section id="{name}".*?</section>', page, re.DOTALL)
    assert found is not None, page
    return unescape(found[0])


def picture(browser: Browser, match_id: str, ply: int) -> str:
    return inlined(browser.get(f"/matches/{match_id}/board.svg?ply={ply}"))


def test_a_player_is_told_what_happened_since_their_last_turn(
    context: Context, signed_in: SignedIn, table: Round
) -> None:
    (ada, bela), match_id = table.players, table.match.id
    played(context, ada, match_id, "1")
    played(context, bela, match_id, "2")
    since = section(signed_in(ada).get(f"/matches/{match_id}").text, "since")
    assert "Since your last turn" in since
    assert "Bela places the start tile" in since
    assert "Ada places the start tile" not in since
    assert "places" not in section(signed_in(None).get(f"/matches/{match_id}").text, "since")


def test_who_has_not_moved_is_told_what_happened_since_the_beginning(
    context: Context, signed_in: SignedIn, table: Round
) -> None:
    since = section(signed_in(table.players[1]).get(f"/matches/{table.match.id}").text, "since")
    assert "Since the beginning" in since
    assert "Bela is dealt" in since


def test_every_ply_is_reached_by_links_with_text_picture_and_its_entry(
    context: Context, signed_in: SignedIn, table: Round
) -> None:
    (ada, bela), match_id = table.players, table.match.id
    played(context, ada, match_id, "1")
    played(context, bela, match_id, "2")
    browser, path = signed_in(ada), f"/matches/{match_id}"
    page, seen = browser.get(f"{path}?ply=0").text, []
    while True:
        since = section(page, "since")
        (ply,) = map(int, re.findall(r'data-at="(\d+)"', page))
        seen.append(ply)
        assert picture(browser, match_id, ply) in page
        onward = re.search(r'href="([^"]*)" rel="next"', since)
        if onward is None:
            break
        assert f"This is the board after {ply} of" in since
        assert 'id="line"' not in page, "nothing is played on a board of earlier"
        page = browser.get(onward[1]).text
    assert "Bela places the start tile" in since
    assert seen[0] == 0
    assert seen == sorted(set(seen))
    back = re.search(r'href="([^"]*)" rel="prev"', since)
    assert back is not None
    assert f'data-at="{seen[-2]}"' in browser.get(back[1]).text
    assert browser.get(f"{path}?ply=99").status_code == 409
    assert 'data-at="0"' in browser.get(f"{path}?ply=0").text


@pytest.mark.parametrize("game", registry.games())
def test_a_board_of_earlier_shows_what_its_viewer_could_know_then(
    context: Context, signed_in: SignedIn, game: str
) -> None:
    table = started(context, game)
    match = played_on(context, table, random.Random(3), 24)
    told, module = signed_in(table.players[0]), registry.game(game)
    from service.views.match import sight

    for ply in (0, 9, match.ply):
        page = unescape(told.get(f"/matches/{match.id}?ply={ply}").text)
        seen = sight(context, table.players[0], match.id, ply)
        assert module.text(module.observe(seen.state, 0), ("Ada", "Bela")).strip("\n") in page


def test_a_long_log_is_read_in_parts(
    context: Context, signed_in: SignedIn, table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert PART == 100
    monkeypatch.setattr(match_story, "PART", 10)
    match = played_on(context, table, random.Random(3), 45)
    path, browser = f"/matches/{match.id}", signed_in(None)
    latest = section(browser.get(path).text, "log")
    assert "Earlier" in latest
    assert "The latest" not in latest
    told, page = [], browser.get(f"{path}?log=0").text
    while True:
        log = section(page, "log")
        told += re.findall(r"ply=(\d+)#since", log)
        later = re.search(r'href="([^"]*)">Later', log)
        if later is None:
            break
        page = browser.get(later[1]).text
    assert told == sorted(set(told), key=int)
    assert set(re.findall(r"ply=(\d+)#since", latest)) < set(told)
    assert browser.get(f"{path}?log=9999999").status_code == 200


def test_times_are_by_the_clocks_of_the_player(context: Context, signed_in: SignedIn, table: Round) -> None:
    ada, path = table.players[0], f"/matches/{table.match.id}"
    with context.database.write() as connection:
        preferences.change(connection, ada.id, {"time_zone": "Asia/Tokyo"}, context.clock())
    for player, zone in ((ada, "Asia/Tokyo"), (None, "UTC")):
        page = signed_in(player).get(path).text
        assert f"All times are in the time zone {zone}." in page
        machine, shown = re.findall(r'datetime="([^"]+)">([^<]+)</time>', page)[0]
        hours = 9 if player else 0
        assert (int(shown[11:13]) - int(machine[11:13])) % 24 == hours
