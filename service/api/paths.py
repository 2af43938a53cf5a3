"""The parts of a path: the form of ids, and the OpenAPI description of each part."""

from __future__ import annotations

from typing import Any

from werkzeug.routing import BaseConverter, Map

ID_PATTERN = "[A-Za-z0-9_-]{1,64}"


class IdConverter(BaseConverter):
    """An id in a path; anything else is answered with 404."""

    regex = ID_PATTERN
    part_isolating = True


def id_schema(converter: IdConverter) -> dict[str, Any]:
    """The JSON Schema of an id."""
    return {"type": "string", "pattern": f"^{ID_PATTERN}$"}


PARTS: dict[str, dict[str, Any]] = {
    "game": {"description": "The name of a game, as in the catalogue.", "examples": {"oregon": {"value": "oregon"}}},
    "match": {"description": "The id of a match."},
    "turn": {"description": "The id of a turn of this match."},
    "player": {"description": "The id of a player."},
    "mail": {"description": "The id of a mail."},
    "token": {"description": "The id of a token; not the token itself."},
}


def parameters_of(rule: str) -> list[dict[str, Any]]:
    """The OpenAPI parameters of a route such as `/matches/<id:match>`."""
    return [{"in": "path", "name": name, "required": True, **PARTS[name]} for name in PARTS if f":{name}>" in rule]


def register_converters(url_map: Map) -> None:
    """Registers the converter `id` with an application."""
    url_map.converters["id"] = IdConverter
