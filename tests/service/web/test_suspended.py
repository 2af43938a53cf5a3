"""The pages for a player who is suspended: one that says so, at every address but those by which
they get and leave their account.
"""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from service.api.auth import SIGNED_IN
from service.context import Context
from service.players import suspending, tokens
from service.store.audit import Operator
from service.store.players import Player
from service.views import calendar
from service.web.blueprints import FOR_SUSPENDED
from tests.service.api.test_guests_api import stored
from tests.service.fakes import person
from tests.service.web.conftest import Browser

NOBODYS = "k3v7q2m5xa"


@pytest.fixture
def ada(context: Context, client: FlaskClient) -> Player:
    """A player who is signed in and suspended."""
    found = person(context, "Ada")
    client.set_cookie(SIGNED_IN, tokens.sign_in(context, found))
    suspending.suspend(context, found, Operator("root", "Rude words."))
    return found


def test_every_page_and_button_says_so(context: Context, client: FlaskClient, ada: Player) -> None:
    before, asked = stored(context), 0
    for rule in client.application.url_map.iter_rules():
        if not rule.endpoint.startswith("web.") or rule.endpoint in FOR_SUSPENDED:
            continue
        path = re.sub(r"<(?:\w+:)?(\w+)>", NOBODYS, rule.rule)
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            answer = client.open(path, method=method)
            assert answer.status_code == 403, (method, path)
            assert "<h1>You are suspended</h1>" in answer.text, (method, path)
            assert "Rude words." in answer.text
            asked += 1
    assert asked > 40
    assert stored(context) == before


def test_their_calendar_says_so_to_the_programs_that_poll_it(context: Context, client: FlaskClient) -> None:
    ada = person(context, "Ada")
    path = f"/calendar.ics?key={calendar.renew(context, ada)}"
    assert client.get(path).status_code == 200
    suspending.suspend(context, ada, Operator("root", "Rude words."))
    assert client.get(path).status_code == 403


def test_the_list_of_what_is_for_them_has_no_other_page(client: FlaskClient) -> None:
    assert {rule.endpoint for rule in client.application.url_map.iter_rules()} >= FOR_SUSPENDED


def test_the_page_leads_to_the_account_which_is_theirs_to_take_and_to_leave(client: FlaskClient, ada: Player) -> None:
    told = client.get("/matches")
    assert 'href="/settings/account"' in told.text
    browser = Browser(client)
    account = browser.get("/settings/account")
    assert account.status_code == 200
    assert client.get("/settings/export").get_json()["players"][0]["id"] == ada.id
    assert "signed out" in browser.press(account, "/settings/account", do="sign-out").text.lower()
    assert client.get("/matches").status_code == 303


def test_what_the_mail_of_an_invitation_leads_to_is_refused(context: Context, client: FlaskClient, ada: Player) -> None:
    assert client.get(f"/orders/{NOBODYS}").status_code == 403
