"""Games of the catalogue and their component sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from engine import registry
from engine.documents import About
from engine.game import AnyGame, Info
from service.api.derived import options_schema
from service.api.shapes import Inlined


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
class Components:
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


def game_summary(game: AnyGame) -> GameSummary:
    """A game as the catalogue lists it."""
    return GameSummary(game.info, _links(game))


def game_answer(game: AnyGame) -> GameAnswer:
    """A game with its options and component sets."""
    return GameAnswer(game.info, _links(game), options_schema(game), registry.component_sets(game.info.name))


def _links(game: AnyGame) -> GameLinks:
    root = f"/v1/games/{game.info.name}"
    return GameLinks(root, f"{root}/rules", f"{root}/components", f"{root}/turn-schema")
