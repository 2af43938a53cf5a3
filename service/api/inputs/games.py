"""Queries of the catalogue."""

from __future__ import annotations

from marshmallow import Schema, fields


class ComponentsQuerySchema(Schema):
    """Which component set is shown."""

    set = fields.String(load_default="standard", metadata={"description": "The name of a component set."})
