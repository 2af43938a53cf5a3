"""The page on which something is reported to the host."""

from __future__ import annotations

import re

import pytest

from service.context import Context
from service.matches import chat, lobby
from service.matches.types import SeatRequest
from service.store import reports
from tests.service.fakes import person, started
from tests.service.web.conftest import SignedIn


def links(text: str) -> list[str]:
    return re.findall(r'href="(/report[^"]*)"', text.replace("&amp;", "&"))


def open_ones(context: Context) -> list[tuple[str, str, str]]:
    with context.database.read() as connection:
        return [(each.kind, each.read, each.words) for each in reports.listed(connection, "open", 9)]


@pytest.mark.usefixtures("pearls")
def test_a_line_of_somebody_else_is_reported_from_the_page_of_the_match(context: Context, signed_in: SignedIn) -> None:
    table = started(context, "pearls")
    ada, bela = table.players
    for player, text in ((bela, "You <eel>."), (ada, "Sorry?")):
        chat.say(context, player, table.match.id, text)
    browser = signed_in(ada)
    (link,) = links(browser.get(f"/matches/{table.match.id}").text)
    page = browser.get(link)
    assert "You &lt;eel&gt;." in page.text
    sent = browser.press(page, "/report", words="Rude.")
    assert "The host of this service will look at it." in sent.text
    assert f'href="/matches/{table.match.id}"' in sent.text
    assert open_ones(context) == [("chat", "You <eel>.", "Rude.")]


@pytest.mark.usefixtures("pearls")
def test_an_invitation_and_a_name_are_reported_where_they_are_seen(context: Context, signed_in: SignedIn) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    seats = [SeatRequest("me"), SeatRequest("invite", ada.email)]
    match = lobby.create(context, bela, "pearls", None, seats, "Eels only")
    browser = signed_in(ada)
    for path, reported in ((f"/matches/{match.id}", "Eels only"), (f"/players/{bela.id}", "Bela")):
        (link,) = links(browser.get(path).text)
        browser.press(browser.get(link), "/report")
        assert reported in {read for _, read, _ in open_ones(context)}
    assert links(signed_in(bela).get(f"/matches/{match.id}").text) == []
    assert links(browser.get(f"/players/{ada.id}").text) == []


def test_what_is_not_seen_is_not_shown_and_nobody_else_may_report(context: Context, signed_in: SignedIn) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    browser = signed_in(ada)
    for path in ("/report", "/report?match=..&number=1", f"/report?player={bela.id}&number=1", "/report?player=nobody"):
        assert browser.get(path).status_code == 404, path
    assert browser.get(f"/report?player={ada.id}").status_code == 422
    assert signed_in(None).get(f"/report?player={bela.id}").status_code == 303
    elsewhere = browser.client.post("/report", data={"player": bela.id})
    assert elsewhere.status_code == 403
    long = browser.press(browser.get(f"/report?player={bela.id}"), "/report", words="x" * 501)
    assert long.status_code == 422
    assert "at most 500 characters" in long.text
    assert open_ones(context) == []
