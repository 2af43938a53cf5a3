"""What a player who is suspended may do over the API, by a token, as a bot or in a browser: two
operations, and a new one is refused until somebody says otherwise.
"""

from __future__ import annotations

from typing import Final

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from service.api.auth import FOR_SUSPENDED
from service.context import Context
from service.players import suspending
from service.store.audit import Operator
from tests.service.api.conftest import Person
from tests.service.api.test_browser_api import browser_of, player_of
from tests.service.api.test_conventions import OPERATIONS
from tests.service.api.test_edges import problem
from tests.service.api.test_guests_api import BODIES, path_of, stored

MAY: Final = {"exportMe", "leaveForGood"}
ROOT: Final = Operator("root", "Rude words.")


TAKING_TOKENS: Final = {name for name, each in OPERATIONS.items() if each.takes_token}


class Suspended:
    """Ada, suspended, by a token, in a browser, and as a bot of hers."""

    def __init__(self, app: Flask, context: Context, ada: Person, match: str) -> None:
        self.ada, self.match = ada, match
        self.browser = browser_of(app, context, ada)
        bot = ada.post("/v1/me/bots", {"name": "Mine"}).get_json()["token"]
        self.of_bot = {"Authorization": f"Bearer {bot}"}
        suspending.suspend(context, player_of(context, ada), ROOT)

    def asks(self, name: str) -> list[TestResponse]:
        """The answers to a request for this operation."""
        operation, body = OPERATIONS[name], {}
        path = path_of(operation.path, self.match)
        if not operation.reads:
            body = {"json": BODIES.get(name, {})}
        return [
            self.ada._ask(operation.method, path, **body),
            self.browser.ask(path, operation.method, **body),
            self.ada.client.open(path, method=operation.method, headers=self.of_bot, **body),
        ]


@pytest.fixture
def suspended(app: Flask, context: Context, ada: Person, match: str) -> Suspended:
    return Suspended(app, context, ada, match)


def test_a_suspended_player_is_refused_what_is_not_listed(suspended: Suspended, context: Context) -> None:
    before = {**stored(context), "tokens": None}  # whose use is noted
    for name in sorted(TAKING_TOKENS - MAY):
        details = {problem(answer, 403, "suspended")["detail"] for answer in suspended.asks(name)}
        assert details == {"The host of this service has suspended you: Rude words."}, name
        assert {**stored(context), "tokens": None} == before, name


@pytest.mark.parametrize("name", sorted(MAY))
def test_a_suspended_player_is_not_refused_what_is_listed(suspended: Suspended, name: str) -> None:
    for answer in suspended.asks(name)[:2]:
        assert b"Rude words." not in answer.data or name == "exportMe"


def test_what_is_listed_exists() -> None:
    assert {name.rpartition(".")[2] for name in FOR_SUSPENDED} == {"export_me", "leave_for_good"}
    assert set(OPERATIONS) >= MAY


def test_a_suspended_player_takes_what_is_stored_and_leaves(context: Context, ada: Person) -> None:
    suspending.suspend(context, player_of(context, ada), ROOT)
    found = ada.get("/v1/me/export").get_json()
    assert found["players"][0]["suspended_for"] == "Rude words."
    assert [(each["act"], each["reason"]) for each in found["audit"]] == [("suspended", "Rude words.")]
    assert "by" not in found["audit"][0]
    assert ada.delete("/v1/me").status_code == 204


def test_nobody_else_is_told_and_all_is_as_before_once_it_is_lifted(
    context: Context, ada: Person, bela: Person
) -> None:
    before = ada.get("/v1/me").get_json()
    seen = bela.get(f"/v1/players/{before['id']}").get_json()
    suspending.suspend(context, player_of(context, ada), ROOT)
    assert bela.get(f"/v1/players/{before['id']}").get_json() == seen
    suspending.lift(context, player_of(context, ada), Operator("root", "Sorry."))
    assert ada.get("/v1/me").get_json() == before
