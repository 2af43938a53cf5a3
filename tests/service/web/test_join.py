"""The page of a join link: what it shows, taking a seat, and signing up or in on the way."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import structlog
from werkzeug.test import TestResponse

from service.clocks.rule import PRESETS
from service.context import Context
from service.matches import lobby
from service.matches.types import SeatRequest
from service.players import accounts, blocks
from service.store import matches as rows
from service.store.players import Player
from tests.service.fakes import notices, person, sent_token
from tests.service.web.conftest import Browser, SignedIn

ME, OPEN = SeatRequest("me"), SeatRequest("open")
EMAIL = "bela@example.org"


@pytest.fixture
def ada(context: Context) -> Player:
    return person(context, "Ada")


@pytest.fixture
def match(context: Context, ada: Player) -> str:
    return lobby.create(context, ada, "oregon", {}, [ME, OPEN], title="Westward", clock=PRESETS["relaxed"]).id


def link_of(context: Context, match: str) -> str:
    """The path of the join link of a match."""
    with context.database.read() as connection:
        found = rows.find(connection, match)
    assert found is not None
    return f"/join/{found.join_secret}"


def signs_up(context: Context, browser: Browser, link: str, email: str = EMAIL, name: str = "Bela") -> TestResponse:
    return browser.press(browser.get(link), f"{link}/sign-up", name=name, email=email)


def without_nonce(page: TestResponse) -> str:
    return re.sub(r"[a-z2-7]{32,}", "", page.text)


def confirms(context: Context, browser: Browser, email: str = EMAIL) -> TestResponse:
    """Follows the link of the mail, and presses its button."""
    return browser.press(browser.get(f"/confirm?token={sent_token(context, email)}"), "/confirm")


def test_the_page_shows_what_one_wants_to_know_before_playing(
    context: Context, signed_in: SignedIn, match: str
) -> None:
    page = signed_in(None).get(link_of(context, match))
    for words in (
        "Westward",
        "Ada has created a match of Oregon for 2 players",
        "Ada has begun no match with others yet.",
        "Time for each player:",
        "Each player also has a reserve",
        '<img src="/games/oregon/pictures/example.svg" alt="The board of Oregon',
    ):
        assert words in page.text
    assert "Take this seat" not in page.text
    assert page.headers["Cache-Control"] == "no-store, no-transform"
    assert page.headers["Referrer-Policy"] == "no-referrer"
    assert "<script" not in page.text


def test_whoever_is_signed_in_takes_the_seat_and_may_press_again(
    context: Context, signed_in: SignedIn, match: str
) -> None:
    browser, link = signed_in(person(context, "Bela")), link_of(context, match)
    page = browser.get(link)
    for _ in range(2):
        answer = browser.press(page, link)
        assert (answer.status_code, answer.headers["Location"]) == (303, f"/matches/{match}")
    assert "You play here as Bela." in browser.get(f"/matches/{match}").text
    assert "You have a seat in this match." in browser.get(link).text


def test_a_stranger_signs_up_on_the_way_and_sits_after_three_clicks(
    context: Context, signed_in: SignedIn, match: str
) -> None:
    browser, link = signed_in(None), link_of(context, match)
    assert "Look into your mailbox" in signs_up(context, browser, link).text
    (mail,) = notices(context, "confirm_address")[-1:]
    assert mail.payload["joins"] is True
    asked = browser.get(f"/confirm?token={sent_token(context, EMAIL)}")
    assert "can take your seat" in asked.text
    back = browser.press(asked, "/confirm")
    assert (back.status_code, back.headers["Location"]) == (303, link)
    taken = browser.press(browser.get(link), link)
    assert taken.headers["Location"] == f"/matches/{match}"
    assert "You play here as Bela." in browser.get(f"/matches/{match}").text


def test_nobody_gets_a_token_that_they_are_not_shown(context: Context, signed_in: SignedIn, match: str) -> None:
    browser = signed_in(None)
    signs_up(context, browser, link_of(context, match))
    confirms(context, browser)
    bela = accounts.sign_up_proven(context, "Bela", EMAIL)
    assert not accounts.stored(context, bela)["tokens"]


def test_a_player_signs_in_the_same_way_and_the_page_says_nothing_of_who_is_known(
    context: Context, signed_in: SignedIn, match: str
) -> None:
    bela, browser, link = person(context, "Bela"), signed_in(None), link_of(context, match)
    unknown = signs_up(context, signed_in(None), link, "nobody@example.org")
    known = signs_up(context, browser, link, bela.email, "Whoever")
    assert known.status_code == unknown.status_code
    assert without_nonce(known).replace(bela.email, "") == without_nonce(unknown).replace("nobody@example.org", "")
    (mail,) = notices(context, "sign_in")[-1:]
    assert mail.payload["joins"] is True
    assert confirms(context, browser, bela.email).headers["Location"] == link
    assert "You play as Bela." in browser.get(link).text


def test_an_ordinary_sign_up_leads_to_no_link(context: Context, signed_in: SignedIn) -> None:
    accounts.sign_up(context, "Bela", EMAIL)
    assert confirms(context, signed_in(None)).headers["Location"] == "/matches"


def test_the_way_back_after_the_link_was_replaced_leads_to_no_match(
    context: Context, signed_in: SignedIn, ada: Player, match: str
) -> None:
    browser, link = signed_in(None), link_of(context, match)
    signs_up(context, browser, link)
    lobby.renew_link(context, ada, link.removeprefix("/join/"))
    assert confirms(context, browser).headers["Location"] == link
    page = browser.get(link)
    assert page.status_code == 404
    assert "ask for the new one" in page.text
    assert "Westward" not in page.text
    assert "Take this seat" in browser.get(link_of(context, match)).text


@pytest.mark.parametrize("path", ["", "/sign-up", "/board.svg"])
def test_a_guess_leads_nowhere(context: Context, signed_in: SignedIn, match: str, path: str) -> None:
    browser = signed_in(person(context, "Bela"))
    secret = link_of(context, match).removeprefix("/join/")
    for guess in (match, "a" * 26, secret[:-1], secret.upper(), secret + "a", "%", "x" * 65):
        assert browser.get(f"/join/{guess}").status_code == 404
        if path != "/board.svg":
            assert browser.client.post(f"/join/{guess}{path}", data={"nonce": "x"}).status_code in (403, 404)
        else:
            assert browser.get(f"/join/{guess}{path}").status_code == 404
    assert lobby.find(context, None, match).seats[1].player_id is None


def test_another_site_takes_no_seat_and_sends_no_mail(context: Context, signed_in: SignedIn, match: str) -> None:
    evil, link = {"Sec-Fetch-Site": "cross-site"}, link_of(context, match)
    browser, before = signed_in(person(context, "Bela")), len(notices(context))
    assert browser.press(browser.get(link), link, evil).status_code == 403
    stranger = signed_in(None)
    answer = stranger.press(stranger.get(link), f"{link}/sign-up", evil, name="Eve", email="eve@example.org")
    assert answer.status_code == 403
    assert lobby.find(context, None, match).seats[1].player_id is None
    assert len(notices(context)) == before


def test_who_is_not_signed_in_takes_no_seat(context: Context, signed_in: SignedIn, match: str) -> None:
    link = link_of(context, match)
    answer = signed_in(None).client.post(link, data={"nonce": "x"})
    assert answer.status_code == 401
    assert "Mail me the link" in answer.text


def test_what_is_wrong_with_the_form_is_said_and_nothing_typed_is_lost(
    context: Context, signed_in: SignedIn, match: str
) -> None:
    answer = signs_up(context, signed_in(None), link_of(context, match), "<nonsense>", "Bela")
    assert answer.status_code == 422
    assert 'value="&lt;nonsense&gt;"' in answer.text
    assert 'value="Bela"' in answer.text


def test_the_link_of_a_full_match_shows_its_board_and_gives_no_seat(
    context: Context, signed_in: SignedIn, match: str
) -> None:
    browser, link = signed_in(person(context, "Cleo")), link_of(context, match)
    page = browser.get(link)
    lobby.join(context, person(context, "Bela"), match)
    late = browser.press(page, link)
    assert late.status_code == 409
    assert "The match has started: nobody can join any more" in late.text
    assert f"{link}/board.svg" in late.text
    picture = browser.get(f"{link}/board.svg")
    assert (picture.status_code, picture.mimetype) == (200, "image/svg+xml")


def test_the_links_of_matches_that_are_over_or_called_off_say_so(
    context: Context, signed_in: SignedIn, ada: Player, match: str
) -> None:
    bela, other = person(context, "Bela"), lobby.create(context, ada, "oregon", {}, [ME, OPEN]).id
    lobby.join(context, bela, match)
    lobby.resign(context, bela, match)
    lobby.leave(context, ada, other)
    browser = signed_in(person(context, "Cleo"))
    assert "The match is over: nobody can join any more." in browser.get(link_of(context, match)).text
    assert "The match was called off: nobody can join any more." in browser.get(link_of(context, other)).text
    for each in (match, other):
        with pytest.raises(Exception, match="nobody can join any more"):
            lobby.join(context, person(context, "Dora"), each, link=link_of(context, each).removeprefix("/join/"))


def test_whom_the_host_has_blocked_takes_no_seat_and_is_not_told_why(
    context: Context, signed_in: SignedIn, ada: Player, match: str
) -> None:
    eve, other = person(context, "Eve"), lobby.create(context, ada, "oregon", {}, [ME, OPEN, OPEN]).id
    lobby.join(context, eve, other)
    blocks.block(context, ada, other, 1)
    browser, link = signed_in(eve), link_of(context, match)
    answer = browser.press(browser.get(link), link)
    assert answer.status_code == 409
    assert "No seat is open to you" in answer.text
    assert "block" not in answer.text.lower()


def test_eight_at_once_take_the_last_seat_and_one_has_it(context: Context, signed_in: SignedIn, match: str) -> None:
    link = link_of(context, match)
    browsers = [signed_in(person(context, f"P{chr(97 + number)}")) for number in range(8)]
    pages, barrier = [browser.get(link) for browser in browsers], Barrier(8)

    def take(number: int) -> TestResponse:
        barrier.wait()
        return browsers[number].press(pages[number], link)

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(take, range(8)))
    assert sorted(answer.status_code for answer in answers) == [303, *[409] * 7]
    assert all("nobody can join any more" in answer.text for answer in answers if answer.status_code == 409)


def test_the_host_finds_the_link_on_the_page_of_the_match_and_replaces_it_there(
    context: Context, signed_in: SignedIn, ada: Player, match: str
) -> None:
    browser, link = signed_in(ada), link_of(context, match)
    page = browser.get(f"/matches/{match}")
    assert f"http://127.0.0.1:8000{link}" in page.text
    assert browser.press(page, f"{link}/replace").headers["Location"] == f"/matches/{match}"
    assert browser.get(link).status_code == 404
    assert link_of(context, match) in browser.get(f"/matches/{match}").text
    assert "/join/" not in signed_in(person(context, "Bela")).get(f"/matches/{match}").text


def test_nobody_else_replaces_the_link(context: Context, signed_in: SignedIn, match: str) -> None:
    browser, link = signed_in(person(context, "Bela")), link_of(context, match)
    nonce = re.search(r'name="nonce" value="([a-z2-7]{32,})"', browser.get(link).text)
    assert nonce is not None
    for data in ({}, {"nonce": nonce[1]}):
        assert browser.client.post(f"{link}/replace", data=data).status_code == 403
    assert link_of(context, match) == link


def test_no_log_has_the_secret(context: Context, signed_in: SignedIn, match: str) -> None:
    link, browser = link_of(context, match), signed_in(person(context, "Bela"))
    secret = link.removeprefix("/join/")
    with structlog.testing.capture_logs() as logged:
        browser.get(link)
        browser.press(browser.get(link), link)
        browser.get(f"{link}/nothing")
        browser.get(f"/v1{link}")
        browser.get(f"/v1{link}/nothing")
    assert len(logged) >= 6
    assert secret not in str(logged)
    assert re.search("/join/…", str(logged))


def test_an_open_seat_is_taken_on_a_page_that_everybody_finds(
    context: Context, signed_in: SignedIn, match: str
) -> None:
    browser, path = signed_in(person(context, "Bela")), f"/matches/{match}/join"
    page = browser.get(path)
    for words in ("Ada has created a match of Oregon", "Ada has begun no match with others yet.", "Time for each"):
        assert words in page.text
    assert link_of(context, match) not in page.text, "the join link is its host's to pass on"
    for _ in range(2):
        assert browser.press(page, path).headers["Location"] == f"/matches/{match}"
    assert "You play here as Bela." in browser.get(f"/matches/{match}").text
    assert signed_in(None).get(path).headers["Location"] == f"/matches/{match}", "it has started"


def test_a_stranger_signs_up_on_the_way_to_an_open_seat(context: Context, signed_in: SignedIn, match: str) -> None:
    browser, path = signed_in(None), f"/matches/{match}/join"
    refused = browser.press(browser.get(path), f"{path}/sign-up", name="Bela", email="bela")
    assert refused.status_code == 422
    assert "&#39;bela&#39; is not a mail address" in refused.text
    assert 'value="Bela"' in refused.text
    browser.press(browser.get(path), f"{path}/sign-up", name="Bela", email=EMAIL)
    back = confirms(context, browser)
    assert browser.press(browser.get(back.location), back.location).headers["Location"] == f"/matches/{match}"


def test_an_open_seat_that_is_gone_is_told_so(context: Context, signed_in: SignedIn, match: str) -> None:
    browser, path = signed_in(person(context, "Cleo")), f"/matches/{match}/join"
    page = browser.get(path)
    lobby.join(context, person(context, "Bela"), match)
    answer = browser.press(page, path)
    assert answer.status_code == 409
    assert "nobody can join any more" in answer.text
