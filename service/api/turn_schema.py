"""The turn document of one game as a JSON Schema that stands alone, and the conversion of the
fields that it shares with the OpenAPI document.
"""

from __future__ import annotations

from typing import Any

from apispec.ext.marshmallow.openapi import OpenAPIConverter

from engine.game import AnyGame
from service.api.derived import ALONE, Definitions, JsonSchema
from service.api.fields import Derived
from service.api.inputs.turns import FORMS, NewTurnSchema

OPENAPI_VERSION = "3.1.0"


def turn_schema(game: AnyGame) -> JsonSchema:
    """What `NewTurnSchema` accepts in a match of the game, as a JSON Schema (2020-12)."""
    definitions = Definitions((game,), ALONE)
    converter = OpenAPIConverter(OPENAPI_VERSION, None, None)  # type: ignore[arg-type]  # it has no nested schemas
    convert_derived(converter, definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"/v1/games/{game.info.name}/turn-schema",
        "title": f"A turn of {game.info.title}",
        **converter.schema2jsonschema(NewTurnSchema),  # type: ignore[no-untyped-call]
        "oneOf": [{"required": [form], "properties": {form: {"not": {"type": "null"}}}} for form in FORMS],
        "$defs": definitions.found,
    }


def convert_derived(converter: OpenAPIConverter, definitions: Definitions) -> None:
    """Makes the converter convert ``Derived`` fields, and add what they refer to to the
    definitions.
    """

    def derived_to_properties(self: OpenAPIConverter, field: Any, **kwargs: Any) -> JsonSchema:
        if not isinstance(field, Derived):
            return {}
        found = field.describe(definitions)
        return {"anyOf": [found, {"type": "null"}]} if field.allow_none else found

    converter.map_to_openapi_type(Derived, None, None)  # type: ignore[no-untyped-call]
    converter.add_attribute_function(derived_to_properties)  # type: ignore[no-untyped-call]
