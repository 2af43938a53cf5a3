"""Turns that their player wants to confirm, over HTTP: with a token, and by the scripts of pages.

By the form of a page: ``tests/service/web/test_match.py``; by mail: ``test_act_on_words.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from service.context import Context
from tests.service.api.conftest import Person
from tests.service.api.test_browser_api import browser_of
from tests.service.api.test_edges import problem

Door: TypeAlias = Callable[[dict[str, Any]], TestResponse]


@pytest.fixture(params=["token", "session"])
def door(request: pytest.FixtureRequest, app: Flask, context: Context, ada: Person, match: str) -> Door:
    """What submits a turn of Ada's."""
    path = f"/v1/matches/{match}/turns"
    if request.param == "token":
        return lambda body: ada.post(path, body)
    browser = browser_of(app, context, ada)
    return lambda body: browser.ask(path, "POST", json=body)


def moves(ada: Person, match: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Two turns that are legal now."""
    legal = ada.get(f"/v1/matches/{match}/legal-actions").get_json()
    one, other = ({"ply": legal["ply"], "notation": [each["notation"]]} for each in legal["items"][:2])
    return one, other


def test_only_a_turn_that_was_looked_at_is_played(door: Door, ada: Person, match: str) -> None:
    ada.patch("/v1/me/preferences", {"confirm": "always"})
    turn, other = moves(ada, match)
    problem(door(turn), 409, "confirmation_needed")
    looked = door(turn | {"dry_run": True}).get_json()
    assert looked["entries"]
    confirmation = {"confirmation": looked["confirmation"]}
    problem(door(other | confirmation), 409, "confirmation_needed")
    problem(door(turn | {"confirmation": "a" * 17}), 409, "confirmation_needed")
    assert ada.get(f"/v1/matches/{match}/turns").get_json()["items"] == []
    assert door(turn | confirmation).status_code == 202


def test_a_confirmation_is_its_players_alone(door: Door, ada: Person, bela: Person, match: str) -> None:
    ada.patch(f"/v1/matches/{match}/preferences", {"confirm": "always"})
    turn, _ = moves(ada, match)
    confirmation = door(turn | {"dry_run": True}).get_json()["confirmation"]
    assert door(turn | {"confirmation": confirmation}).status_code == 202
    bela.patch(f"/v1/matches/{match}/preferences", {"confirm": "always"})
    turn, _ = moves(bela, match)
    foreign = bela.post(f"/v1/matches/{match}/turns", turn | {"confirmation": confirmation})
    problem(foreign, 409, "confirmation_needed")


def test_who_wants_to_confirm_draws_confirms_no_other_turn(door: Door, ada: Person, match: str) -> None:
    ada.patch("/v1/me/preferences", {"confirm": "draws"})
    turn, _ = moves(ada, match)
    looked = door(turn | {"dry_run": True}).get_json()
    assert (looked["drawing"], looked["confirmation"]) == (False, None)
    assert door(turn).status_code == 202


def test_nobody_else_is_asked(door: Door, ada: Person, match: str) -> None:
    turn, _ = moves(ada, match)
    assert door(turn | {"dry_run": True}).get_json()["confirmation"] is None
    assert door(turn).status_code == 202


def test_a_dry_run_is_not_confirmed(door: Door, ada: Person, match: str) -> None:
    turn, _ = moves(ada, match)
    refused = door(turn | {"dry_run": True, "confirmation": "a" * 17})
    assert problem(refused, 422, "invalid")["errors"][0]["pointer"] == "/confirmation"
