"""Signing in by a link of a mail, and out again."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from werkzeug.test import TestResponse

from service import leaving, links, signing
from service.app import create_app
from service.context import Context
from service.loop import Loop
from service.players import own_addresses, tokens
from service.store import tokens as rows
from service.store.players import Player
from service.upkeep import UPKEEP
from tests.service.fakes import limited, notices, person, proof, sent_token, started
from tests.service.web.conftest import Browser, SignedIn, browsers_of


@pytest.fixture
def ada(context: Context) -> Player:
    return person(context, "Ada")


def link_for(context: Context, player: Player, path: str = "/", days_ago: float = 0) -> str:
    """The path and query of a link in a mail of that day."""
    then = context.clock() - timedelta(days=days_ago)
    url = urlsplit(links.sign_in_link(signing.keys_of(context), "http://127.0.0.1", player.id, path, then))
    return f"{url.path}?{url.query}"


def test_the_button_signs_in_and_opening_the_link_does_not(context: Context, signed_in: SignedIn, ada: Player) -> None:
    browser, link = signed_in(None), link_for(context, ada, "/docs/problems")
    page = browser.get(link)
    assert "Go on as Ada" in page.text
    assert page.headers["Cache-Control"] == "no-store, no-transform"
    assert "Signed in as Ada" not in browser.get("/").text
    answer = browser.press(page, "/sign-in")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/docs/problems")
    assert "Signed in as Ada" in browser.get("/").text
    assert browser.get(link).headers["Location"] == "/docs/problems"


def test_a_link_of_before_an_undone_change_signs_nobody_in(context: Context, signed_in: SignedIn, ada: Player) -> None:
    link = link_for(context, ada)
    own_addresses.add(context, ada, proof(context, ada), "eve@example.net")
    own_addresses.confirm(context, str(notices(context, "confirm_another_address")[-1].payload["token"]))
    (told,) = notices(context, "address_changed")
    own_addresses.undo(context, str(told.payload["token"]))
    browser = signed_in(None)
    answer = browser.press(browser.get(link), "/sign-in")
    assert "Signed in as Ada" not in browser.get("/").text
    assert answer.status_code == 200
    assert notices(context, "sign_in")[-1].address is None, "a new link goes to the player's own address"


def test_a_link_of_before_an_address_was_removed_signs_nobody_in(
    context: Context, signed_in: SignedIn, ada: Player
) -> None:
    own_addresses.add(context, ada, proof(context, ada), "ada@work.example")
    work = own_addresses.confirm(context, str(notices(context, "confirm_another_address")[-1].payload["token"]))[1]
    own_addresses.remove(context, ada, proof(context, ada), work.id)
    for days_ago, is_signed_in in ((1, False), (-1, True)):
        link = link_for(context, ada, days_ago=days_ago)
        browser = signed_in(None)
        browser.press(browser.get(link), "/sign-in")
        assert ("Signed in as Ada" in browser.get("/").text) == is_signed_in


def test_the_page_of_a_mail_to_another_address_names_that_one_alone(
    context: Context, signed_in: SignedIn, ada: Player
) -> None:
    own_addresses.add(context, ada, proof(context, ada), "ada@work.example")
    own_addresses.confirm(context, str(notices(context, "confirm_another_address")[-1].payload["token"]))
    browser = signed_in(None)
    browser.press(browser.get("/sign-in"), "/sign-in/mail", email="ada@work.example")
    page = browser.get(f"/confirm?token={notices(context, 'sign_in')[-1].payload['token']}").text
    assert "ada@work.example" in page
    assert ada.email not in page


def test_who_presses_twice_is_told_that_they_are_signed_in(context: Context, signed_in: SignedIn, ada: Player) -> None:
    browser = signed_in(None)
    browser.press(browser.get("/sign-in"), "/sign-in/mail", email=ada.email)
    page = browser.get(f"/confirm?token={notices(context, 'sign_in')[-1].payload['token']}")
    other = signed_in(None)
    browser.press(page, "/confirm")
    again = [browser.press(page, "/confirm"), browser.get(page.request.full_path), other.get(page.request.full_path)]
    assert [each.status_code for each in again] == [409] * 3
    assert ["You are signed in as Ada." in each.text for each in again] == [True, True, False]


@pytest.mark.parametrize("days_ago", [0, 31])
def test_nobody_who_has_left_for_good_comes_back_by_an_old_mail(
    context: Context, signed_in: SignedIn, ada: Player, days_ago: int
) -> None:
    link, browser = link_for(context, ada, days_ago=days_ago), signed_in(None)
    page = browser.get(link)
    leaving.leave_for_good(context, ada)
    assert browser.get(link).status_code == 404
    assert browser.press(page, "/sign-in").status_code == 404
    assert tokens.signed_in(context, tokens.sign_in(context, ada)) is None
    with context.database.write() as connection:
        secret = tokens.add(connection, context, ada, "late", ["read"])[1]
    assert tokens.recognise_at(context, secret, None)[0] is None


def test_the_cookie_is_read_by_no_script(context: Context, signed_in: SignedIn, ada: Player) -> None:
    browser = signed_in(None)
    answer = browser.press(browser.get(link_for(context, ada)), "/sign-in")
    (cookie,) = [each for each in answer.headers.getlist("Set-Cookie") if each.startswith("overland-browser=")]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


@pytest.mark.parametrize("field", ["player", "to", "until", "signature"])
def test_a_link_that_was_changed_signs_nobody_in(
    context: Context, signed_in: SignedIn, ada: Player, field: str
) -> None:
    eve = person(context, "Eve")
    fields = {name: values[0] for name, values in parse_qs(urlsplit(link_for(context, ada)).query).items()}
    fields[field] = {"player": eve.id, "to": "/docs", "until": "99999999999", "signature": "a" * 17}[field]
    browser = signed_in(None)
    page = browser.client.get("/sign-in", query_string=fields)
    assert page.status_code == 404
    assert "Copy all of it from the mail" in page.text
    assert browser.client.post("/sign-in", data=fields).status_code == 404


@pytest.mark.parametrize("path", ["//evil.example", "https://evil.example", "/\\evil.example"])
def test_no_link_leads_to_another_site(context: Context, signed_in: SignedIn, ada: Player, path: str) -> None:
    assert signed_in(None).get(link_for(context, ada, path)).status_code == 404


def test_an_old_link_mails_a_new_one_and_signs_nobody_in(context: Context, signed_in: SignedIn, ada: Player) -> None:
    browser, before = signed_in(None), len(notices(context, "sign_in"))
    page = browser.get(link_for(context, ada, days_ago=31))
    assert "too old" in page.text
    answer = browser.press(page, "/sign-in")
    assert "on its way to your address" in answer.text
    assert ada.email not in page.text + answer.text
    assert len(notices(context, "sign_in")) == before + 1
    assert "Signed in as" not in browser.get("/").text


def test_another_site_signs_nobody_in_or_out(context: Context, signed_in: SignedIn, ada: Player) -> None:
    browser, evil = signed_in(None), {"Sec-Fetch-Site": "cross-site"}
    assert browser.press(browser.get(link_for(context, ada)), "/sign-in", evil).status_code == 403
    assert "Signed in as" not in browser.get("/").text
    mine = signed_in(ada)
    refused = mine.press(mine.get("/"), "/sign-out", evil)
    assert refused.status_code == 403
    assert "Go back, load that page again" in refused.text, "the button is not on this page"
    assert "Signed in as Ada" in mine.get("/").text


def test_whoever_signs_out_is_signed_out_in_the_database_too(
    context: Context, signed_in: SignedIn, ada: Player
) -> None:
    browser = signed_in(ada)
    cookie = browser.client.get_cookie("overland-browser")
    assert cookie is not None
    assert tokens.signed_in(context, cookie.value) == ada
    assert browser.press(browser.get("/"), "/sign-out").status_code == 303
    assert tokens.signed_in(context, cookie.value) is None


def test_confirming_an_address_signs_the_browser_in(context: Context, signed_in: SignedIn) -> None:
    from service.players import accounts

    accounts.sign_up(context, "Bela", "bela@example.org")
    browser = signed_in(None)
    browser.press(browser.get(f"/confirm?token={sent_token(context, 'bela@example.org')}"), "/confirm")
    assert "Signed in as Bela" in browser.get("/").text


def test_a_browser_is_signed_out_after_sixty_days_and_forgotten(context: Context, ada: Player) -> None:
    now = context.clock()
    with context.database.write() as connection:
        rows.sign_in(connection, "old", ada.id, now - timedelta(days=60), now)
        rows.sign_in(connection, "new", ada.id, now, now + timedelta(seconds=10))
        assert rows.signed_in(connection, "old", now) is None
        assert rows.signed_in(connection, "new", now) == ada
    assert UPKEEP[Loop.BROWSERS](context) == 1
    assert UPKEEP[Loop.BROWSERS](context) == 0


def asks_for_a_mail(browser: Browser, action: str, **typed: str) -> TestResponse:
    return browser.press(browser.get("/sign-in"), action, None, **typed)


def test_a_known_address_is_mailed_a_link_and_the_answer_is_the_same_for_every_address(
    context: Context, signed_in: SignedIn, ada: Player
) -> None:
    before, browser = len(notices(context)), signed_in(None)
    unknown = asks_for_a_mail(browser, "/sign-in/mail", email="nobody@example.org")
    assert len(notices(context)) == before
    known = asks_for_a_mail(browser, "/sign-in/mail", email=" Ada@Example.org ")
    assert [notice.kind for notice in notices(context)[before:]] == ["sign_in"]
    pages = [re.sub(r"[a-z2-7]{32,}|nobody@example.org|Ada@Example.org", "", page.text) for page in (unknown, known)]
    assert (unknown.status_code, pages[0]) == (known.status_code, pages[1])
    browser.press(browser.get(f"/confirm?token={sent_token(context, ada.email)}"), "/confirm")
    assert "Signed in as Ada" in browser.get("/").text


def test_nobody_is_mailed_again_and_again_whoever_asks(context: Context, ada: Player) -> None:
    app = create_app(limited(context))
    browser, before = browsers_of(app, context)(None), len(notices(context))

    def asked(number: int, email: str) -> TestResponse:
        browser.client.environ_base["REMOTE_ADDR"] = f"192.0.2.{number}"
        return asks_for_a_mail(browser, "/sign-in/mail", email=email)

    answers = [asked(number, email) for number, email in enumerate(["ada@example.org", "Ada@Example.org"] * 5)]
    assert {answer.status_code for answer in answers} == {200}
    refused = asked(11, "ada@example.org")
    assert refused.status_code == 429
    assert "This address was sent too many mails to sign in with" in refused.text
    assert len(notices(context)) == before + 10
    assert asked(11, "bela@example.org").status_code == 200


def test_whoever_signs_up_is_led_to_their_matches(context: Context, signed_in: SignedIn) -> None:
    browser = signed_in(None)
    answer = asks_for_a_mail(browser, "/sign-up", name="Bela", email="bela@example.org")
    assert "A mail to bela@example.org is on its way" in answer.text
    page = browser.get(f"/confirm?token={sent_token(context, 'bela@example.org')}")
    assert browser.press(page, "/confirm").headers["Location"] == "/matches"
    assert "No match goes on" in browser.get("/matches").text
    assert browser.get("/sign-in").headers["Location"] == "/matches"


def test_whoever_signs_in_from_the_page_of_a_match_comes_back_to_it(context: Context, signed_in: SignedIn) -> None:
    """However many matches they have; the next time they are led to their list."""
    table, _ = started(context, "oregon"), started(context, "oregon")
    browser, (player, *_) = signed_in(None), table.players
    link = re.search(r'<a href="(/sign-in[^"]*)">sign in</a>', browser.get(f"/matches/{table.match.id}").text)
    assert link is not None
    led = []
    for path in (unescape(link[1]), "/sign-in"):
        browser.press(browser.get(path), "/sign-in/mail", email=player.email)
        page = browser.get(f"/confirm?token={sent_token(context, player.email)}")
        led.append(browser.press(page, "/confirm").headers["Location"])
        browser.press(browser.get("/"), "/sign-out")
    assert led == [f"/matches/{table.match.id}", "/matches"]


@pytest.mark.parametrize("match_id", ["../../evil", "//evil.example", "x" * 65, ""])
def test_a_cookie_leads_to_no_other_page(context: Context, signed_in: SignedIn, ada: Player, match_id: str) -> None:
    browser = signed_in(None)
    browser.press(browser.get(f"/sign-in?match={match_id}"), "/sign-in/mail", email=ada.email)
    page = browser.get(f"/confirm?token={sent_token(context, ada.email)}")
    assert browser.press(page, "/confirm").headers["Location"] == "/matches"


def test_a_second_sign_in_before_the_first_is_confirmed_mails_again(context: Context, signed_in: SignedIn) -> None:
    browser = signed_in(None)
    asks_for_a_mail(browser, "/sign-up", name="Bela", email="bela@example.org")
    asks_for_a_mail(browser, "/sign-in/mail", email="bela@example.org")
    assert [notice.kind for notice in notices(context)] == ["confirm_address", "confirm_address"]


@pytest.mark.parametrize(
    ("action", "typed", "field", "sentence"),
    [
        ("/sign-in/mail", {"email": "ada"}, "sign-in-email", "is not a mail address such as"),
        ("/sign-up", {"email": "ada@", "name": "Ada"}, "sign-up-email", "is not a mail address such as"),
        ("/sign-up", {"email": "bela@example.org", "name": "\u0410da"}, "sign-up-name", "one script"),
    ],
)
def test_what_was_wrong_is_said_beside_what_was_typed(
    context: Context, signed_in: SignedIn, action: str, typed: dict[str, str], field: str, sentence: str
) -> None:
    answer = asks_for_a_mail(signed_in(None), action, **typed)
    assert answer.status_code == 422
    (found,) = re.findall(rf'<input id="{field}".*?</div></div>', answer.text, re.DOTALL)
    assert 'aria-invalid="true"' in found
    assert f'aria-describedby="{field}-below"' in found
    assert sentence in unescape(found.partition('class="warning"')[2])
    for value in typed.values():
        assert f'value="{value}"' in answer.text
    assert notices(context) == []


def test_another_site_asks_for_no_mail(context: Context, signed_in: SignedIn) -> None:
    browser, evil = signed_in(None), {"Sec-Fetch-Site": "cross-site"}
    page = browser.get("/sign-in")
    answer = browser.press(page, "/sign-up", evil, name="Bela", email="bela@example.org")
    assert answer.status_code == 403
    assert 'value="bela@example.org"' in answer.text
    assert notices(context) == []
