"""The page that the mail of an invitation leads to: its reader takes the seat and is signed in, and
nobody else learns or gets anything by the link.
"""

from __future__ import annotations

import re
from datetime import timedelta
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from engine.record import Handover
from service import signing
from service.addresses import folded
from service.context import Context
from service.links import SIGN_IN_LASTS, Invitee, invitation_link
from service.matches import lobby
from service.matches.types import SeatRequest
from service.players import accounts, guests, own_addresses, stopping
from service.store import matches, players
from service.store.players import Player
from tests.service.fakes import notices, person, proof
from tests.service.web.conftest import Browser, SignedIn

ME, OPEN = SeatRequest("me"), SeatRequest("open")
EMAIL = "Bela.Kovacs@example.org"
TAKE = "/invitation"
UNUSABLE = "This invitation cannot be used"


@pytest.fixture
def ada(context: Context) -> Player:
    return person(context, "Ada")


@pytest.fixture
def match(context: Context, ada: Player) -> str:
    seats = [ME, SeatRequest("invite", EMAIL)]
    return lobby.create(context, ada, "oregon", {}, seats, title="Westward", unlisted=True).id


def link_of(context: Context, match: str, who: str = EMAIL, seat: int = 1, age: timedelta = timedelta()) -> str:
    """The path of the link in a mail that was written so long ago, to an address or a player."""
    who = folded(who) if "@" in who else who
    made_at = context.clock() - age
    return invitation_link(signing.keys_of(context), "", Invitee(match, seat, who), made_at)


def added(context: Context, player: Player, email: str) -> str:
    """The id of another address of a player, which is confirmed."""
    own_addresses.add(context, player, proof(context, player), email)
    code = str(notices(context, "confirm_another_address")[-1].payload["token"])
    return own_addresses.confirm(context, code)[1].id


def takes(browser: Browser, link: str, **data: str) -> str:
    """Where the button leads."""
    return browser.press(browser.get(link), TAKE, None, **data).headers["Location"]


def holder(context: Context, ada: Player, match: str) -> str | None:
    return lobby.find(context, ada, match).seats[1].player_name


def test_a_stranger_takes_the_seat_without_a_second_mail(
    context: Context, signed_in: SignedIn, ada: Player, match: str
) -> None:
    browser, link, before = signed_in(None), link_of(context, match), len(notices(context, "confirm_address"))
    page = browser.get(link)
    assert "mailed to b…@example.org" in page.text
    assert "Ada has created a match of Oregon for 2 players" in page.text
    assert page.headers["Cache-Control"] == "no-store, no-transform"
    assert holder(context, ada, match) is None
    assert takes(browser, link, name="Bela") == f"/matches/{match}"
    assert "You play here as Bela." in browser.get(f"/matches/{match}").text
    bela = accounts.sign_up_proven(context, "Anybody", EMAIL)
    assert (bela.name, bela.confirmed_at) == ("Bela", bela.created_at)
    assert len(notices(context, "confirm_address")) == before
    assert {notice.player_id for notice in notices(context, "match_started")} == {ada.id, bela.id}


def test_pressing_twice_and_coming_back_lead_to_the_match(context: Context, signed_in: SignedIn, match: str) -> None:
    browser, link = signed_in(None), link_of(context, match)
    page = browser.get(link)
    for name in ("Bela", "Bela", "Other"):
        assert browser.press(page, TAKE, name=name).headers["Location"] == f"/matches/{match}"
    assert browser.get(link).headers["Location"] == f"/matches/{match}"
    another = signed_in(None)
    assert takes(another, link) == f"/matches/{match}"
    assert "You play here as Bela." in another.get(f"/matches/{match}").text


def test_a_player_is_signed_in_by_the_button_and_sits(context: Context, signed_in: SignedIn, ada: Player) -> None:
    bela = person(context, "Bela", EMAIL)
    match = lobby.create(context, ada, "oregon", {}, [ME, SeatRequest("invite", EMAIL)]).id
    browser, link = signed_in(None), link_of(context, match, bela.id)
    page = browser.get(link)
    assert "You play as Bela." in page.text
    assert 'name="name"' not in page.text
    assert takes(browser, link) == f"/matches/{match}"
    assert "You play here as Bela." in browser.get(f"/matches/{match}").text


