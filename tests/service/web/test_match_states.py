"""Every state of a match, as its page shows it: before it begins, while it is played, while it
waits, and after its end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from sqlalchemy import update

from service.context import Context
from service.matches import lobby
from service.matches.types import SeatRequest
from service.offers import offering
from service.players import tokens
from service.store import heartbeats
from service.store import maintenance as maintenance_rows
from service.store import matches as rows
from service.store.batched import REMEMBERED_SECONDS
from service.store.maintenance import Maintenance
from service.store.players import Player
from service.store.tables import entries, matches
from tests.service.fakes import AT_ONCE, Clock, Round, discovered, judged_batch, person, played, started
from tests.service.turns.clocks import now_is
from tests.service.web.conftest import SignedIn
from tools.memory_queue import MemoryQueue

Look = Callable[..., str]


@pytest.fixture
def context(context: Context) -> Context:
    return replace(context, clock=Clock())


@pytest.fixture
def look(signed_in: SignedIn) -> Look:
    """What a player, or a spectator, reads on the page of a match."""

    def looked(match_id: str, player: Player | None = None, query: str = "") -> str:
        page = signed_in(player).get(f"/matches/{match_id}{query}")
        assert page.status_code == 200, page.text
        return unescape(page.text)

    return looked


def buttons(page: str) -> set[str]:
    """What the buttons of the page say, without those of the pages' frame."""
    main = page[page.index("<main") : page.index("</main>")]
    return set(re.findall(r"<button[^>]*>([^<]+)</button>", main))


def test_an_open_match_is_shown_to_its_host_to_who_is_invited_to_a_stranger_and_when_it_is_full(
    context: Context, look: Look
) -> None:
    ada, bela, eve = (person(context, name) for name in ("Ada", "Bela", "Eve"))
    seats = [SeatRequest("me"), SeatRequest("invite", bela.email)]
    match = lobby.create(context, ada, "oregon", None, seats, "Evening")
    host, invited, stranger = (look(match.id, player) for player in (ada, bela, eve))
    for page in (host, invited, stranger):
        assert "The match has not started: it waits for players." in page
        assert "kept for somebody who is invited" in page
        assert 'id="board"' not in page
    assert "Give the seat back" in buttons(host)
    assert "Take a seat" not in buttons(host)
    assert {"Take a seat", "Decline"} <= buttons(invited)
    assert not {"Take a seat", "Decline", "Give the seat back"} & buttons(stranger)
    lobby.join(context, bela, match.id)
    assert "The match waits for Ada" in look(match.id, eve)
    assert "Take a seat" not in buttons(look(match.id, eve))


def test_who_is_awaited_is_asked_first_and_again_after_a_draw(context: Context, look: Look) -> None:
    table = started(context, "oregon")
    page = look(table.match.id, table.players[0])
    assert "<title>Your turn · " in page
    assert (
        page.index("It is your turn.") < page.index('id="since"') < page.index('id="board"') < page.index('id="play"')
    )
    assert page.index('id="play"') < page.index('id="chat"') < page.index('id="seats"') < page.index('id="log"')
    played(context, table.players[0], table.match.id, "1")
    page = look(table.match.id, table.players[0])
    assert "<title>Your turn" not in page
    assert "The match waits for Bela, who is asked: “" in page
    assert re.search(r"Bela(?:</\w+>)*,\s+who is awaited", page)


def test_who_acts_in_secret_with_others_is_asked_and_sees_nothing_of_theirs(context: Context, look: Look) -> None:
    with discovered(AT_ONCE):
        table = started(context, "sealed")
        before = look(table.match.id, table.players[1])
        played(context, table.players[0], table.match.id, "1")
        after = look(table.match.id, table.players[1])
        assert "It is your turn." in before
        assert "It is your turn." in after
        moves = re.findall(r'name="move" value="([^"]*)"', before)
        assert moves
        assert re.findall(r'name="move" value="([^"]*)"', after) == moves
        assert "The match waits for Bela" in look(table.match.id, table.players[0])


