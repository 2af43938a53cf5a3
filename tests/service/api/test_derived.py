"""The schemas that come from the engine's types: a further game needs no edit."""

from __future__ import annotations

import pytest
from jsonschema import Draft202012Validator

from engine import registry
from engine.game import AnyGame
from service.api import derived
from service.api.derived import Definitions
from tests.engine.toy import GAME as PEARLS


@pytest.fixture
def two_games(monkeypatch: pytest.MonkeyPatch) -> dict[str, AnyGame]:
    games = {"oregon": registry.game("oregon"), PEARLS.info.name: PEARLS}
    monkeypatch.setattr(registry, "games", lambda: games)
    return games


def test_a_game_that_is_added_appears_by_itself(two_games: dict[str, AnyGame]) -> None:
    definitions = derived.all_games()
    assert derived.action(definitions) == {
        "anyOf": [{"$ref": "#/components/schemas/OregonAction"}, {"$ref": "#/components/schemas/PearlsAction"}]
    }
    assert {"OregonPlaceFarmer", "PearlsDive"} <= set(definitions.found)
    assert derived.game_name(definitions) == {"type": "string", "enum": list(two_games)}


def test_actions_are_told_apart_by_their_type() -> None:
    definitions = Definitions((PEARLS,))
    union = derived.action_of(PEARLS, definitions)
    assert union["discriminator"]["propertyName"] == "type"
    assert union["discriminator"]["mapping"]["offer"] == "#/components/schemas/PearlsOffer"
    assert [part["$ref"] for part in union["oneOf"]] == list(union["discriminator"]["mapping"].values())
    assert all(
        definitions.found[reference.rpartition("/")[2]]["properties"]["type"] == {"type": "string", "const": tag}
        for tag, reference in union["discriminator"]["mapping"].items()
    )


def test_options_are_published_with_their_defaults() -> None:
    schema = derived.options_schema(registry.game("oregon"))
    assert schema["properties"]["discard_duplicates"]["default"] is False
    Draft202012Validator(schema).validate({"discard_duplicates": True})