def test_who_is_signed_in_already_sits_with_one_button(context: Context, signed_in: SignedIn, match: str) -> None:
    browser, link = signed_in(person(context, "Bela", EMAIL)), link_of(context, match)
    assert "You play as Bela." in browser.get(link).text
    before = browser.client.get_cookie("overland-browser")
    assert takes(browser, link) == f"/matches/{match}"
    assert browser.client.get_cookie("overland-browser") == before


def test_the_link_of_an_address_does_not_say_who_has_signed_up_with_it(
    context: Context, signed_in: SignedIn, match: str
) -> None:
    person(context, "Zebulon", EMAIL)
    page = signed_in(None).get(link_of(context, match))
    assert "Zebulon" not in page.text
    assert "kovacs" not in page.text.lower()


@pytest.mark.parametrize("taken", ["withdrawn", "another", "declined", "off"])
def test_an_invitation_that_does_not_stand_any_more_gives_nothing_and_tells_nothing(
    context: Context, signed_in: SignedIn, ada: Player, match: str, taken: str
) -> None:
    browser, link = signed_in(None), link_of(context, match)
    page = browser.get(link)
    match taken:
        case "withdrawn":
            lobby.invite(context, ada, match, 1, None)
        case "another":
            lobby.invite(context, ada, match, 1, "cleo@example.org")
        case "declined":
            lobby.decline(context, match, 1, folded(EMAIL))
        case "off":
            lobby.leave(context, ada, match)
    answer = browser.press(page, TAKE, name="Bela")
    assert answer.status_code == (409 if taken == "off" else 404)
    for shown in (answer, browser.get(link)):
        assert ("called off" if taken == "off" else UNUSABLE) in shown.text
        assert "Ada" not in shown.text
        assert ("Westward" in shown.text) == (taken == "off")
    assert browser.client.get_cookie("overland-browser") is None
    assert holder(context, ada, match) is None
    with context.database.read() as connection:
        assert players.by_address(connection, folded(EMAIL)) is None


def test_no_field_of_the_link_can_be_changed(context: Context, signed_in: SignedIn, ada: Player, match: str) -> None:
    other = lobby.create(context, ada, "oregon", {}, [ME, SeatRequest("invite", EMAIL)]).id
    fields = dict(parse_qsl(urlsplit(link_of(context, match)).query))
    bela = person(context, "Bela")
    changes = [
        {"match": other},
        {"match": "k3v7q2m5xa"},
        {"seat": "0"},
        {"seat": "7"},
        {"seat": "-1"},
        {"seat": "x"},
        {"until": str(int(fields["until"]) + 1)},
        {"until": "9" * 40},
        {"until": ""},
        {"player": bela.id},
        {"player": ada.id},
        {"signature": fields["signature"][:-1]},
        {"signature": "a" * 17},
        {"signature": ""},
    ]
    unknown = signed_in(None).get("/invitation")
    assert unknown.status_code == 404
    for change in changes:
        answer = signed_in(None).get(f"/invitation?{urlencode(fields | change)}")
        assert answer.status_code == 404, change
        assert re.sub(r"[a-z2-7]{32,}", "", answer.text) == re.sub(r"[a-z2-7]{32,}", "", unknown.text)


def test_a_link_that_is_too_old_signs_nobody_in(context: Context, signed_in: SignedIn, ada: Player, match: str) -> None:
    browser, fresh = signed_in(None), link_of(context, match)
    old = link_of(context, match, age=SIGN_IN_LASTS + timedelta(seconds=1))
    page = browser.get(old)
    assert "too old to sign you in" in page.text
    assert TAKE not in page.text.replace(old, "")
    fields = dict(parse_qsl(urlsplit(old).query)) | {"name": "Bela"}
    assert browser.press(browser.get(fresh), TAKE, None, **fields).status_code == 409
    assert holder(context, ada, match) is None
    assert browser.client.get_cookie("overland-browser") is None


def test_a_change_of_addresses_that_was_undone_ends_earlier_links(context: Context, signed_in: SignedIn) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    match = lobby.create(context, ada, "oregon", {}, [ME, SeatRequest("invite", bela.email)]).id
    link = link_of(context, match, bela.id)
    added(context, bela, "eve@example.org")
    undo = next(notice.payload["token"] for notice in notices(context, "address_changed") if notice.payload["token"])
    own_addresses.undo(context, undo)
    assert "too old to sign you in" in signed_in(None).get(link).text


