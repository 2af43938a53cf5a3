"""Finds the games: every package in ``engine.games`` that defines ``GAME``. Adding a folder there is all it takes.

The data files of a game (its rules text, its component sets) are read here, by the import system, as its code is.
"""

from __future__ import annotations

import importlib
import importlib.resources
import json
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, cast

import engine.games
from engine.errors import UnknownGame
from engine.game import AnyGame

STANDARD = "standard"


@cache
def games() -> Mapping[str, AnyGame]:
    """Every game by name, in alphabetical order. A game is called as its folder is."""
    found: dict[str, AnyGame] = {}
    for module in sorted(pkgutil.iter_modules(engine.games.__path__), key=lambda module: module.name):
        package = importlib.import_module(f"engine.games.{module.name}")
        if hasattr(package, "GAME"):
            if package.GAME.info.name != module.name:
                raise ValueError(f"the game in engine/games/{module.name} calls itself {package.GAME.info.name!r}")
            found[module.name] = package.GAME
    return MappingProxyType(found)


def game(name: str) -> AnyGame:
    """The game of that name; raises ``UnknownGame``."""
    try:
        return games()[name]
    except KeyError:
        raise UnknownGame(f"There is no game {name!r}; there are {', '.join(games())}.") from None


def rules_text(name: str) -> str:
    """The game's RULES.md, in Markdown; raises ``UnknownGame``."""
    return _file(name, "RULES.md")


@cache
def component_sets(name: str) -> tuple[str, ...]:
    """The names of the component sets that come with a game: its JSON files, ``standard`` first."""
    files = importlib.resources.files(f"engine.games.{game(name).info.name}").iterdir()
    found = {file.name.removesuffix(".json") for file in files if file.name.endswith(".json")}
    return tuple(sorted(found, key=lambda each: (each != STANDARD, each)))


def component_document(name: str, components: str = STANDARD) -> dict[str, Any]:
    """A component set as its JSON document, provenance included; a fresh copy. Raises ``UnknownGame``."""
    return cast(dict[str, Any], json.loads(component_text(name, components)))


def component_text(name: str, components: str = STANDARD) -> str:
    """A component set as the text of its JSON file, laid out for people. Raises ``UnknownGame``."""
    if components not in component_sets(name):
        raise UnknownGame(f"{name} has no component set {components!r}; there are {', '.join(component_sets(name))}.")
    return _file(name, f"{components}.json")


@cache
def components(name: str, which: str = STANDARD) -> Any:
    """A checked component set, of the game's own type; raises ``UnknownGame``."""
    return game(name).load_components(component_document(name, which))


@cache
def _file(name: str, file: str) -> str:
    return importlib.resources.files(f"engine.games.{game(name).info.name}").joinpath(file).read_text(encoding="utf-8")
