"""Offers on the page of a match."""

from __future__ import annotations

import re

import pytest

from service.context import Context
from service.offers import offering
from service.players import suspending
from service.store import matches
from service.store.audit import Operator
from tests.service.fakes import judged_batch, person, started
from tests.service.turns.clocks import DAY, due
from tests.service.web.conftest import SignedIn


def test_an_offer_is_made_and_accepted_by_buttons(context: Context, signed_in: SignedIn) -> None:
    table = started(context, "oregon", clock="brisk")
    path, form = f"/matches/{table.match.id}", f"/matches/{table.match.id}/offers"
    before = due(context, table)
    ada, bela = signed_in(table.players[0]), signed_in(table.players[1])
    assert ada.press(ada.get(path), form, do="pause", days="5").status_code == 303
    assert "It waits for Bela." in ada.get(path).text
    page = bela.get(path)
    assert "Ada offers a pause of 5 days" in page.text
    assert 'value="accept"' in page.text
    assert 'value="withdraw"' not in page.text
    assert bela.press(page, form, do="accept").status_code == 303
    paused = bela.get(path)
    assert "The match is paused until" in paused.text
    assert due(context, table) == before + 5 * DAY
    assert bela.press(paused, form, do="resume").status_code == 303
    assert due(context, table) < before + 2 * DAY


def test_a_wrong_number_of_days_and_a_lapsed_offer_are_explained(context: Context, signed_in: SignedIn) -> None:
    table = started(context, "oregon", clock="brisk")
    path, form = f"/matches/{table.match.id}", f"/matches/{table.match.id}/offers"
    ada, bela = signed_in(table.players[0]), signed_in(table.players[1])
    answer = ada.press(ada.get(path), form, do="pause", days="99")
    assert (answer.status_code, "A pause has 1 to 14 days" in answer.text) == (422, True)
    ada.press(ada.get(path), form, do="extend")
    page = bela.get(path)
    offering.withdraw(
        context,
        table.players[0],
        table.match.id,
        offering.of_match(context, table.match.id, context.clock()).items[0].id,
    )
    late = bela.press(page, form, do="accept")
    assert (late.status_code, "This was withdrawn" in late.text) == (409, True)


@pytest.mark.parametrize("number", ["", "-1", "x", "²", "1e3", "9" * 20, "9" * 5000])
def test_a_number_that_none_means_is_refused_whatever_it_is(context: Context, signed_in: SignedIn, number: str) -> None:
    table = started(context, "oregon", clock="brisk")
    path, ada = f"/matches/{table.match.id}", signed_in(table.players[0])
    page = ada.get(path)
    assert ada.press(page, f"{path}/offers", do="pause", days=number).status_code == 422
    assert ada.press(page, f"{path}/time", do="away", days=number).status_code == 422
    assert ada.press(page, f"{path}/offers", do="extend", seat=number).status_code < 500


def test_who_watches_sees_no_offers_and_who_plays_without_a_clock_no_time(
    context: Context, signed_in: SignedIn
) -> None:
    timed = started(context, "oregon", clock="brisk")
    assert "Offer a" not in signed_in(None).get(f"/matches/{timed.match.id}").text
    assert "Offer a pause" in signed_in(timed.players[0]).get(f"/matches/{timed.match.id}").text
    untimed = started(context, "oregon", 2, ("Eve", "Fay"))
    page = signed_in(untimed.players[0]).get(f"/matches/{untimed.match.id}").text
    assert "Offer a pause" not in page
    assert "Offer a draw" in page


def test_a_match_is_called_off_by_buttons_and_its_page_says_so(context: Context, signed_in: SignedIn) -> None:
    table = started(context, "oregon", 2)
    path, form = f"/matches/{table.match.id}", f"/matches/{table.match.id}/offers"
    ada, bela = signed_in(table.players[0]), signed_in(table.players[1])
    ada.press(ada.get(path), form, do="call_off")
    page = bela.get(path)
    assert "Ada offers to call the match off" in page.text
    assert bela.press(page, form, do="accept").status_code == 303
    judged_batch(context)
    over = bela.get(path)
    assert "Ada and Bela agreed to call it off." in over.text
    assert "Offer something" not in over.text


def test_the_end_of_an_abandoned_match_is_asked_for_and_declined_by_buttons(
    context: Context, signed_in: SignedIn
) -> None:
    table = started(context, "oregon", clock="brisk")
    path, form = f"/matches/{table.match.id}", f"/matches/{table.match.id}/offers"
    ada, bela = signed_in(table.players[0]), signed_in(table.players[1])
    assert 'value="abandon"' not in bela.get(path).text
    with context.database.write() as connection:
        matches.hold_seat(connection, table.match.id, 0, context.clock().replace(microsecond=0), for_good=False)
    assert 'value="abandon"' not in ada.get(path).text
    page = bela.get(path)
    assert 'value="abandon"' in page.text
    assert bela.press(page, form, do="abandon").status_code == 303
    assert "It needs no word of Ada: the match ends without one, not before" in bela.get(path).text
    page = ada.get(path)
    assert "Bela asks to end the match as abandoned" in page.text
    assert ada.press(page, form, do="decline").status_code == 303
    assert "asks to end the match" not in bela.get(path).text


def test_the_end_of_a_match_without_a_clock_is_asked_for_by_a_button_where_a_player_is_suspended(
    context: Context, signed_in: SignedIn
) -> None:
    table = started(context, "oregon")
    path, ada = f"/matches/{table.match.id}", signed_in(table.players[0])
    suspending.suspend(context, table.players[1], Operator("root", "rude"))
    assert ada.press(ada.get(path), f"{path}/offers", do="abandon").status_code == 303
    asked = ada.get(path).text
    assert "Ada asks to end the match as abandoned, without a result, as it has to do without Bela." in asked
    assert not re.search(r"\bbot\b", asked.partition("as it has to do without Bela.")[2].partition("</p>")[0])


def test_a_seat_is_offered_taken_and_agreed_on_by_buttons(context: Context, signed_in: SignedIn) -> None:
    table, zoe, eve = started(context, "oregon", 2), person(context, "Zoe"), person(context, "Eve")
    path, form = f"/matches/{table.match.id}", f"/matches/{table.match.id}/offers"
    ada, bela, taker = signed_in(table.players[0]), signed_in(table.players[1]), signed_in(zoe)
    assert ada.press(ada.get(path), form, do="hand_over", email=zoe.email).status_code == 303
    assert "has asked somebody by mail" in bela.get(path).text
    assert "offers you their seat" not in signed_in(eve).get(path).text
    page = taker.get(path)
    assert "Ada offers you their seat" in page.text
    assert taker.press(page, form, do="accept").status_code == 303
    page = bela.get(path)
    assert "Ada offers to hand their seat to Zoe" in page.text
    assert bela.press(page, form, do="accept").status_code == 303
    assert "It is your turn" in taker.get(path).text
    assert "It is your turn" not in ada.get(path).text