def test_a_turn_that_waits_for_its_verdict_is_told(context: Context, signed_in: SignedIn) -> None:
    table = started(context, "oregon")
    path, ada = f"/matches/{table.match.id}", table.players[0]
    assert isinstance(context.queue, MemoryQueue)
    judge, context.queue.judge = context.queue.judge, lambda: None
    context.timer.step = 10  # type: ignore[attr-defined]
    browser = signed_in(ada)
    waits = browser.get(browser.press(browser.get(path), path, line="1", do="play").headers["Location"])
    assert "Your turn is stored and waits for its verdict." in waits.text
    assert '<meta http-equiv="refresh" content="3">' in waits.text
    context.queue.judge = judge
    judged_batch(context)
    assert "Your turn was played." in browser.get(f"{path}?turn={waits.request.args['turn']}").text


def test_a_verdict_is_told_where_it_refuses_all_of_a_turn_or_a_part(context: Context, look: Look) -> None:
    with discovered():
        table = started(context, "pearls")
        ada = table.players[0]
        told = {
            status: look(table.match.id, ada, f"?turn={turn.id}")
            for turn in (
                played(context, ada, table.match.id, "offer 2"),
                played(context, ada, table.match.id, "dive", "dive"),
            )
            for status in (turn.status,)
        }
    assert set(told) == {"rejected", "partly_accepted"}
    assert "Your turn was refused. Nothing was changed." in told["rejected"]
    assert "You have no pearl of 2; your hand is empty." in told["rejected"]
    assert "Only the first action of your turn was played." in told["partly_accepted"]


def test_a_match_that_waits_for_a_person_says_until_when_and_for_a_bot_that_it_waits(
    context: Context, look: Look
) -> None:
    table = started(context, "oregon", clock="brisk")
    mine, theirs = (look(table.match.id, player) for player in table.players)
    assert "You have until " in mine
    assert "Ada has until " in theirs
    ada = table.players[0]
    bots = lobby.create(context, ada, "oregon", None, [SeatRequest("me"), SeatRequest("bot", level="fair")], "Duel")
    context.queue.judge = lambda: None  # type: ignore[attr-defined]
    played(context, ada, bots.id, "1")
    assert "The match waits for Fair bot, who is asked: “" in look(bots.id, ada)


def test_whose_time_was_up_is_told_and_takes_the_seat_back(context: Context, signed_in: SignedIn, look: Look) -> None:
    table = started(context, "oregon", clock="brisk")
    with context.database.write() as connection:
        rows.hold_seat(connection, table.match.id, 0, context.clock().replace(microsecond=0), for_good=False)
    path, ada = f"/matches/{table.match.id}", table.players[0]
    page = look(table.match.id, ada)
    assert "Your time was up, and a bot plays your seat." in page
    assert "(a bot plays)" in look(table.match.id, table.players[1])
    browser = signed_in(ada)
    assert browser.press(browser.get(path), f"{path}/time", do="back").status_code == 303
    assert "a bot plays your seat" not in look(table.match.id, ada)


def test_a_clock_that_stands_still_in_an_outage_says_so(context: Context, look: Look) -> None:
    table = started(context, "oregon", clock="brisk")
    with context.database.write() as connection:
        for part in heartbeats.PARTS:
            heartbeats.beat(connection, part, context.clock())
    now_is(context, context.clock() + timedelta(hours=1))
    assert "An outage of the service stops your clock" in look(table.match.id, table.players[0])


def test_offers_are_shown_to_who_made_them_and_to_who_is_asked(context: Context, look: Look) -> None:
    table = started(context, "oregon", clock="brisk")
    offering.offer(context, table.players[0], table.match.id, "draw")
    mine, asked, watched = look(table.match.id, table.players[0]), look(table.match.id, table.players[1]), None
    watched = look(table.match.id, person(context, "Eve"))
    assert "Withdraw it" in buttons(mine)
    assert "It waits for Bela." in mine
    assert {"Accept", "Decline"} <= buttons(asked)
    assert '<a href="#offers">' in asked
    assert not {"Withdraw it", "Accept", "Decline"} & buttons(watched)


