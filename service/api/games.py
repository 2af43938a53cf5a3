"""The catalogue: what can be played, with which options and components, by which rules, and how to
write a turn.
"""

from __future__ import annotations

import re
from typing import Any, Final

from flask import Response

from engine import registry
from engine.errors import UnknownGame
from engine.game import AnyGame
from service.api.answers.games import Components, GameAnswer, Games, game_answer, game_summary
from service.api.derived import ANY_OBJECT
from service.api.inputs.games import ComponentsQuerySchema
from service.api.operations import Answer, Blueprint, operation
from service.api.problems import ProblemDetails
from service.api.turn_schema import turn_schema

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


@operation(blueprint, "GET", "/games", Answer(Games, description="The catalogue, in alphabetical order."))
def list_games() -> Any:
    """List the games."""
    return Games(tuple(game_summary(game) for game in registry.games().values()))


@operation(blueprint, "GET", "/games/<id:game>", Answer(GameAnswer, description="The game."))
def get_game(game: str) -> Any:
    """Get a game: its options, notation and component sets."""
    return game_answer(find_game(game))


@operation(
    blueprint,
    "GET",
    "/games/<id:game>/rules",
    Answer({"type": "string"}, description="The rules in Markdown.", content_type="text/markdown"),
)
def get_game_rules(game: str) -> Response:
    """Read the rules of a game, numbered as refusals quote them."""
    text = registry.rules_text(find_game(game).info.name)
    return Response(_PICTURE.sub(r"(Picture: \1.)", text), content_type="text/markdown; charset=utf-8")


@operation(
    blueprint,
    "GET",
    "/games/<id:game>/components",
    Answer(Components, description="The component set."),
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
    return Components(name, query["set"], registry.component_document(name, query["set"]))


@operation(blueprint, "GET", "/games/<id:game>/turn-schema", Answer(ANY_OBJECT, description="A JSON Schema (2020-12)."))
def get_game_turn_schema(game: str) -> Any:
    """Get the turn document of a game as a JSON Schema that stands alone."""
    return turn_schema(find_game(game))


def find_game(name: str) -> AnyGame:
    """The game of that name. Raises ``ProblemDetails``."""
    try:
        return registry.game(name)
    except UnknownGame as error:
        raise ProblemDetails("not_found", str(error)) from None
