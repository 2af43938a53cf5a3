"""JSON Schemas of the documents that differ by game, derived from the types of every registered
game.

Names of definitions begin with the name of the game, so that two games may both have an action
called `Done`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import registry
from engine.documents import schema
from engine.game import AnyGame
from service.turns.intake import MOST_ACTIONS

Definitions = dict[str, Any]
COMPONENTS = "#/components/schemas/"
LONGEST_NAME = 40


def prefix(game: AnyGame) -> str:
    """The prefix of the names of the game's definitions, for instance Oregon."""
    return "".join(part.capitalize() for part in game.info.name.split("_"))


def action_of(game: AnyGame, definitions: Definitions, refs: str = COMPONENTS, chance: bool = False) -> dict[str, Any]:
    """One action of the game: one of its types, told apart by `type`."""
    kinds = (*game.actions, *game.chance_actions) if chance else game.actions
    found = {kind.type: schema(kind, definitions, prefix(game), refs) for kind in kinds}
    if len(found) == 1:
        return next(iter(found.values()))
    return {
        "oneOf": list(found.values()),
        "discriminator": {"propertyName": "type", "mapping": {tag: part["$ref"] for tag, part in found.items()}},
    }


def action(definitions: Definitions) -> dict[str, Any]:
    """An action of any game, as a seat submits it."""
    return _named_unions(definitions, "Action", lambda game: action_of(game, definitions))


def logged_action(definitions: Definitions) -> dict[str, Any]:
    """An entry's action, of a seat or of chance."""
    return _named_unions(definitions, "LoggedAction", lambda game: action_of(game, definitions, chance=True))


def actions(definitions: Definitions) -> dict[str, Any]:
    """The actions of a turn: all of one game, the match's."""
    action(definitions)
    return _named_unions(definitions, "Actions", _actions_of)


def _actions_of(game: AnyGame) -> dict[str, Any]:
    return {
        "type": "array",
        "description": f"What a seat does in one turn of {game.info.title}, in order.",
        "items": {"$ref": f"{COMPONENTS}{prefix(game)}Action"},
        "minItems": 1,
        "maxItems": MOST_ACTIONS,
    }


def options(definitions: Definitions) -> dict[str, Any]:
    """The options of a match; every option has a default."""
    return _any_of([schema(game.options, definitions, prefix(game)) for game in registry.games().values()])


def components(definitions: Definitions) -> dict[str, Any]:
    """A component set: the name of one that comes with the game, or the whole set, such as the
    printed components of somebody's own box.
    """
    named = {
        "type": "string",
        "minLength": 1,
        "maxLength": LONGEST_NAME,
        "description": "The name of a component set of the game.",
    }
    return {
        "anyOf": [named, *(schema(game.components, definitions, prefix(game)) for game in registry.games().values())]
    }


def observation(definitions: Definitions) -> dict[str, Any]:
    """What a viewer may know."""
    return _any_of([schema(game.observation, definitions, prefix(game)) for game in registry.games().values()])


def game_name(definitions: Definitions) -> dict[str, Any]:
    """The name of a game."""
    return {"type": "string", "enum": list(registry.games())}


def any_object(definitions: Definitions) -> dict[str, Any]:
    """A JSON object whose form is described elsewhere."""
    return {"type": "object", "additionalProperties": True}


def options_schema(game: AnyGame) -> dict[str, Any]:
    """The options of one game as a JSON Schema that stands alone, with the defaults."""
    definitions: Definitions = {}
    found = schema(game.options, definitions, "", "#/$defs/")
    own: dict[str, Any] = definitions.pop(found["$ref"].removeprefix("#/$defs/"))
    return own | ({"$defs": definitions} if definitions else {})


def turn_schema(game: AnyGame) -> dict[str, Any]:
    """The turn document of one game as a JSON Schema (2020-12) that stands alone."""
    definitions: Definitions = {}
    items = action_of(game, definitions, "#/$defs/")
    listed = {"type": "array", "items": items, "minItems": 1, "maxItems": MOST_ACTIONS}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"/v1/games/{game.info.name}/turn-schema",
        "title": f"A turn of {game.info.title}",
        "type": "object",
        "properties": {
            "ply": {"type": "integer", "minimum": 0, "description": "The ply this turn answers."},
            "seat": {
                "type": ["integer", "null"],
                "minimum": 0,
                "description": "The seat that acts; your own if you leave it out.",
            },
            "actions": listed,
            "notation": {
                "description": "The actions as lines of notation instead.",
                "type": ["string", "array"],
                "items": {"type": "string"},
            },
            "dry_run": {
                "type": "boolean",
                "default": False,
                "description": "True to see what the turn would do, up to its first draw.",
            },
        },
        "required": ["ply"],
        "oneOf": [{"required": ["actions"]}, {"required": ["notation"]}],
        "additionalProperties": False,
        "$defs": definitions,
    }


def _named_unions(definitions: Definitions, suffix: str, build: Callable[[AnyGame], dict[str, Any]]) -> dict[str, Any]:
    for game in registry.games().values():
        definitions[prefix(game) + suffix] = build(game)
    return _any_of([{"$ref": f"{COMPONENTS}{prefix(game)}{suffix}"} for game in registry.games().values()])


def _any_of(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """A union as anyOf, not oneOf: a document such as `{"type": "done"}` may be valid in two games;
    the match determines which is meant.
    """
    return parts[0] if len(parts) == 1 else {"anyOf": parts}
