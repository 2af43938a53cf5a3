"""What every page of a list has in common."""

from __future__ import annotations

from marshmallow import Schema, fields

from service.api.fields import whole
from service.api.paging import MOST, USUAL


def limit_field() -> fields.Integer:
    """How many items a page holds."""
    return whole(
        1,
        MOST,
        from_text=True,
        load_default=USUAL,
        metadata={"description": f"How many items at most; {MOST} is the most."},
    )


def next_field() -> fields.String:
    """Where the next page is."""
    return fields.String(
        required=True, allow_none=True, metadata={"description": "The address of the next page; `null` on the last."}
    )


class PageQuerySchema(Schema):
    """Which page."""

    limit = limit_field()
