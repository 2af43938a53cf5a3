"""Finds the games: every package in ``engine.games`` that defines ``GAME``.

Adding a folder there is all it takes.

A game keeps the earlier versions of its rules in its own folder, as packages called ``v1``, ``v2``
and so on that define ``GAME`` too: matches that were begun by them are played by them to the end.

The data files of a game (its rules text, its component sets) are read here, by the import system,
as its code is.
"""

from __future__ import annotations

import importlib
import importlib.resources
import json
import pkgutil
import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, cast

import engine.games
from engine.errors import UnknownGame, UnknownVersion
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


def game(name: str, rules_version: int | None = None) -> AnyGame:
    """The game of that name: by the newest version of its rules, or by the one that is asked for.

    Raises ``UnknownGame`` or ``UnknownVersion``.
    """
    if name not in games():
        raise UnknownGame(f"There is no game {name!r}; there are {', '.join(games())}.")
    if rules_version is None:
        return games()[name]
    found = versions(name)
    if rules_version not in found:
        known = ", ".join(str(version) for version in sorted(found))
        raise UnknownVersion(f"There is no rules_version {rules_version} of {name}; there is {known}.")
    return found[rules_version]


@cache
def versions(name: str) -> Mapping[int, AnyGame]:
    """Every version of a game's rules that is at hand, the newest first; raises ``UnknownGame``."""
    newest = game(name)
    found = {newest.info.rules_version: newest}
    for folder in _version_folders(name):
        kept = importlib.import_module(f"engine.games.{name}.{folder}").GAME
        said = f"{kept.info.name} by version {kept.info.rules_version}"
        if (kept.info.name, f"v{kept.info.rules_version}") != (name, folder):
            raise ValueError(f"engine/games/{name}/{folder} says that it is {said}")
        if kept.info.rules_version >= newest.info.rules_version:
            raise ValueError(
                f"engine/games/{name}/{folder} is {said}, which is not earlier than {newest.info.rules_version}, the"
                " version of the game itself"
            )
        found[kept.info.rules_version] = kept
    return MappingProxyType(dict(sorted(found.items(), reverse=True)))


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
    """A component set as its JSON document, provenance included; a fresh copy.

    Raises ``UnknownGame``.
    """
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


def _version_folders(name: str) -> tuple[str, ...]:
    package = importlib.import_module(f"engine.games.{name}")
    return tuple(module.name for module in pkgutil.iter_modules(package.__path__) if re.fullmatch(r"v\d+", module.name))


@cache
def _file(name: str, file: str) -> str:
    return importlib.resources.files(f"engine.games.{game(name).info.name}").joinpath(file).read_text(encoding="utf-8")
