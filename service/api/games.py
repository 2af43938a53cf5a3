"""The catalogue: what can be played, with which options and components, by which rules, and how to
write a turn.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any, Final

from flask import Response
from marshmallow import fields

from engine import registry
from engine.documents import About, from_document, schema, to_document
from engine.errors import UnknownGame
from engine.game import AnyGame, Info
from service.api.fields import otherwise
from service.api.operations import Answer, Resource
from service.api.paging import items_of
from service.api.problems import ProblemDetails
from service.api.shapes import Inlined, LinkAddress
from service.matches.types import Document, OfGame


@dataclass(frozen=True, slots=True)
class GameLinks:
    """Where the rest of a game is."""

    self: Annotated[LinkAddress, About("The game.")]
    rules: Annotated[LinkAddress, About("The rules, numbered, in Markdown.")]
    components: Annotated[LinkAddress, About("The component sets, each value with its provenance.")]


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game in the catalogue."""

    info: Annotated[Info, Inlined(without=("seat_colours", "notation"))]
    links: GameLinks


@dataclass(frozen=True, slots=True)
class GameOption:
    """What the seats of a match may agree on."""

    name: Annotated[str, About("Its name in the options of a match.", example="upright")]
    description: Annotated[str, About("What it changes.")]
    default: Annotated[bool | int | str, About("Its value where a new match leaves it out.", example=False)]


@dataclass(frozen=True, slots=True)
class GameAnswer:
    """A game with everything needed to start a match of it."""

    info: Annotated[Info, Inlined()]
    links: GameLinks
    options: Annotated[tuple[GameOption, ...], About("The options of a match.")]
    component_sets: Annotated[tuple[str, ...], About("The component sets to choose from; the first is the default.")]


@dataclass(frozen=True, slots=True)
class ComponentSetAnswer:
    """A component set as data."""

    game: Annotated[str, OfGame("game"), About("The name of the game.")]
    name: Annotated[str, About("The name of the set.", example="standard")]
    components: Annotated[
        Document,
        OfGame("components"),
        About(
            "The set. Every value says whether a rulebook states it, reviewers report it, or it was reconstructed for"
            " this service."
        ),
    ]


blueprint = Resource("games", "What can be played: options, components, rules, notation, turn documents.")
Games = items_of(GameSummary, "Games", "The catalogue.", "The games.")

_PICTURE: Final = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
"""A picture in Markdown. The rules link to files beside them, so the API serves them with the
descriptions of the pictures; the page of the rules shows these.
"""


@blueprint.operation("GET /games", Answer(Games, "The catalogue, in alphabetical order."))
def list_games() -> Any:
    """List the games.

    In alphabetical order, with links to all that belongs to each.
    """
    return Games(tuple(GameSummary(game.info, _links(game)) for game in registry.games().values()))


@blueprint.operation("GET /games/<id:game>", Answer(GameAnswer, "The game."))
def get_game(game: str) -> Any:
    """Get a game: its options, notation and component sets.

    With these, its rules and its component sets a client knows all that it takes to begin a match.
    """
    return game_answer(find_game(game))


@blueprint.operation(
    "GET /games/<id:game>/rules", Answer({"type": "string"}, "The rules in Markdown.", content_type="text/markdown")
)
def get_game_rules(game: str) -> Response:
    """Read the rules of a game, numbered as refusals quote them.

    In Markdown. Pictures are replaced by what they show.
    """
    text = registry.rules_text(find_game(game).info.name)
    return Response(_PICTURE.sub(r"(Picture: \1.)", text), content_type="text/markdown; charset=utf-8")


@blueprint.operation(
    "GET /games/<id:game>/components",
    Answer(ComponentSetAnswer, "The component set."),
    query={"set": fields.String(**otherwise("standard", "The name of a component set."))},
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
    return ComponentSetAnswer(name, query["set"], registry.component_document(name, query["set"]))


def find_game(name: str) -> AnyGame:
    """The game of that name. Raises ``ProblemDetails``."""
    try:
        return registry.game(name)
    except UnknownGame as error:
        raise ProblemDetails("not_found", str(error)) from None


def game_answer(game: AnyGame) -> GameAnswer:
    """A game with its options and component sets."""
    return GameAnswer(game.info, _links(game), _options(game), registry.component_sets(game.info.name))


def _options(game: AnyGame) -> tuple[GameOption, ...]:
    defaults: dict[str, Any] = to_document(from_document(game.options, {}))
    described: dict[str, Any] = {}
    schema(game.options, described, written=True)
    about = described[game.options.__name__]["properties"]
    return tuple(GameOption(name, about[name].get("description", ""), value) for name, value in defaults.items())


def _links(game: AnyGame) -> GameLinks:
    root = f"/v1/games/{game.info.name}"
    return GameLinks(root, f"{root}/rules", f"{root}/components")
