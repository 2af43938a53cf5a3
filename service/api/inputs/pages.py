"""The query parameters that all paged lists share."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import Schema, fields

from service.api.fields import whole
from service.api.paging import MOST, USUAL
from service.api.paths import ID_PATTERN


def after_field(what: str) -> fields.String:
    """The id of the item after which a page begins."""
    return fields.String(
        load_default=lambda: None,
        validate=ma.validate.Regexp(f"^{ID_PATTERN}\\Z", error=f"{{input!r}} is not the id of a {what}."),
        metadata={
            "pattern": f"^{ID_PATTERN}$",
            "description": f"The page begins after the {what} with this id: the last one of the previous page.",
        },
    )


class PageQuerySchema(Schema):
    """How many items a page has."""

    limit = whole(
        1,
        MOST,
        from_text=True,
        load_default=USUAL,
        metadata={"description": f"The number of items on a page, at most {MOST}."},
    )
