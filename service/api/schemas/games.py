"""Games of the catalogue."""

from __future__ import annotations

from marshmallow import Schema, fields

from service.api.derived import any_object
from service.api.fields import Derived


class GameLinksSchema(Schema):
    """Where the rest of a game is."""

    self = fields.String(required=True)
    rules = fields.String(required=True, metadata={"description": "The rules, numbered, in Markdown."})
    components = fields.String(
        required=True, metadata={"description": "What lies on the table, each value with its provenance."}
    )
    turn_schema = fields.String(
        required=True, metadata={"description": "The turn document as a JSON Schema that stands alone."}
    )


class GameSummarySchema(Schema):
    """A game in the catalogue."""

    name = fields.String(required=True, metadata={"examples": ["oregon"]})
    title = fields.String(required=True)
    summary = fields.String(required=True)
    credits = fields.String(required=True, metadata={"description": "Designers and publisher, whose work this is."})
    seats = fields.List(
        fields.Integer(),
        required=True,
        metadata={"description": "The numbers of seats a match may have.", "examples": [[2, 3, 4]]},
    )
    rules_version = fields.Integer(
        required=True, metadata={"description": "Raised when a rule changes; a running match keeps its own."}
    )
    links = fields.Nested(GameLinksSchema, required=True)


class GameSchema(GameSummarySchema):
    """A game with everything needed to start a match of it."""

    seat_colours = fields.List(fields.String(), required=True)
    notation = fields.String(
        required=True, metadata={"description": "How to write actions as text; help that people can type from."}
    )
    options = Derived(
        any_object, required=True, metadata={"description": "The options of a match as a JSON Schema with defaults."}
    )
    component_sets = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "The component sets to choose from; the first is the default."},
    )


class GamesSchema(Schema):
    """The catalogue."""

    items = fields.List(fields.Nested(GameSummarySchema), required=True)


class ComponentsSchema(Schema):
    """A component set as data."""

    game = fields.String(required=True)
    name = fields.String(required=True)
    components = Derived(
        any_object,
        required=True,
        metadata={
            "description": (
                "The set. Every value says whether a rulebook states it, reviewers report it, or it was reconstructed"
                " for this service."
            )
        },
    )


class ComponentsQuerySchema(Schema):
    """Which set."""

    set = fields.String(load_default="standard", metadata={"description": "The name of a component set."})
