"""JSON Schemas of the documents that differ by game, derived from the types of the games.

Names of definitions begin with the name of the game, so that two games may both have an action
called `Done`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from engine import registry
from engine.documents import schema
from engine.game import AnyGame
from service.clocks.rule import NAMES, NONE, POLICIES
from service.turns.intake import LONGEST_LINE, MOST_ACTIONS, MOST_LINES

JsonSchema: TypeAlias = dict[str, Any]
COMPONENTS = "#/components/schemas/"
ALONE = "#/$defs/"
LONGEST_NAME = 40
ANY_OBJECT: JsonSchema = {"type": "object", "additionalProperties": True}
"""A JSON object whose form is described elsewhere."""


@dataclass(frozen=True, slots=True)
class Definitions:
    """The definitions to which a schema for ``games`` refers: ``found`` by name. ``refs`` is the
    JSON pointer of the place where they will stand.
    """

    games: tuple[AnyGame, ...]
    refs: str = COMPONENTS
    found: dict[str, JsonSchema] = field(default_factory=dict)

    def of(self, kind: Any, game: AnyGame | None = None) -> JsonSchema:
        """The schema of a type of the engine, or of one of the ``game``."""
        return schema(kind, self.found, "" if game is None else prefix(game), self.refs)

    def define(self, name: str, found: JsonSchema) -> JsonSchema:
        """Adds a definition, and gives a reference to it."""
        self.found[name] = found
        return {"$ref": self.refs + name}


def prefix(game: AnyGame) -> str:
    """The prefix of the names of the game's definitions, for instance Oregon."""
    return "".join(part.capitalize() for part in game.info.name.split("_"))


def action_of(game: AnyGame, definitions: Definitions, chance: bool = False) -> JsonSchema:
    """One action of the game: one of its types, told apart by `type`."""
    kinds = (*game.actions, *game.chance_actions) if chance else game.actions
    found = {kind.type: definitions.of(kind, game) for kind in kinds}
    if len(found) == 1:
        return next(iter(found.values()))
    return {
        "oneOf": list(found.values()),
        "discriminator": {"propertyName": "type", "mapping": {tag: part["$ref"] for tag, part in found.items()}},
    }


def action(definitions: Definitions) -> JsonSchema:
    """An action of any game, as a seat submits it."""
    return _named_unions(definitions, "Action", lambda game: action_of(game, definitions))


def logged_action(definitions: Definitions) -> JsonSchema:
    """An entry's action, of a seat or of chance."""
    return _named_unions(definitions, "LoggedAction", lambda game: action_of(game, definitions, chance=True))


def actions(definitions: Definitions) -> JsonSchema:
    """The actions of a turn: all of one game, the match's."""
    action(definitions)
    return _named_unions(definitions, "Actions", lambda game: _actions_of(game, definitions))


def _actions_of(game: AnyGame, definitions: Definitions) -> JsonSchema:
    return {
        "type": "array",
        "description": f"What a seat does in one turn of {game.info.title}, in order.",
        "items": {"$ref": f"{definitions.refs}{prefix(game)}Action"},
        "minItems": 1,
        "maxItems": MOST_ACTIONS,
    }


def notation(definitions: Definitions) -> JsonSchema:
    """One line of notation, or a list of lines."""
    return definitions.define(
        "Notation",
        {
            "description": (
                "Actions as text: one line, which may hold a whole turn, or a list of lines. The game's catalogue entry"
                " explains its notation."
            ),
            "anyOf": [
                {"type": "string", "minLength": 1, "maxLength": LONGEST_LINE},
                {
                    "type": "array",
                    "items": {"type": "string", "maxLength": LONGEST_LINE},
                    "minItems": 1,
                    "maxItems": MOST_LINES,
                },
            ],
        },
    )


def clock(definitions: Definitions) -> JsonSchema:
    """How much time the seats of a new match have."""
    duration = {"type": "string", "pattern": r"^P(\d{1,4}W|\d{1,5}D|(\d{1,5}D)?T\d{1,6}[HM](\d{1,7}M)?)$"}
    rest: JsonSchema = {
        "if_late": {
            "type": "string",
            "enum": list(POLICIES),
            "description": "What follows when the time of a seat and its reserve are up.",
        },
        "weekends": {
            "type": ["string", "null"],
            "description": "A time zone whose Saturdays and Sundays stop the clocks.",
        },
        "days_off": {"type": "boolean", "description": "False if days off of players are to stop no clock."},
    }
    ways: list[tuple[JsonSchema, list[str]]] = [
        ({"preset": {"type": "string", "enum": [name for name in NAMES if name != NONE]}, **rest}, ["preset"]),
        ({"preset": {"const": NONE}}, ["preset"]),
        ({"base": duration, "increment": duration, "most": duration, **rest}, ["base"]),
        ({"total": duration, **rest}, ["total"]),
    ]
    objects = [
        {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
        for properties, required in ways
    ]
    names = {"type": "string", "enum": list(NAMES), "description": "The name of a preset."}
    return definitions.define("NewClock", {"anyOf": [names, *objects]})


def options(definitions: Definitions) -> JsonSchema:
    """The options of a match; every option has a default."""
    return _any_of([definitions.of(game.options, game) for game in definitions.games])


def components(definitions: Definitions) -> JsonSchema:
    """A component set: the name of one that comes with the game, or the whole set, such as the
    printed components of somebody's own box.
    """
    named = {
        "type": "string",
        "minLength": 1,
        "maxLength": LONGEST_NAME,
        "description": "The name of a component set of the game.",
    }
    return {"anyOf": [named, *(definitions.of(game.components, game) for game in definitions.games)]}


def observation(definitions: Definitions) -> JsonSchema:
    """What a viewer may know."""
    return _any_of([definitions.of(game.observation, game) for game in definitions.games])


def game_name(definitions: Definitions) -> JsonSchema:
    """The name of a game."""
    return {"type": "string", "enum": [game.info.name for game in definitions.games]}


def all_games() -> Definitions:
    """Definitions for every registered game."""
    return Definitions(tuple(registry.games().values()))


def options_schema(game: AnyGame) -> JsonSchema:
    """The options of one game as a JSON Schema that stands alone, with the defaults."""
    definitions = Definitions((game,), ALONE)
    found = definitions.of(game.options)
    own = definitions.found.pop(found["$ref"].removeprefix(ALONE))
    return own | ({"$defs": definitions.found} if definitions.found else {})


def _named_unions(definitions: Definitions, suffix: str, build: Callable[[AnyGame], JsonSchema]) -> JsonSchema:
    return _any_of([definitions.define(prefix(game) + suffix, build(game)) for game in definitions.games])


def _any_of(parts: list[JsonSchema]) -> JsonSchema:
    """A union as anyOf, not oneOf: a document such as `{"type": "done"}` may be valid in two games;
    the match determines which is meant.
    """
    return parts[0] if len(parts) == 1 else {"anyOf": parts}
