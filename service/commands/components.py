"""``overland components``: component sets as files that players write themselves.

``check`` reports everything that is wrong with a file. Exit code 0: a match can be played with it.
1: it cannot. 2: the file is not JSON, or its game is unclear. ``show`` prints a set to start from.
"""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from engine import registry
from engine.choices import component_set, json_of
from engine.documents import escape, to_document
from engine.draws import digest
from engine.errors import DocumentError, UnknownGame
from engine.game import AnyGame
from service.commands.databases import end, tell

MOST_BYTES = 128 * 1024
"""The most bytes of a file, well below the API's limit."""


@click.group()
def components() -> None:
    """Check a component set, or print one that comes with a game."""


@components.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--game", "name", default=None, help="The game it is for; guessed from the file by default.")
def check(file: Path, name: str | None) -> None:
    """Check the component set in FILE, and report everything that is wrong with it."""
    document = read(file)
    game = _game(name) if name else _recognised(file, document)
    try:
        found = to_document(component_set(game, document))
    except DocumentError as error:
        count = len(error.problems)
        tell(
            f"{file} is not a component set of {game.info.title}. {count} {'thing is' if count == 1 else 'things are'}"
            " wrong:",
            err=True,
        )
        for pointer, sentence in error.problems:
            tell(f"  {pointer or 'the document'}: {sentence}", err=True)
        raise SystemExit(1) from error
    tell(*_report(file, game, found))


@components.command()
@click.argument("game")
@click.argument("name", default=registry.STANDARD)
def show(game: str, name: str) -> None:
    """Print component set NAME of GAME, the standard one by default."""
    found = _game(game)
    try:
        click.echo(registry.component_text(found.info.name, name), nl=False)
    except UnknownGame as error:
        raise click.BadParameter(str(error), param_hint="NAME") from error


def read(file: Path) -> Any:
    """The JSON document in a file; ends the command where the file is not JSON."""
    content = file.read_bytes()
    if len(content) > MOST_BYTES:
        end(f"{file} has {len(content)} bytes; the maximum is {MOST_BYTES}.")
    try:
        return json_of(content)
    except json.JSONDecodeError as error:
        end(f"{file} is not JSON: {error.msg} at line {error.lineno}, column {error.colno}.")
    except UnicodeDecodeError as error:
        end(f"{file} is not text in UTF-8: byte {error.start} cannot be read.")
    except RecursionError:
        end(f"{file} is nested too deeply.")
    except ValueError as error:
        end(f"{file} is not JSON: {error}.")


def _report(file: Path, game: AnyGame, document: Mapping[str, Any]) -> list[str]:
    standard = to_document(registry.components(game.info.name))
    changed = [
        f"/{escape(name)}"
        for name in document
        if _value(document[name]) != _value(standard.get(name)) and name != "name"
    ]
    vouched = Counter(_provenances(document))
    return [
        f"{file} is a component set of {game.info.title}.",
        f"  provenance  {', '.join(f'{count} {kind}' for kind, count in vouched.items()) or 'none stated'}",
        f"differs in  {', '.join(changed) or 'nothing: it is the standard set'}",
        f"  digest      {digest(document)}",
        "A match is played with it when the document is sent as `components` of POST /v1/matches (docs/components.md).",
    ]


def _value(part: Any) -> Any:
    """The value of a part, without its provenance."""
    return part.get("value", part) if isinstance(part, Mapping) else part


def _provenances(document: Any) -> Iterator[str]:
    if isinstance(document, Mapping):
        if isinstance(document.get("provenance"), str):
            yield document["provenance"]
        for part in document.values():
            yield from _provenances(part)


def _game(name: str) -> AnyGame:
    try:
        return registry.game(name)
    except UnknownGame as error:
        raise click.BadParameter(str(error), param_hint="GAME") from error


def _recognised(file: Path, document: Any) -> AnyGame:
    """The game whose component sets have the most parts in common with the document."""
    keys = set(document) if isinstance(document, Mapping) else set()
    shared = {
        name: len(keys & {field.name for field in dataclasses.fields(game.components)})
        for name, game in registry.games().items()
    }
    best = [name for name, count in shared.items() if count == max(shared.values()) and count > 1]
    if len(best) != 1:
        end(f"{file} does not say which game it is for: name it with --game {' or --game '.join(registry.games())}.")
    return registry.game(best[0])
