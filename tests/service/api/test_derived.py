"""The schemas that come from the engine's types: a further game needs no edit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine import registry
from engine.game import AnyGame
from service.api import derived
from tests.engine.toy import GAME as PEARLS


@pytest.fixture
def two_games(monkeypatch: pytest.MonkeyPatch) -> Mapping[str, AnyGame]:
    games = {"oregon": registry.game("oregon"), PEARLS.info.name: PEARLS}
    monkeypatch.setattr(registry, "games", lambda: games)
    return games


def test_a_game_that_is_added_appears_by_itself(two_games: Mapping[str, AnyGame]) -> None:
    definitions: dict[str, Any] = {}
    assert derived.action(definitions) == {
        "anyOf": [{"$ref": "#/components/schemas/OregonAction"}, {"$ref": "#/components/schemas/PearlsAction"}]
    }
    assert {"OregonPlaceFarmer", "PearlsDive"} <= set(definitions)
    assert derived.game_name({}) == {"type": "string", "enum": list(two_games)}


def test_actions_are_told_apart_by_their_type() -> None:
    definitions: dict[str, Any] = {}
    union = derived.action_of(PEARLS, definitions)
    assert union["discriminator"]["propertyName"] == "type"
    assert union["discriminator"]["mapping"]["offer"] == "#/components/schemas/PearlsOffer"
    assert [part["$ref"] for part in union["oneOf"]] == list(union["discriminator"]["mapping"].values())
    assert all(
        definitions[reference.rpartition("/")[2]]["properties"]["type"] == {"type": "string", "const": tag}
        for tag, reference in union["discriminator"]["mapping"].items()
    )


def test_a_turn_schema_stands_alone_and_accepts_what_the_game_writes() -> None:
    game = registry.game("oregon")
    validator = Draft202012Validator(derived.turn_schema(game))
    Draft202012Validator.check_schema(derived.turn_schema(game))
    start = game.actions[0]
    example = {"type": start.type, "space": "C7"}
    assert validator.is_valid({"ply": 3, "actions": [example]})
    assert validator.is_valid({"ply": 3, "notation": ["start C7"], "seat": 1, "dry_run": True})
    assert not validator.is_valid({"ply": 3, "actions": [example], "notation": "start C7"})
    assert not validator.is_valid({"ply": 3})
    assert not validator.is_valid({"ply": 3, "actions": [{"type": "fly"}]})
    assert not validator.is_valid({"ply": 3, "actions": []})


def test_options_are_published_with_their_defaults() -> None:
    schema = derived.options_schema(registry.game("oregon"))
    assert schema["properties"]["discard_duplicates"]["default"] is False
    Draft202012Validator(schema).validate({"discard_duplicates": True})
