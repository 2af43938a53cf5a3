"""The games by name, with their rules texts and component sets.

A game is a folder in ``engine.games``, or an installed package that an entry point of the group
``overland.games`` names after the game; both define ``GAME``. A faulty built-in game raises; a
faulty installed package is refused with a reason, and all other games stay available.

Earlier versions of the rules are packages ``v1``, ``v2`` and so on in the folder of the game:
matches are played to the end with the version they began with.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.resources
import json
import pkgutil
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint
from types import MappingProxyType
from typing import Any, cast

import engine.games
from engine import play, texts
from engine.documents import from_document, schema, to_document
from engine.errors import UnknownGame, UnknownVersion
from engine.game import AnyGame, Game
from engine.sentences import prompt_told
from engine.types import CHANCE, Setup

GROUP = "overland.games"
STANDARD = "standard"
NAME = "[a-z][a-z0-9_]{0,39}"
"""The pattern of a game's name, which is used in URLs, file names and the API description."""
RESERVED = (
    "AwaitsYou ComponentSet EndingCode LogEntry LoggedAction Match MatchComponents MatchObservation MatchRequest"
    " Preview Prompt PromptCode Record RecordedAction RecordedEnding RecordedOutcome RecordedScoreLine ScoreCode"
    " ToldEnding ToldOutcome ToldScoreLine"
).split()
"""What the API calls its own parts of a game's description, so that no type of a game may be."""


@dataclass(frozen=True, slots=True)
class Package:
    """A package with a game: its import name, and the distribution, or "" if it is built in."""

    module: str
    game: AnyGame
    origin: str = ""


@dataclass(frozen=True, slots=True)
class RefusedPackage:
    """An installed package without a game to offer: entry point, distribution, a sentence."""

    name: str
    origin: str
    reason: str


@cache
def games() -> Mapping[str, AnyGame]:
    """Every game by name, in alphabetical order."""
    return MappingProxyType({name: package.game for name, package in sorted(_found()[0].items())})


def refused() -> tuple[RefusedPackage, ...]:
    """The installed packages whose games are not offered, each with the reason."""
    return _found()[1]


def game(name: str, rules_version: int | None = None) -> AnyGame:
    """The game in a version, or the newest. Raises ``UnknownGame``, ``UnknownVersion``."""
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
    return texts.read_text(package(name).module, "RULES.md")


def rules_picture(name: str, file: str) -> str | None:
    """An SVG file that the game's RULES.md shows, or ``None``; raises ``UnknownGame``."""
    if not re.fullmatch(r"[a-z0-9_-]+\.svg", file) or f"]({file})" not in rules_text(name):
        return None
    return texts.read_text(package(name).module, file)


@cache
def component_sets(name: str) -> tuple[str, ...]:
    """The names of the component sets that come with a game: its JSON files, ``standard`` first."""
    files = [file.name for file in importlib.resources.files(package(name).module).iterdir()]
    found = {name.removesuffix(".json") for name in files if name.endswith(".json")}
    return tuple(sorted(found, key=lambda each: (each != STANDARD, each)))


def component_document(name: str, components: str = STANDARD) -> dict[str, Any]:
    """A new copy of a component set, as JSON. Raises ``UnknownGame``, also without that set."""
    return cast(dict[str, Any], json.loads(component_text(name, components)))


@cache
def component_text(name: str, components: str = STANDARD) -> str:
    """The text of a component set's JSON file; raises ``UnknownGame``."""
    if components not in component_sets(name):
        raise UnknownGame(f"{name} has no component set {components!r}; known: {', '.join(component_sets(name))}.")
    return texts.read_text(package(name).module, f"{components}.json")


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


def built_in() -> Mapping[str, Package]:
    """The games of ``engine.games`` by name, in alphabetical order: packages with ``GAME``, called
    as their folder. Raises whatever an import raises, and ``ValueError`` if the names differ.
    """
    found: dict[str, Package] = {}
    for module in sorted(pkgutil.iter_modules(engine.games.__path__), key=lambda module: module.name):
        package = importlib.import_module(f"{engine.games.__name__}.{module.name}")
        if hasattr(package, "GAME"):
            _same_name(package.__name__, package.GAME, module.name)
            found[module.name] = Package(package.__name__, package.GAME)
    return found


