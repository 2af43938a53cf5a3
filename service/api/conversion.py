"""Converts the marshmallow schemas of inputs and answers into those of the OpenAPI document: one
for each game where a document differs by game, one for each form where it has several.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import marshmallow as ma
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.common import make_schema_key, resolve_schema_instance
from apispec.ext.marshmallow.openapi import OpenAPIConverter

from engine.documents import said, with_default
from service.api.derived import Definitions, JsonSchema, all_games, prefix, told_apart
from service.api.fields import ByGame, Derived, Form, FormsSchema, OneOfEachSeat
from service.ids import FORMS

BOUNDS: Final = frozenset({"const", "enum", "format", "maxLength", "pattern"})


class Converter(OpenAPIConverter):
    """apispec's converter, with ``definitions`` of what the games describe.

    While a schema is converted that differs by game, they are those of one game.
    """

    def __init__(self, openapi_version: Any, schema_name_resolver: Any, spec: APISpec) -> None:
        super().__init__(openapi_version, schema_name_resolver, spec)
        self.everything = self.definitions = all_games(spec.components.schemas)
        self.map_to_openapi_type(Derived, None, None)  # type: ignore[no-untyped-call]
        self.attribute_functions.remove(self.field2default)
        self.attribute_functions += [self._constant, self._seated, self._described, self._defaulted]

    def schema2jsonschema(self, schema: Any) -> JsonSchema:
        """The JSON Schema of a schema: that of its games, or of its forms, where it has any."""
        instance = resolve_schema_instance(schema)
        if not any(isinstance(field, ByGame) for field in instance.fields.values()):
            return self._told_apart_by_form(instance, self._converted(instance, self.everything))
        name = self.refs[make_schema_key(instance)]
        parts = []
        for game in self.everything.games:
            found = self._converted(instance, replace(self.everything, games=(game,)))
            if found["properties"].get("game", {}).get("const") != game.info.name:
                raise TypeError(f"{name} differs by game, and has no game to be told apart by")
            found["required"] = sorted({"game", *found.get("required", ())})
            parts.append((game.info.name, self.everything.define(prefix(game) + name, found)))
        return _about(instance) | told_apart(parts, "game")

    def _converted(self, instance: ma.Schema, definitions: Definitions) -> JsonSchema:
        outer, self.definitions = self.definitions, definitions
        try:
            found: JsonSchema = super().schema2jsonschema(instance)  # type: ignore[no-untyped-call]
        finally:
            self.definitions = outer
        return _about(instance) | found

    def _told_apart_by_form(self, instance: ma.Schema, whole: JsonSchema) -> JsonSchema:
        if not isinstance(instance, FormsSchema):
            return whole
        parts = [
            (form, self.everything.define(form.name, _formed(whole, instance.tag, form))) for form in instance.forms
        ]
        if instance.tag is None:
            return _about(instance) | {"anyOf": [part for _, part in parts]}
        mapping = {value: part["$ref"] for form, part in parts for value in form.values}
        return _about(instance) | {
            "oneOf": [part for _, part in parts],
            "discriminator": {"propertyName": instance.tag, "mapping": mapping},
        }

    def _constant(self, field: ma.fields.Field[Any], **kwargs: Any) -> JsonSchema:
        """The only value of the field, which apispec leaves out of the metadata."""
        return {"const": field.metadata["const"]} if "const" in field.metadata else {}

    def _seated(self, field: ma.fields.Field[Any], **kwargs: Any) -> JsonSchema:
        """How many seats the game has for which the field is described."""
        if not isinstance(field, OneOfEachSeat):
            return {}
        numbers = [number for game in self.definitions.games for number in game.info.seats]
        return {"minItems": min(numbers), "maxItems": max(numbers)}

    def _described(self, field: ma.fields.Field[Any], **kwargs: Any) -> JsonSchema:
        """What a derived field is described as."""
        if not isinstance(field, Derived):
            return {}
        found = field.describe(self.definitions)
        return {"anyOf": [found, {"type": "null"}]} if field.allow_none else found

    def _defaulted(self, field: ma.fields.Field[Any], ret: JsonSchema, **kwargs: Any) -> JsonSchema:
        """What holds where the field is left out, as a sentence."""
        default = field.load_default
        return {} if default in (ma.missing, None) or callable(default) else with_default(ret, default)


def bound(whole: Any) -> None:
    """Adds to every text of a description that has no bounds those that its name has."""
    if isinstance(whole, list):
        for part in whole:
            bound(part)
    elif isinstance(whole, dict):
        for name, field in whole.get("properties", {}).items():
            kinds = field.get("type", ())
            if (
                name in FORMS
                and "string" in ((kinds,) if isinstance(kinds, str) else kinds)
                and not BOUNDS & field.keys()
            ):
                field.update(FORMS[name])
        for part in whole.values():
            bound(part)


class Plugin(MarshmallowPlugin):
    """apispec's plugin, with this converter."""

    Converter = Converter


def _about(instance: ma.Schema) -> JsonSchema:
    """The description of a schema: the docstring of its class, or of the type it comes from."""
    words = said(type(instance))
    return {"description": words} if words else {}


def _only(described: JsonSchema, values: tuple[Any, ...]) -> JsonSchema:
    """The schema of a value that is one of these."""
    rest = {name: found for name, found in described.items() if name != "enum"}
    return rest | ({"const": values[0]} if len(values) == 1 else {"enum": list(values)})


def _formed(whole: JsonSchema, tag: str | None, form: Form) -> JsonSchema:
    """The schema of one form of a document."""
    properties = {name: found for name, found in whole["properties"].items() if name not in form.without}
    if tag is not None:
        properties[tag] = _only(properties[tag], form.values)
    properties |= {name: _only(properties[name], (value,)) for name, value in form.constants.items()}
    required = sorted({*whole.get("required", ()), *form.required})
    return whole | {"description": form.description, "properties": properties, "required": required}