def test_who_is_signed_in_as_somebody_else_is_told_whom_it_is_for(
    context: Context, signed_in: SignedIn, ada: Player, match: str
) -> None:
    browser, link = signed_in(person(context, "Cleo")), link_of(context, match)
    page = browser.get(link)
    assert "mailed to b…@example.org" in page.text
    assert "You are signed in here as Cleo." in page.text
    assert "Take this seat" not in page.text
    fields = dict(parse_qsl(urlsplit(link).query))
    nonce = dict(re.findall(r'name="(nonce)" value="([^"]*)"', page.text))
    assert browser.client.post(TAKE, data=fields | nonce | {"name": "Bela"}).status_code == 409
    assert holder(context, ada, match) is None
    browser.press(page, "/sign-out")
    assert takes(browser, link, name="Bela") == f"/matches/{match}"


def test_the_link_of_a_player_who_gave_the_address_to_another_signs_nobody_in(
    context: Context, signed_in: SignedIn, ada: Player
) -> None:
    bela, second = person(context, "Bela"), "second@example.org"
    address_id = added(context, bela, second)
    match = lobby.create(context, ada, "oregon", {}, [ME, SeatRequest("invite", second)]).id
    link = link_of(context, match, bela.id)
    assert "Take this seat" in signed_in(None).get(link).text
    own_addresses.remove(context, bela, proof(context, bela), address_id)
    person(context, "Quirin", second)
    assert UNUSABLE in signed_in(None).get(link).text


def test_another_site_takes_no_seat(context: Context, signed_in: SignedIn, ada: Player, match: str) -> None:
    browser, link = signed_in(None), link_of(context, match)
    answer = browser.press(browser.get(link), TAKE, {"Sec-Fetch-Site": "cross-site"}, name="Bela")
    assert answer.status_code == 403
    fields = dict(parse_qsl(urlsplit(link).query))
    assert signed_in(None).client.post(TAKE, data=fields | {"nonce": "x", "name": "Bela"}).status_code == 403
    assert holder(context, ada, match) is None


def test_what_is_wrong_with_the_name_is_said(context: Context, signed_in: SignedIn, ada: Player, match: str) -> None:
    browser = signed_in(None)
    answer = browser.press(browser.get(link_of(context, match)), TAKE, name="Bela <b> bot")
    assert answer.status_code == 422
    assert 'value="Bela &lt;b&gt; bot"' in answer.text
    assert holder(context, ada, match) is None


def test_an_address_that_wanted_no_mail_is_told_so_and_gets_them_again(
    context: Context, signed_in: SignedIn, match: str
) -> None:
    stopping.silence(context, folded(EMAIL))
    browser, link = signed_in(None), link_of(context, match)
    assert "wanted no more mails from here" in browser.get(link).text
    takes(browser, link, name="Bela")
    assert not stopping.is_silent(context, folded(EMAIL))


def test_a_guest_keeps_what_they_have_played(context: Context, signed_in: SignedIn, match: str) -> None:
    guest = guests.welcome(context, "of a browser", lambda: None)
    played = lobby.create(context, guest, "oregon", {}, [ME, SeatRequest("bot", level="easy")]).id
    browser = signed_in(guest)
    assert takes(browser, link_of(context, match), name="Bela") == f"/matches/{match}"
    for each in (match, played):
        assert "You play here as Bela." in browser.get(f"/matches/{each}").text


def test_a_guest_whose_address_is_a_players_plays_on_as_that_player(
    context: Context, signed_in: SignedIn, match: str
) -> None:
    person(context, "Bela", EMAIL)
    guest = guests.welcome(context, "of a browser", lambda: None)
    played = lobby.create(context, guest, "oregon", {}, [ME, SeatRequest("bot", level="easy")]).id
    browser = signed_in(guest)
    assert takes(browser, link_of(context, match)) == f"/matches/{match}"
    assert "You play here as Bela." in browser.get(f"/matches/{played}").text


def test_a_seat_that_has_gone_to_another_leads_its_former_player_nowhere(
    context: Context, signed_in: SignedIn, match: str
) -> None:
    browser, link, cleo = signed_in(None), link_of(context, match), person(context, "Cleo")
    takes(browser, link, name="Bela")
    with context.database.write() as connection:
        found = matches.lock(connection, match)
        assert found is not None
        handover = Handover(1, found.ply, "2026-11-27T12:00:00Z", "Bela", "Cleo")
        matches.hand_over(connection, found, handover, cleo.id, context.clock())
    assert UNUSABLE in signed_in(None).get(link).text
    assert UNUSABLE in browser.get(link).text
