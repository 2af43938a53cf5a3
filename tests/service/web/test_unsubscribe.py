"""The links in mails that stop mails: by the button or by one click, and never by opening them."""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service import links, signing
from service.context import Context
from service.links import Unsubscribe
from service.matches import lobby
from service.matches.types import SeatRequest
from service.players import choosing
from service.store import players
from service.store.players import Player
from tests.service.fakes import person
from tools.memory_queue import MemoryQueue

ONE_CLICK = {"List-Unsubscribe": "One-Click"}


@pytest.fixture
def ada(context: Context) -> Player:
    return person(replace(context, queue=MemoryQueue()), "Ada")


@pytest.fixture
def match(context: Context, ada: Player) -> str:
    seats = [SeatRequest("me"), SeatRequest("open")]
    return lobby.create(context, ada, "oregon", None, seats, "<b>Westward</b>").id


def path_of(context: Context, wanted: Unsubscribe) -> str:
    link = urlsplit(links.unsubscribe_link(signing.keys_of(context), context.settings.base_url, wanted))
    return f"{link.path}?{link.query}"


def press(client: FlaskClient, page: TestResponse) -> TestResponse:
    form = re.search(r'<form method="post" action="([^"]*)">', page.text)
    assert form is not None, page.text
    return client.post(form[1].replace("&amp;", "&"))


def test_opening_the_link_shows_what_it_stops_and_the_button_stops_it(
    context: Context, client: FlaskClient, ada: Player, match: str
) -> None:
    path = path_of(context, links.of_match(ada.id, match))
    for _ in range(2):
        page = client.get(path)
        assert (page.status_code, page.headers["Cache-Control"]) == (200, "no-store, no-transform")
        assert "&lt;b&gt;Westward&lt;/b&gt;" in page.text
        assert choosing.wanted_of(context, ada, match).preferences.mails == "at_once"
    done = press(client, page)
    assert done.status_code == 200
    assert "You get no more mails about the match" in done.text
    assert choosing.wanted_of(context, ada, match).preferences.mails == "off"
    assert choosing.wanted(context, ada).mails == "at_once"
    assert "<form" not in client.get(path).text


def test_a_mail_program_stops_it_with_one_click_without_cookies(
    context: Context, client: FlaskClient, ada: Player, match: str
) -> None:
    path = path_of(context, links.of_match(ada.id, match))
    for _ in range(2):
        assert client.post(path, data=ONE_CLICK, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200
    assert choosing.wanted_of(context, ada, match).preferences.mails == "off"
    (stopped,) = choosing.stopped(context, ada)
    assert (stopped.scope, stopped.match_id, stopped.one_click) == ("match", match, True)


@pytest.mark.parametrize(
    ("kind", "preference", "value"),
    [("verdict", "without", ("verdict",)), ("chat", "chat", False), ("invitation", "without", ("invitation",))],
)
def test_a_kind_of_mails_is_stopped_for_all_matches(
    context: Context, client: FlaskClient, ada: Player, kind: str, preference: str, value: object
) -> None:
    path = path_of(context, links.of_kind(ada.id, kind))
    assert "of any match" in client.get(path).text
    assert "You get no more mails of this kind" in press(client, client.get(path)).text
    assert getattr(choosing.wanted(context, ada), preference) == value


def test_the_daily_mail_can_be_stopped(context: Context, client: FlaskClient, ada: Player) -> None:
    choosing.choose(context, ada, {"mails": "digest"})
    client.post(path_of(context, links.of_kind(ada.id, "digest")), data=ONE_CLICK)
    assert choosing.wanted(context, ada).mails == "off"


def test_everything_is_stopped_that_of_single_matches_too(
    context: Context, client: FlaskClient, ada: Player, match: str
) -> None:
    choosing.choose_for(context, ada, match, {"mails": "digest", "text_only": True})
    path = path_of(context, links.of_everything(ada.id))
    client.post(path, data=ONE_CLICK)
    assert choosing.wanted(context, ada).mails == "off"
    found = choosing.wanted_of(context, ada, match)
    assert (found.preferences.mails, found.chosen) == ("off", ("text_only",))
    assert "except those that you ask for" in client.get(path).text
    assert [stopped.scope for stopped in choosing.stopped(context, ada)] == ["everything"]


def test_a_link_stops_only_what_it_was_signed_for(
    context: Context, client: FlaskClient, ada: Player, match: str
) -> None:
    bela = person(replace(context, queue=MemoryQueue()), "Bela")
    path = path_of(context, links.of_match(ada.id, match))
    for changed in (
        path.replace(f"m.{match}", "all"),
        path.replace(ada.id, bela.id),
        path[:-4] + "aaaa",
        path.partition("&signature")[0],
        "/unsubscribe",
    ):
        for answer in (client.get(changed), client.post(changed, data=ONE_CLICK)):
            assert answer.status_code == 404
            assert "not one of ours" in answer.text
    assert choosing.wanted(context, ada).mails == choosing.wanted(context, bela).mails == "at_once"
    assert choosing.wanted_of(context, ada, match).preferences.mails == "at_once"


def test_what_is_sent_only_on_demand_and_what_is_gone_cannot_be_stopped(
    context: Context, client: FlaskClient, ada: Player
) -> None:
    for wanted, status in (
        (links.of_kind(ada.id, "sign_in"), 409),
        (links.of_match(ada.id, "nowhere"), 404),
        (links.of_everything("nobody"), 404),
    ):
        path = path_of(context, wanted)
        assert client.get(path).status_code == client.post(path, data=ONE_CLICK).status_code == status


def test_an_address_of_no_player_gets_no_more_mail_after_one_press(context: Context, client: FlaskClient) -> None:
    link = urlsplit(links.never_again_link(signing.keys_of(context), context.settings.base_url, "eve@example.org"))
    path = f"{link.path}?{link.query}"
    page = client.get(path)
    assert "eve@example.org" in page.text

    def is_silent() -> bool:
        with context.database.read() as connection:
            return players.is_mail_forbidden(connection, "eve@example.org")

    assert not is_silent()
    assert "any more" in press(client, page).text
    assert is_silent()
    assert "<form" not in client.get(path).text


def test_a_link_for_one_address_silences_no_other(context: Context, client: FlaskClient) -> None:
    link = urlsplit(links.never_again_link(signing.keys_of(context), context.settings.base_url, "eve@example.org"))
    path = f"{link.path}?{link.query}".replace("eve@", "ada@")
    assert client.get(path).status_code == client.post(path).status_code == 404
    with context.database.read() as connection:
        assert not players.is_mail_forbidden(connection, "ada@example.org")
