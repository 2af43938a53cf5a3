"""What a guest may do over the API, with the cookie and the nonce of their browser: operation by
operation, so that a new one is refused until somebody says otherwise here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from service.api.auth import SIGNED_IN
from service.context import Context
from service.matches import one_click
from service.players import tokens
from service.store import tables
from tests.service.api.conftest import Person
from tests.service.api.test_browser_api import Browser, browser_of
from tests.service.api.test_conventions import FITTING, OPERATIONS
from tests.service.api.test_edges import problem

MAY: Final = {
    *("getMe", "getPlayer", "listMatches", "getMatch", "getMatchComponents", "listAwaiting", "getJoining"),
    *("getObservation", "getBoardText", "getBoardSvg", "getBoardPng", "listLegalActions", "listLegalActionsAfter"),
    *("submitTurn", "listTurns", "getTurn", "getLog", "getRecord", "listOffers", "getChat", "getNote", "putNote"),
    *("listEvents", "listEventsOfMatch", "listWebhooks", "listWebhooksOfMatch", "removeWebhookOfMatch"),
    *("getPreferences", "getMatchPreferences", "listMails", "listBlocks", "listDaysOff", "endDaysOff"),
    *("resignMatch", "leaveMatch", "startMatch", "comeBack", "resumeMatch", "answerOffer"),
    "replaceJoinLink",
}
"""What a guest is not refused for being one: looking, and playing the own match to its end."""
BODIES: Final[Mapping[str, Any]] = {
    **FITTING,
    "createMatch": {"game": "oregon", "seats": [{"kind": "me"}, {"kind": "bot", "level": "easy"}]},
    "makeOffer": {"kind": "end"},
    "renameMe": {"name": "Ada"},
    "addAddress": {"email": "eve@example.org"},
    "declareDaysOff": {"days": 2},
    "makeBot": {"name": "Mine"},
    "issueToken": {"label": "mine", "scopes": ["play"]},
    "report": {"kind": "name", "player": "k3v7q2m5xa"},
    "enterWebhook": {"url": "https://example.org/overland"},
}


@pytest.fixture
def guest(app: Flask, context: Context) -> tuple[Browser, str]:
    """The browser of a guest, and the guest's match."""
    browser = browser_of(app, context, None)
    player, match = one_click.play_now(context, "oregon", "a" * 32, lambda: None, None)
    browser.client.set_cookie(SIGNED_IN, tokens.sign_in(context, player))
    return browser, match.id


def stored(context: Context) -> dict[str, Any]:
    counts = {"quotas", "keyed_requests"}
    with context.database.read() as connection:
        return {
            table.name: [tuple(row) for row in connection.execute(table.select())]
            for table in tables.metadata.sorted_tables
            if table.name not in counts
        }


def path_of(path: str, match: str) -> str:
    known = {"game": "oregon", "match": match}
    return re.sub(r"\{(\w+)\}", lambda part: known.get(part[1], "k3v7q2m5xa"), path)


TAKING_TOKENS: Final = {name for name, each in OPERATIONS.items() if each.takes_token}


def asked(guest: tuple[Browser, str], name: str) -> TestResponse:
    """The answer to a guest's request for this operation."""
    (browser, match), operation = guest, OPERATIONS[name]
    body = {} if operation.reads else {"json": BODIES.get(name, {})}
    return browser.ask(path_of(operation.path, match), operation.method, **body)


def test_a_guest_is_refused_what_is_not_listed(guest: tuple[Browser, str], context: Context) -> None:
    before = stored(context)
    for name in sorted(TAKING_TOKENS - MAY):
        problem(asked(guest, name), 403, "not_for_guests")
        assert stored(context) == before, name


@pytest.mark.parametrize("name", sorted(TAKING_TOKENS & MAY))
def test_a_guest_is_not_refused_what_is_listed(guest: tuple[Browser, str], name: str) -> None:
    answer = asked(guest, name)
    assert answer.status_code < 500
    assert b"not_for_guests" not in answer.data


def test_what_is_listed_exists() -> None:
    assert set(OPERATIONS) >= MAY


def test_a_guest_does_not_sit_down_with_others(guest: tuple[Browser, str], ada: Person) -> None:
    browser, _ = guest
    seats = [{"kind": "me"}, {"kind": "open"}]
    waiting = ada.post("/v1/matches", {"game": "oregon", "seats": seats}).get_json()["id"]
    problem(browser.ask(f"/v1/matches/{waiting}/join", "POST", json={}), 403, "not_for_guests")
    other = [{"kind": "me"}, {"kind": "invite", "email": "eve@example.org"}]
    problem(browser.ask("/v1/matches", "POST", json={"game": "oregon", "seats": other}), 403, "not_for_guests")
    assert ada.get(f"/v1/matches/{waiting}").get_json()["seats"][1]["player_id"] is None


def test_a_guest_plays_by_the_api_as_the_page_does(guest: tuple[Browser, str]) -> None:
    browser, match = guest
    me = browser.ask().get_json()
    assert me["guest_until"] is not None
    shown = browser.ask(f"/v1/matches/{match}").get_json()
    if shown["seats"][0]["to_act"]:
        turn = browser.ask(f"/v1/matches/{match}/turns", "POST", json={"ply": shown["ply"], "notation": "1"})
        assert turn.status_code in (200, 202)
    assert browser.ask(f"/v1/matches/{match}/resign", "POST").get_json()["status"] == "finished"


def test_the_id_of_a_guest_is_no_token(app: Flask, guest: tuple[Browser, str]) -> None:
    me = guest[0].ask().get_json()["id"]
    for secret in (me, f"ovl_{me}"):
        answer = app.test_client().get("/v1/me", headers={"Authorization": f"Bearer {secret}"})
        problem(answer, 401, "unknown_token")
