"""The games by name, with their rules texts and component sets.

A game is registered by being a folder in ``engine.games`` or an installed package with an entry
point (``engine.packages`` finds both).

A game keeps the earlier versions of its rules in its own folder, as packages called ``v1``, ``v2``
and so on that define ``GAME`` too: matches that began with a version are played with it to the end.

The data files of a game (its rules text and component sets) are read here, through the import
system, as its code is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, cast

from engine.errors import UnknownGame, UnknownVersion
from engine.game import AnyGame
from engine.packages import STANDARD as STANDARD
from engine.packages import Package, RefusedPackage, built_in, component_sets_of, installed, read_text, versions_of


@cache
def games() -> Mapping[str, AnyGame]:
    """Every game by name, in alphabetical order."""
    return MappingProxyType({name: package.game for name, package in sorted(_found()[0].items())})


def refused() -> tuple[RefusedPackage, ...]:
    """The installed packages whose games are not offered, each with the reason."""
    return _found()[1]


def game(name: str, rules_version: int | None = None) -> AnyGame:
    """The game of that name, with the newest version of its rules or with the given one.

    Raises ``UnknownGame`` or ``UnknownVersion``.
    """
    if name not in games():
        raise UnknownGame(f"There is no game {name!r}; known: {', '.join(games())}.")
    if rules_version is None:
        return games()[name]
    found = versions(name)
    if rules_version not in found:
        known = ", ".join(str(version) for version in sorted(found))
        raise UnknownVersion(f"There is no rules_version {rules_version} of {name}; known: {known}.")
    return found[rules_version]


def package(name: str) -> Package:
    """The package that holds the game; raises ``UnknownGame``."""
    return _found()[0][game(name).info.name]


@cache
def versions(name: str) -> Mapping[int, AnyGame]:
    """Every available version of a game's rules, the newest first; raises ``UnknownGame``."""
    return MappingProxyType(versions_of(package(name)))


@cache
def rules_text(name: str) -> str:
    """The game's RULES.md, in Markdown; raises ``UnknownGame``."""
    return read_text(package(name), "RULES.md")


def rules_picture(name: str, file: str) -> str | None:
    """A picture that the game's RULES.md shows: an SVG file beside it. ``None`` where the text
    shows no such file; raises ``UnknownGame``.
    """
    if not re.fullmatch(r"[a-z0-9_-]+\.svg", file) or f"]({file})" not in rules_text(name):
        return None
    return read_text(package(name), file)


@cache
def component_sets(name: str) -> tuple[str, ...]:
    """The names of the component sets that come with a game: its JSON files, ``standard`` first."""
    return component_sets_of(package(name))


def component_document(name: str, components: str = STANDARD) -> dict[str, Any]:
    """A component set as its JSON document, provenance included; a new copy at each call.

    Raises ``UnknownGame``, also if the game has no such set.
    """
    return cast(dict[str, Any], json.loads(component_text(name, components)))


@cache
def component_text(name: str, components: str = STANDARD) -> str:
    """A component set as the text of its JSON file. Raises ``UnknownGame``, also if the game has no
    such set.
    """
    if components not in component_sets(name):
        raise UnknownGame(f"{name} has no component set {components!r}; known: {', '.join(component_sets(name))}.")
    return read_text(package(name), f"{components}.json")


@cache
def components(name: str, which: str = STANDARD) -> Any:
    """A component set as a value of the game's own type; raises ``UnknownGame``."""
    return game(name).load_components(component_document(name, which))


@cache
def _found() -> tuple[Mapping[str, Package], tuple[RefusedPackage, ...]]:
    """The packages whose games are offered, by name, and the refused ones."""
    ours = built_in()
    theirs, not_offered = installed(ours)
    return {**ours, **theirs}, not_offered
