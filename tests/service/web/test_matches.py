"""The page of one's matches: what waits first, each list with its next part, no dead end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from html import unescape

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from service.clocks.rule import read_rule
from service.context import Context
from service.matches import lobby
from service.matches.types import SeatRequest
from service.players import choosing
from service.store.players import Player
from service.web.matches import FIRST
from tests.service.fakes import Clock, person
from tests.service.swept import look_after
from tests.service.turns.clocks import DAY, now_is
from tests.service.web.conftest import SignedIn

LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"


@pytest.fixture
def context(context: Context) -> Context:
    return replace(context, clock=Clock())


@pytest.fixture
def ada(context: Context) -> Player:
    return person(context, "Ada")


def against_a_bot(context: Context, player: Player, title: str, clock: str | None = None) -> str:
    seats = [SeatRequest("me"), SeatRequest("bot", level="easy")]
    rule = None if clock is None else read_rule({"preset": clock})
    return lobby.create(context, player, "oregon", {}, seats, title, clock=rule).id


def section(page: str, heading: str) -> str:
    """The part of a page below that heading."""
    (found,) = re.findall(rf"<section[^>]*><h2[^>]*>{heading}</h2>(.*?)</section>", page, re.DOTALL)
    return unescape(found)


def titles(part: str) -> list[str]:
    return re.findall(r'dir="auto">(.*?)</a>', part)


@contextmanager
def counted() -> Iterator[list[str]]:
    """The statements that are executed meanwhile."""
    statements: list[str] = []

    def note(connection: object, cursor: object, statement: str, *rest: object) -> None:
        statements.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    yield statements
    event.remove(Engine, "before_cursor_execute", note)


def test_whoever_is_not_signed_in_is_asked_to(signed_in: SignedIn) -> None:
    answer = signed_in(None).get("/matches")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/sign-in")


def test_what_is_most_urgent_comes_first_with_its_prompt_picture_and_time(
    context: Context, signed_in: SignedIn, ada: Player
) -> None:
    choosing.choose(context, ada, {"time_zone": "Europe/Zurich"})
    against_a_bot(context, ada, "Without a clock")
    against_a_bot(context, ada, "Slow", "slow")
    quick = against_a_bot(context, ada, "Quick", "brisk")
    browser = signed_in(ada)
    page = browser.get("/matches").text
    part = section(page, "It is your turn")
    assert titles(part) == ["Quick", "Slow", "Without a clock"]
    assert part.count("Place your start tile") == 3
    assert re.search(r"3 days left, until \w+, \d+ \w+, \d\d:\d\d<", part)
    assert "Times are those of Europe/Zurich." in page
    picture = re.search(rf'<img src="(/matches/{quick}/board.svg[^"]*)" alt="" loading="lazy"', part)
    assert picture is not None
    assert browser.get(picture[1]).mimetype == "image/svg+xml"
    assert "<title>(3) Your matches" in page


def test_the_last_hours_are_marked(context: Context, signed_in: SignedIn, ada: Player) -> None:
    against_a_bot(context, ada, "Quick", "brisk")
    assert "urgent" not in section(signed_in(ada).get("/matches").text, "It is your turn")
    now_is(context, context.clock() + 2.6 * DAY)
    assert 'class="urgent"' in section(signed_in(ada).get("/matches").text, "It is your turn")


def test_every_match_is_in_the_list_of_its_kind(context: Context, signed_in: SignedIn, ada: Player) -> None:
    bela = person(context, "Bela")
    going = lobby.create(context, bela, "oregon", {}, [SeatRequest("me"), SeatRequest("open")], "Going on")
    lobby.join(context, ada, going.id)
    lobby.create(context, bela, "oregon", {}, [SeatRequest("me"), SeatRequest("invite", ada.email)], "Invited")
    lobby.create(context, ada, "oregon", {}, [SeatRequest("me"), SeatRequest("open")], LONG)
    gone = lobby.create(context, ada, "oregon", {}, [SeatRequest("me"), SeatRequest("open")], "Gone")
    lobby.leave(context, ada, gone.id)
    page = signed_in(ada).get("/matches").text
    assert "No match waits for you now." in section(page, "It is your turn")
    others = section(page, "It is the turn of others")
    assert titles(others) == ["Going on"]
    assert "It waits for Bela." in others
    waiting = section(page, "Waiting for players")
    assert titles(waiting) == ["Invited", LONG]
    assert "You are invited to play with Bela." in waiting
    assert "It waits for 1 more player." in waiting
    over = section(page, "Over")
    assert titles(over) == ["Gone"]
    assert "It was cancelled before it started." in over


def test_a_match_that_nobody_looks_at_is_in_the_archive(context: Context, signed_in: SignedIn, ada: Player) -> None:
    bela = person(context, "Bela")
    table = lobby.create(context, ada, "oregon", {}, [SeatRequest("me"), SeatRequest("open")], "Forgotten")
    lobby.join(context, bela, table.id)
    for days in (14, 13, 3):
        now_is(context, context.clock() + days * DAY)
        look_after(context)
    assert titles(section(signed_in(ada).get("/matches").text, "Archived")) == ["Forgotten"]


def test_no_match_is_no_dead_end(context: Context, signed_in: SignedIn, ada: Player) -> None:
    page = signed_in(ada).get("/matches").text
    assert "No match goes on" in page
    assert re.search(r'<a class="button" href="[^"]+">New match</a>', page)
    assert "See open seats" in page
    assert "<h2>Over" not in page


def test_forty_matches_cost_a_statement_each_and_every_list_has_its_next_part(
    context: Context, signed_in: SignedIn, ada: Player
) -> None:
    browser = signed_in(ada)
    for number in range(FIRST + 28):
        against_a_bot(context, ada, f"Match {number}")
    browser.get("/matches")
    with counted() as statements:
        page = browser.get("/matches").text
    assert len(titles(section(page, "It is your turn"))) == FIRST + 28
    assert len(statements) < 2 * (FIRST + 28)
    for number in range(FIRST + 3):
        gone = lobby.create(context, ada, "oregon", {}, [SeatRequest("me"), SeatRequest("open")], f"Gone {number}")
        lobby.leave(context, ada, gone.id)
    over = section(browser.get("/matches").text, "Over")
    more = re.search(r'href="([^"]+)">Show more', over)
    assert more is not None
    rest = titles(browser.get(more[1]).text)
    assert sorted(titles(over) + rest) == sorted(f"Gone {number}" for number in range(FIRST + 3))


def test_a_list_that_does_not_exist_is_not_found(context: Context, signed_in: SignedIn, ada: Player) -> None:
    unknown = signed_in(ada).get("/matches?list=all")
    assert (unknown.status_code, "There is no such list; there are" in unknown.text) == (404, True)
    assert signed_in(ada).get("/matches?list=over&after=nowhere").status_code == 422


def test_what_goes_on_has_a_small_board_whoever_is_awaited(context: Context, signed_in: SignedIn, ada: Player) -> None:
    bela = person(context, "Bela")
    match = lobby.create(context, ada, "oregon", {}, [SeatRequest("me"), SeatRequest("open")], "Westward").id
    assert f"/matches/{match}/board.svg" not in signed_in(ada).get("/matches").text
    lobby.join(context, bela, match)
    for player in (ada, bela):
        [board] = re.findall(rf'<img src="(/matches/{match}/board.svg[^"]*)"', signed_in(player).get("/matches").text)
        assert signed_in(player).get(unescape(board)).status_code == 200