def installed(taken: Collection[str]) -> tuple[Mapping[str, Package], tuple[RefusedPackage, ...]]:
    """The games of installed packages by name, and the refused packages: those that cannot be
    loaded, those whose name is in ``taken``, and those whose name several packages claim.
    """
    points = sorted(importlib.metadata.entry_points(group=GROUP), key=lambda point: (point.name, _origin(point)))
    found: dict[str, Package] = {}
    refused: list[RefusedPackage] = []
    for point in points:
        others = [_origin(each) for each in points if each.name == point.name and _origin(each) != _origin(point)]
        if point.name in taken:
            reason = f"{point.name} is a game that comes with Overland, and no package can replace it."
        elif others:
            reason = f"{' and '.join(others)} has a game called {point.name} too; uninstall all but one."
        else:
            try:
                found[point.name] = _loaded(point)
                continue
            except Exception as error:  # any error of another author's package refuses that package only
                reason = f"{type(error).__name__}: {error}"
        refused.append(RefusedPackage(point.name, _origin(point), reason))
    return found, tuple(refused)


def versions_of(package: Package) -> dict[int, AnyGame]:
    """Every version of the game's rules, by number, the newest first. Raises ``ValueError`` if one
    is not that of its folder, or not earlier than that of the game itself.
    """
    newest = package.game
    found = {newest.info.rules_version: newest}
    for folder in (each.name for each in pkgutil.iter_modules(importlib.import_module(package.module).__path__)):
        if not re.fullmatch(r"v\d+", folder):
            continue
        kept: AnyGame = importlib.import_module(f"{package.module}.{folder}").GAME
        where, said = _path(f"{package.module}.{folder}"), f"version {kept.info.rules_version} of {kept.info.name}"
        if (kept.info.name, f"v{kept.info.rules_version}") != (newest.info.name, folder):
            raise ValueError(f"{where} says that it is {said}")
        if kept.info.rules_version >= newest.info.rules_version:
            raise ValueError(
                f"{where} is {said}, which is not earlier than {newest.info.rules_version}, the version of the game"
                " itself"
            )
        found[kept.info.rules_version] = kept
    return dict(sorted(found.items(), reverse=True))


def _loaded(point: EntryPoint) -> Package:
    """The package of the entry point. Raises an error of any type if a part is missing or wrong."""
    if not re.fullmatch(NAME, point.name):
        raise ValueError(f"{point.name!r} is not the name of a game: it should match {NAME}")
    game = getattr(importlib.import_module(point.value), "GAME", None)
    if not isinstance(game, Game):
        raise ValueError(f"{_path(point.value)} defines no GAME that is an engine.game.Game")
    _same_name(point.value, game, point.name)
    package = Package(point.value, game, _origin(point))
    versions_of(package)
    check_declared(game)
    texts.read_text(point.value, "RULES.md")
    document = json.loads(texts.read_text(point.value, f"{STANDARD}.json"))
    for seats in game.info.seats:
        state = game.setup(Setup(seats, game.options(), game.load_components(document)))
        for seat in () if play.outcome(game, state, 0) else game.to_act(state):
            if seat != CHANCE:
                prompt_told(game, play.prompt(game, state, seat, seat))
    return package


def check_declared(game: AnyGame) -> None:
    """Raises an error of any type where the API cannot describe the game, or its options."""
    definitions: dict[str, Any] = {name: {} for name in RESERVED}
    for kind in (*game.actions, *game.chance_actions, game.options, game.observation, game.components):
        schema(kind, definitions)
    options = game.options()
    if not options == from_document(game.options, {}) == from_document(game.options, to_document(options)):
        raise ValueError("options that are left out, or read as they are written, are not the defaults")
    if not game.info.seats:
        raise ValueError("it has no numbers of seats")


def _same_name(module: str, game: AnyGame, name: str) -> None:
    if game.info.name != name:
        raise ValueError(f"the game in {_path(module)} calls itself {game.info.name!r}, not {name!r}")


def _path(module: str) -> str:
    return module.replace(".", "/")


def _origin(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else "an unknown package"
