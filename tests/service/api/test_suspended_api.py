"""What a player who is suspended may do over the API, by a token, as a bot or in a browser: two
operations, and a new one is refused until somebody says otherwise.
"""

from __future__ import annotations

from typing import Final

import pytest
from flask import Flask

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


@pytest.mark.parametrize("name", [each.name for each in OPERATIONS.values() if each.takes_token])
def test_a_suspended_player_is_refused_what_is_not_listed(
    app: Flask, context: Context, ada: Person, match: str, name: str
) -> None:
    operation, browser = OPERATIONS[name], browser_of(app, context, ada)
    bot = ada.post("/v1/me/bots", {"name": "Mine"}).get_json()["token"]
    suspending.suspend(context, player_of(context, ada), ROOT)
    before, path = stored(context), path_of(operation.path, match)
    body = {} if operation.reads else {"json": BODIES.get(name, {})}
    of_bot = {"Authorization": f"Bearer {bot}"}
    answers = [
        ada._ask(operation.method, path, **body),
        browser.ask(path, operation.method, **body),
        ada.client.open(path, method=operation.method, headers=of_bot, **body),
    ]
    for answer in answers[:2] if name in MAY else answers:
        if name in MAY:
            assert b"Rude words." not in answer.data or name == "exportMe"
        else:
            refusal = problem(answer, 403, "suspended")
            assert refusal["detail"] == "The host of this service has suspended you: Rude words."
    if name not in MAY:
        assert {**stored(context), "tokens": None} == {**before, "tokens": None}  # whose use is noted


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
