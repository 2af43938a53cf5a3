"""The schemas that come from the engine's types: a further game needs no edit."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from engine import registry
from engine.game import AnyGame
from service.api import derived
from service.api.openapi import openapi_document
from tests.engine.toy import GAME as PEARLS

PREFIXES = {"oregon": "Oregon", PEARLS.info.name: "Pearls"}


@pytest.fixture
def two_games(monkeypatch: pytest.MonkeyPatch) -> dict[str, AnyGame]:
    games = {"oregon": registry.game("oregon"), PEARLS.info.name: PEARLS}
    monkeypatch.setattr(registry, "games", lambda: games)
    monkeypatch.setattr(registry, "versions", lambda name: {1: games[name]})
    return games


def test_a_game_that_is_added_appears_by_itself(two_games: dict[str, AnyGame]) -> None:
    schemas = openapi_document()["components"]["schemas"]
    for name in ("Match", "MatchRequest", "MatchComponents", "ComponentSet", "MatchObservation", "LogEntry"):
        assert schemas[name]["discriminator"] == {
            "propertyName": "game",
            "mapping": {game: f"#/components/schemas/{prefix}{name}" for game, prefix in PREFIXES.items()},
        }
        assert [part["$ref"] for part in schemas[name]["oneOf"]] == list(
            schemas[name]["discriminator"]["mapping"].values()
        )
        assert schemas[f"Pearls{name}"]["properties"]["game"]["const"] == "pearls"
    assert schemas["PearlsMatch"]["properties"]["options"]["$ref"] == "#/components/schemas/PearlsOptions"
    assert schemas["PearlsRecord"]["properties"]["components"]["$ref"] == "#/components/schemas/PearlsBag"
    assert schemas["Games"]["properties"]["items"]["items"] == {"$ref": "#/components/schemas/GameSummary"}


def test_actions_of_all_games_are_told_apart_by_their_type(two_games: dict[str, AnyGame]) -> None:
    schemas = openapi_document()["components"]["schemas"]
    union = schemas["Action"]
    assert union["discriminator"]["propertyName"] == "type"
    assert union["discriminator"]["mapping"]["offer"] == "#/components/schemas/PearlsOffer"
    assert union["discriminator"]["mapping"]["farmer"] == "#/components/schemas/OregonPlaceFarmer"
    assert [part["$ref"] for part in union["oneOf"]] == list(union["discriminator"]["mapping"].values())
    for tag, reference in union["discriminator"]["mapping"].items():
        assert schemas[reference.rpartition("/")[2]]["properties"]["type"]["const"] == tag


def test_what_is_listed_as_legal_can_be_sent() -> None:
    schemas = openapi_document()["components"]["schemas"]
    action = schemas["LegalAction"]["properties"]["action"]
    assert action["$ref"] == "#/components/schemas/Action"
    assert schemas["TurnOfActions"]["properties"]["actions"]["items"] == {"$ref": action["$ref"]}
    assert schemas["PrefixOfActions"]["properties"]["actions"]["items"] == {"$ref": action["$ref"]}
    assert schemas["Turn"]["properties"]["actions"]["items"] == {"$ref": action["$ref"]}


def test_actions_of_one_type_in_two_games_are_told_apart_by_the_rest() -> None:
    parts = [("done", {"$ref": "#/a"}), ("done", {"$ref": "#/b"})]
    assert derived.told_apart(parts, "type") == {"anyOf": [{"$ref": "#/a"}, {"$ref": "#/b"}]}


def test_the_codes_of_prompts_ends_and_score_sheets_are_those_of_the_games(two_games: dict[str, AnyGame]) -> None:
    schemas = openapi_document()["components"]["schemas"]
    for game in two_games.values():
        head = PREFIXES[game.info.name]
        for of, table in (("Prompt", game.prompts), ("Ending", game.endings), ("Score", game.score_labels)):
            assert schemas.get(f"{head}{of}Code", {"enum": []})["enum"] == sorted(table)
        assert schemas[f"{head}Match"]["properties"]["seats"]["items"]["$ref"].endswith("/Seat")
    asked = schemas["Prompt"]["properties"]["code"]["anyOf"]
    assert [each["$ref"].rpartition("/")[2] for each in asked] == ["OregonPromptCode", "PearlsPromptCode"]
    ended = schemas["PearlsRecordedEnding"]["properties"]["code"]["anyOf"]
    assert [each["$ref"].rpartition("/")[2] for each in ended] == ["EndingCode", "PearlsEndingCode"]


def test_what_the_api_calls_its_own_parts_of_a_game_is_reserved(two_games: dict[str, AnyGame]) -> None:
    names = [name.removeprefix("Pearls") for name in openapi_document()["components"]["schemas"] if "Pearls" in name]
    own = {kind.__name__ for kind in (*PEARLS.actions, *PEARLS.chance_actions, PEARLS.options, PEARLS.components)}
    assert sorted({*names} - own - {PEARLS.observation.__name__}) == sorted(registry.RESERVED)


def test_no_type_of_a_game_is_called_like_one_of_another() -> None:
    named = (("chess960", "Move"), ("chess_960", "Move"), ("connect", "FourDrop"), ("connect_four", "Drop"))
    games = [(replace(PEARLS, info=replace(PEARLS.info, name=name)), kind) for name, kind in named]
    assert len({derived.prefix(game) + kind for game, kind in games}) == len(named)


def test_no_type_of_a_game_is_called_like_a_part_of_the_api() -> None:
    described = openapi_document()["components"]["schemas"]
    own = [name for name in described if not name.startswith(("Montana", "Oregon", "Ozeanien"))]
    assert sorted({re.match("[A-Z][a-z]*", name)[0] for name in own}) == derived.OWN_WORDS  # type: ignore[index]
    for name, kind in (("match", "Observation"), ("clock", "Request"), ("turn", "Page")):
        assert derived.prefix(replace(PEARLS, info=replace(PEARLS.info, name=name))) + kind not in described
