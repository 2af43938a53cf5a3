"""Queries for the log and the board of a match."""

from __future__ import annotations

from marshmallow import Schema

from engine.types import Layout
from service.api.fields import one_of, whole
from service.api.inputs.pages import PageQuerySchema


class LogQuerySchema(PageQuerySchema):
    """Which entries of the log are listed."""

    after = whole(
        0, from_text=True, load_default=lambda: None, metadata={"description": "List only the entries after this ply."}
    )


class BoardQuerySchema(Schema):
    """What a picture of the board is drawn for."""

    layout = one_of(
        tuple(Layout),
        load_default=Layout.DESKTOP.value,
        metadata={
            "description": "`desktop`: for wide screens. `phone`: 360 units wide, the board on top. "
            "`print`: a sheet of A4, in ink on white."
        },
    )


class BitmapQuerySchema(BoardQuerySchema):
    """What a bitmap of the board is drawn for, and its size."""

    width = whole(
        200, 2000, from_text=True, load_default=900, metadata={"description": "The width of the picture in pixels."}
    )
