"""Queries for the log and the board of a match."""

from __future__ import annotations

from marshmallow import Schema

from service.api.fields import whole
from service.api.inputs.pages import PageQuerySchema


class LogQuerySchema(PageQuerySchema):
    """Which entries."""

    after = whole(
        0, from_text=True, load_default=lambda: None, metadata={"description": "Only entries after this ply."}
    )


class BoardQuerySchema(Schema):
    """How large."""

    width = whole(
        200, 2000, from_text=True, load_default=900, metadata={"description": "The width of the picture in pixels."}
    )
