"""The catalogue: what can be played, with which options and components, by which rules, and how to
write a turn.
"""

from __future__ import annotations

from typing import Any

from flask import Response

from engine import registry
from engine.errors import UnknownGame
from engine.game import AnyGame
from service.api.derived import any_object, options_schema, turn_schema
from service.api.operations import Answer, Blueprint, operation
from service.api.problems import Problem
from service.api.schemas.games import ComponentsQuerySchema, ComponentsSchema, GameSchema, GamesSchema

blueprint = Blueprint(
    "games",
    __name__,
    url_prefix="/v1",
    description="What can be played: options, components, rules, notation, turn documents.",
)


@operation(blueprint, "GET", "/games", Answer(GamesSchema, description="The catalogue, in alphabetical order."))
def list_games() -> Any:
    """List the games."""
    return {"items": [_summary(game) for game in registry.games().values()]}


@operation(blueprint, "GET", "/games/<id:game>", Answer(GameSchema, description="The game."))
def get_game(game: str) -> Any:
    """Get a game: its options, notation and component sets."""
    found = find_game(game)
    return _summary(found) | {
        "seat_colours": found.info.seat_colours,
        "notation": found.info.notation,
        "options": options_schema(found),
        "component_sets": registry.component_sets(found.info.name),
    }


@operation(
    blueprint,
    "GET",
    "/games/<id:game>/rules",
    Answer({"type": "string"}, description="The rules in Markdown.", content_type="text/markdown"),
)
def get_game_rules(game: str) -> Response:
    """Read the rules of a game, numbered as refusals quote them."""
    return Response(registry.rules_text(find_game(game).info.name), content_type="text/markdown; charset=utf-8")


@operation(
    blueprint,
    "GET",
    "/games/<id:game>/components",
    Answer(ComponentsSchema, description="The component set."),
    query=ComponentsQuerySchema,
)
def get_game_components(query: dict[str, Any], game: str) -> Any:
    """Look at what lies on the table.

    Every value says where it comes from: `rulebook` (a rulebook states it), `reported` (several
    reviewers state it) or `reconstructed` (designed for this service, because nobody could read it
    off the box).
    """
    name = find_game(game).info.name
    if query["set"] not in registry.component_sets(name):
        raise Problem(
            "not_found",
            f"{name} has no component set {query['set']!r}; there are {', '.join(registry.component_sets(name))}.",
        )
    return {"game": name, "name": query["set"], "components": registry.component_document(name, query["set"])}


@operation(
    blueprint, "GET", "/games/<id:game>/turn-schema", Answer(any_object({}), description="A JSON Schema (2020-12).")
)
def get_game_turn_schema(game: str) -> Any:
    """Get the turn document of a game as a JSON Schema that stands alone."""
    return turn_schema(find_game(game))


def find_game(name: str) -> AnyGame:
    """The game of that name; raises ``Problem``."""
    try:
        return registry.game(name)
    except UnknownGame as error:
        raise Problem("not_found", str(error)) from None


def _summary(game: AnyGame) -> dict[str, Any]:
    info, root = game.info, f"/v1/games/{game.info.name}"
    links = {
        "self": root,
        "rules": f"{root}/rules",
        "components": f"{root}/components",
        "turn_schema": f"{root}/turn-schema",
    }
    return {
        "name": info.name,
        "title": info.title,
        "summary": info.summary,
        "credits": info.credits,
        "seats": info.seats,
        "rules_version": info.rules_version,
        "links": links,
    }
