"""The options of a game, written as NAME=VALUE, and component sets of one's own."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NoReturn

from engine import registry
from engine.documents import from_document, schema, to_document
from engine.errors import DocumentError, UnknownGame
from engine.game import AnyGame

_UNWRITABLE: Final = re.compile(r"[\ud800-\udfff]|(?<!\\)(?:\\\\)*\\u0000")  # in JSON, where NUL is escaped
_KINDS = {"boolean": "true or false", "integer": "a whole number", "number": "a number", "string": "a text"}


def options_of(game: AnyGame, texts: Iterable[str]) -> Any:
    """The options of texts such as "upright=true", others by default. Raises ``DocumentError``."""
    chosen: dict[str, Any] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not name or not equals:
            raise DocumentError((("", f'"{text}" is not an option with its value, such as NAME=VALUE.'),))
        if name in chosen:
            raise DocumentError(((f"/{name}", "This option is given twice."),))
        chosen[name] = _value(value)
    return from_document(game.options, chosen)


def option_lines(game: AnyGame) -> list[str]:
    """A line for each option of the game: its name, its values, its default, what it means."""
    definitions: dict[str, Any] = {}
    schema(game.options, definitions, written=True)
    defaults = to_document(from_document(game.options, {}))
    return [
        f"{name}={_values(about)} (default {json.dumps(defaults[name])}){_meaning(about)}"
        for name, about in definitions[game.options.__name__]["properties"].items()
    ]


def components_of(game: AnyGame, text: str) -> tuple[Any, dict[str, Any]]:
    """The component set of a JSON text, and its document. Raises ``DocumentError``."""
    try:
        document = json_of(text)
    except (ValueError, RecursionError) as error:
        raise DocumentError((("", f"This is not JSON: {error}."),)) from error
    found = component_set(game, document)
    return found, to_document(found)


def json_of(content: str | bytes) -> Any:
    """The JSON document in a text or in UTF-8; raises what ``json.loads`` raises, also for a name
    that occurs twice in an object, and for numbers and texts that nothing can hold.
    """
    document = json.loads(content, object_pairs_hook=_once, parse_constant=_no_number)
    if _UNWRITABLE.search(json.dumps(document, ensure_ascii=False)):
        raise ValueError("a text has NUL, or half of a surrogate pair")
    return document


def component_set(game: AnyGame, document: Any) -> Any:
    """The component set of a document. Raises ``DocumentError``."""
    if not isinstance(document, Mapping):
        raise DocumentError((("", "A component set is an object: { … }."),))
    return game.load_components(document)


def named_components(game: AnyGame, name: str) -> tuple[Any, dict[str, Any]] | None:
    """The component set of that name that comes with the game, and its document; or ``None``."""
    try:
        text = registry.component_text(game.info.name, name)
    except UnknownGame:
        return None
    document = json.loads(text)
    return game.load_components(document), document


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _values(about: Mapping[str, Any]) -> str:
    choices = about.get("enum")
    return "|".join(map(str, choices)) if choices else _KINDS.get(about.get("type", ""), "a value")


def _meaning(about: Mapping[str, Any]) -> str:
    return f": {about['description']}" if about.get("description") else ""


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    twice = [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]
    if twice:
        raise ValueError(f'"{twice[0]}" occurs twice in the same object')
    return dict(pairs)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")
