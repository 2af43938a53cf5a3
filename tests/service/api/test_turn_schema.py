"""The turn document of a game as a JSON Schema that stands alone."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine import registry
from service.api.games import turn_schema
from service.api.openapi import openapi_document
from service.turns.intake import LONGEST_LINE, MOST_ACTIONS, MOST_LINES
from tests.service.api.conftest import Person

ACTION = {"type": "start", "space": "C7"}
UNKNOWN_MATCH = "/v1/matches/nowhere00/turns"


@pytest.mark.parametrize("name", registry.games())
def test_the_schema_of_every_game_stands_alone(name: str) -> None:
    schema = turn_schema(registry.game(name))
    Draft202012Validator.check_schema(schema)
    references = set(re.findall(r'"(#/[^"]+)"', json.dumps(schema)))
    assert {reference.removeprefix("#/$defs/") for reference in references} <= set(schema["$defs"])


def test_only_the_actions_of_the_game_are_in_it() -> None:
    names = turn_schema(registry.game("oregon"))["$defs"]
    assert {"OregonActions", "OregonPlaceStart", "Notation"} <= set(names)
    assert not [name for name in names if not name.startswith("Oregon") and name != "Notation"]


def test_descriptions_and_bounds_are_those_of_the_openapi_document() -> None:
    components = openapi_document()["components"]["schemas"]
    schema = turn_schema(registry.game("oregon"))
    assert schema["$defs"]["Notation"] == components["Notation"]
    assert schema["properties"].keys() == components["NewTurn"]["properties"].keys()
    for name in ("ply", "seat", "dry_run"):
        assert schema["properties"][name] == components["NewTurn"]["properties"][name]


@pytest.mark.parametrize(
    "document",
    [
        {"ply": 3, "actions": [ACTION]},
        {"ply": 3, "actions": [ACTION] * MOST_ACTIONS, "notation": None},
        {"ply": 3, "actions": None, "notation": "start C7", "seat": None},
        {"ply": 3, "notation": ["start C7"], "seat": 7, "dry_run": True},
        {"ply": 3, "notation": [""] * MOST_LINES},
        {"ply": 3, "notation": "x" * LONGEST_LINE},
    ],
)
def test_what_the_api_accepts_is_valid(document: Any, ada: Person) -> None:
    assert Draft202012Validator(turn_schema(registry.game("oregon"))).is_valid(document)
    assert ada.post(UNKNOWN_MATCH, document).status_code == 404


@pytest.mark.parametrize(
    "document",
    [
        [],
        {"actions": [ACTION]},
        {"ply": 3},
        {"ply": 3, "actions": None, "notation": None},
        {"ply": 3, "actions": []},
        {"ply": 3, "actions": ACTION},
        {"ply": 3, "actions": [ACTION] * (MOST_ACTIONS + 1)},
        {"ply": 3, "actions": [ACTION], "notation": "start C7"},
        {"ply": 3, "notation": []},
        {"ply": 3, "notation": 7},
        {"ply": 3, "notation": [7]},
        {"ply": 3, "notation": [""] * (MOST_LINES + 1)},
        {"ply": 3, "notation": "x" * (LONGEST_LINE + 1)},
        {"ply": 3, "notation": ["x" * (LONGEST_LINE + 1)]},
        {"ply": -1, "actions": [ACTION]},
        {"ply": 2**31, "actions": [ACTION]},
        {"ply": True, "actions": [ACTION]},
        {"ply": "3", "actions": [ACTION]},
        {"ply": None, "actions": [ACTION]},
        {"ply": 3, "actions": [ACTION], "seat": -1},
        {"ply": 3, "actions": [ACTION], "seat": 8},
        {"ply": 3, "actions": [ACTION], "dry_run": 1},
        {"ply": 3, "actions": [ACTION], "dry_run": None},
        {"ply": 3, "actions": [ACTION], "wait": 10},
    ],
)
def test_what_the_api_refuses_is_not_valid(document: Any, ada: Person) -> None:
    assert not Draft202012Validator(turn_schema(registry.game("oregon"))).is_valid(document)
    assert ada.post(UNKNOWN_MATCH, document).status_code == 422


def test_an_action_of_no_type_of_the_game_is_not_valid() -> None:
    schema = turn_schema(registry.game("oregon"))
    assert not Draft202012Validator(schema).is_valid({"ply": 3, "actions": [{"type": "fly"}]})
