"""Queries for the log and the board of a match."""

from __future__ import annotations

from marshmallow import Schema

from service.api.fields import whole
from service.api.inputs.pages import PageQuerySchema


class LogQuerySchema(PageQuerySchema):
    """Which entries of the log are listed."""

    after = whole(
        0, from_text=True, load_default=lambda: None, metadata={"description": "List only the entries after this ply."}
    )


class BoardQuerySchema(Schema):
    """The size of a picture of the board."""

    width = whole(
        200, 2000, from_text=True, load_default=900, metadata={"description": "The width of the picture in pixels."}
    )
