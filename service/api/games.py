"""The catalogue: what can be played, with which options and components, by which rules, and how to
write a turn.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Response
from marshmallow import Schema, fields

from engine import registry
from engine.documents import About
from engine.errors import UnknownGame
from engine.game import AnyGame, Info
from service.api.derived import ALONE, ANY_OBJECT, Definitions, JsonSchema, options_schema
from service.api.fields import OPENAPI_VERSION, convert_derived
from service.api.operations import Answer, Blueprint, operation
from service.api.problems import ProblemDetails
from service.api.shapes import Inlined
from service.api.turns import FORMS, NewTurnSchema


@dataclass(frozen=True, slots=True)
class GameLinks:
    """Where the rest of a game is."""

    self: str
    rules: Annotated[str, About("The rules, numbered, in Markdown.")]
    components: Annotated[str, About("The component sets, each value with its provenance.")]
    turn_schema: Annotated[str, About("The turn document as a JSON Schema that stands alone.")]


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game in the catalogue."""

    info: Annotated[Info, Inlined(without=("seat_colours", "notation"))]
    links: GameLinks


@dataclass(frozen=True, slots=True)
class GameAnswer:
    """A game with everything needed to start a match of it."""

    info: Annotated[Info, Inlined()]
    links: GameLinks
    options: Annotated[Mapping[str, Any], About("The options of a match as a JSON Schema with defaults.")]
    component_sets: Annotated[tuple[str, ...], About("The component sets to choose from; the first is the default.")]


@dataclass(frozen=True, slots=True)
class Games:
    """The catalogue."""

    items: tuple[GameSummary, ...]


@dataclass(frozen=True, slots=True)
class ComponentsAnswer:
    """A component set as data."""

    game: str
    name: str
    components: Annotated[
        Mapping[str, Any],
        About(
            "The set. Every value says whether a rulebook states it, reviewers report it, or it was reconstructed for"
            " this service."
        ),
    ]


class ComponentsQuerySchema(Schema):
    """Which component set is shown."""

    set = fields.String(load_default="standard", metadata={"description": "The name of a component set."})


blueprint = Blueprint(
    "games",
    __name__,
    url_prefix="/v1",
    description="What can be played: options, components, rules, notation, turn documents.",
)

_PICTURE: Final = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
"""A picture in Markdown. The rules link to files beside them, so the API serves them with the
descriptions of the pictures; the page of the rules shows these.
"""


@operation(blueprint, "GET", "/games", Answer(Games, "The catalogue, in alphabetical order."))
def list_games() -> Any:
    """List the games."""
    return Games(tuple(game_summary(game) for game in registry.games().values()))


@operation(blueprint, "GET", "/games/<id:game>", Answer(GameAnswer, "The game."))
def get_game(game: str) -> Any:
    """Get a game: its options, notation and component sets."""
    return game_answer(find_game(game))


@operation(
    blueprint,
    "GET",
    "/games/<id:game>/rules",
    Answer({"type": "string"}, "The rules in Markdown.", content_type="text/markdown"),
)
def get_game_rules(game: str) -> Response:
    """Read the rules of a game, numbered as refusals quote them."""
    text = registry.rules_text(find_game(game).info.name)
    return Response(_PICTURE.sub(r"(Picture: \1.)", text), content_type="text/markdown; charset=utf-8")


@operation(
    blueprint,
    "GET",
    "/games/<id:game>/components",
    Answer(ComponentsAnswer, "The component set."),
    query=ComponentsQuerySchema,
)
def get_game_components(query: dict[str, Any], game: str) -> Any:
    """Get a component set of a game.

    Every value says where it comes from: `rulebook` (a rulebook states it), `reported` (several
    reviewers state it) or `reconstructed` (designed for this service, because no source
    states it).
    """
    name = find_game(game).info.name
    if query["set"] not in registry.component_sets(name):
        raise ProblemDetails(
            "not_found",
            f"{name} has no component set {query['set']!r}; there are {', '.join(registry.component_sets(name))}.",
        )
    return ComponentsAnswer(name, query["set"], registry.component_document(name, query["set"]))


@operation(blueprint, "GET", "/games/<id:game>/turn-schema", Answer(ANY_OBJECT, "A JSON Schema (2020-12)."))
def get_game_turn_schema(game: str) -> Any:
    """Get the turn document of a game as a JSON Schema that stands alone."""
    return turn_schema(find_game(game))


def turn_schema(game: AnyGame) -> JsonSchema:
    """What `NewTurnSchema` accepts in a match of the game, as a JSON Schema (2020-12)."""
    definitions = Definitions((game,), ALONE)
    converter = OpenAPIConverter(OPENAPI_VERSION, None, None)  # type: ignore[arg-type]  # it has no nested schemas
    convert_derived(converter, definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"/v1/games/{game.info.name}/turn-schema",
        "title": f"A turn of {game.info.title}",
        **converter.schema2jsonschema(NewTurnSchema),  # type: ignore[no-untyped-call]
        "oneOf": [{"required": [form], "properties": {form: {"not": {"type": "null"}}}} for form in FORMS],
        "$defs": definitions.found,
    }


def find_game(name: str) -> AnyGame:
    """The game of that name. Raises ``ProblemDetails``."""
    try:
        return registry.game(name)
    except UnknownGame as error:
        raise ProblemDetails("not_found", str(error)) from None


def game_summary(game: AnyGame) -> GameSummary:
    """A game as the catalogue lists it."""
    return GameSummary(game.info, _links(game))


def game_answer(game: AnyGame) -> GameAnswer:
    """A game with its options and component sets."""
    return GameAnswer(game.info, _links(game), options_schema(game), registry.component_sets(game.info.name))


def _links(game: AnyGame) -> GameLinks:
    root = f"/v1/games/{game.info.name}"
    return GameLinks(root, f"{root}/rules", f"{root}/components", f"{root}/turn-schema")