@pytest.mark.parametrize("winner", [0, 1])
def test_a_match_that_was_given_up_tells_winner_and_loser(context: Context, look: Look, winner: int) -> None:
    table = started(context, "oregon")
    lobby.resign(context, table.players[1 - winner], table.match.id)
    name = table.players[winner].name
    for player in (*table.players, None):
        page = look(table.match.id, player)
        assert f"is over: {name} has won." in page
        assert 'id="play"' not in page
        assert "Resign" not in buttons(page)
    assert "(resigned)" in look(table.match.id)
    assert "Play once more" in buttons(look(table.match.id, table.players[0]))


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("draw", "everyone shares the victory"),
        ("end", "everyone shares the victory"),
        ("call_off", "agreed to call it off"),
    ],
)
def test_a_match_that_was_ended_by_agreement_says_so(context: Context, look: Look, kind: Any, sentence: str) -> None:
    table = started(context, "oregon")
    made = offering.offer(context, table.players[0], table.match.id, kind)
    offering.answer(context, table.players[1], table.match.id, made.items[0].id, accepts=True)
    judged_batch(context)
    page = look(table.match.id, table.players[1])
    assert sentence in page
    assert "Were the draws fair?" in page
    assert 'id="play"' not in page


def test_a_match_of_one_tells_the_points(context: Context, look: Look) -> None:
    ada = person(context, "Ada")
    match = lobby.create(context, ada, "ozeanien", None, [SeatRequest("me")], "Alone")
    assert "It is your turn." in look(match.id, ada)
    lobby.resign(context, ada, match.id)
    assert re.search(r"Alone is over: Ada has -?\d+ points?\.", look(match.id, ada))


def test_an_abandoned_match_says_who_had_left_it(context: Context, look: Look) -> None:
    table = started(context, "oregon", clock="brisk")
    bela, ended = table.players[1], {"how": "abandoned", "seats": [1]}
    with context.database.write() as connection:
        now = context.clock()
        changed = matches.update().where(matches.c.id == table.match.id)
        connection.execute(changed.values(status="cancelled", finished_at=now, early_end=ended))
    assert "Bela asked to end it." in look(table.match.id, bela)


def test_a_match_that_cannot_be_read_says_so_and_that_nothing_is_lost(context: Context, signed_in: SignedIn) -> None:
    table = started(context, "oregon")
    with context.database.write() as connection:
        connection.execute(update(entries).where(entries.c.ply == 0).values(action={"type": "fly"}))
    context.states.forget()
    page = signed_in(table.players[0]).get(f"/matches/{table.match.id}")
    assert page.status_code == 503
    assert "cannot be read" in page.text
    assert "othing is lost" in page.text


def test_in_a_maintenance_the_page_is_read_and_nothing_is_played(
    context: Context, signed_in: SignedIn, look: Look
) -> None:
    table = started(context, "oregon")
    path, browser = f"/matches/{table.match.id}", signed_in(table.players[0])
    page = browser.get(path)
    with context.database.write() as connection:
        maintenance_rows.begin(connection, Maintenance(context.clock(), None, "Back at noon."))
    context.timer.advance(REMEMBERED_SECONDS)  # type: ignore[attr-defined]
    assert "It is your turn." in look(table.match.id, table.players[0])
    refused = browser.press(page, path, line="1", do="play")
    assert refused.status_code == 503
    assert "Back at noon." in refused.text


def test_who_was_signed_out_meanwhile_is_told_and_nothing_is_played(
    context: Context, signed_in: SignedIn, table: Round
) -> None:
    path, browser = f"/matches/{table.match.id}", signed_in(table.players[0])
    page = browser.get(path)
    cookie = browser.client.get_cookie("overland-browser")
    assert cookie is not None
    tokens.sign_out(context, cookie.value)
    refused = browser.press(page, path, line="1", do="play")
    assert refused.status_code == 401
    assert "You are not signed in here, or no longer." in refused.text
    assert 'data-player=""' in refused.text


@pytest.fixture
def table(context: Context) -> Round:
    return started(context, "oregon")
