"""Pages of a list: `after` is the cursor after which a page begins, `limit` its length; `Link:
rel="next"` gives the next page (RFC 8288).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeAlias, TypeVar
from urllib.parse import urlencode

from flask import request
from marshmallow import Schema, fields

from engine.documents import About
from service.api.fields import id_of, whole
from service.api.operations import Reply
from service.api.shapes import Format

T = TypeVar("T")
MOST = 200
USUAL = 50


def page(
    build: Callable[[tuple[Any, ...], NextPage], Any],
    items: Sequence[T],
    limit: int,
    cursor: Callable[[T], str],
    answer: Callable[[T], Any] = lambda item: item,
) -> Reply:
    """Builds a page of the first ``limit`` items, each converted by ``answer``.

    More items than ``limit`` mean that another page follows, after the ``cursor`` of the last item
    shown.
    """
    shown = items[:limit]
    following = None
    if len(items) > limit:
        kept: list[tuple[str, Any]] = [
            (name, value) for name, value in request.args.items(multi=True) if name != "after"
        ]
        following = f"{request.path}?{urlencode([*kept, ('after', cursor(shown[-1]))])}"
    headers = {"Link": f'<{following}>; rel="next"'} if following else {}
    return Reply(build(tuple(answer(item) for item in shown), following), headers=headers)


NextPage: TypeAlias = Annotated[
    str | None, Format("uri-reference"), About("The address of the next page; `null` on the last.")
]


def after_field(what: str) -> fields.String:
    """The id of the item after which a page begins."""
    about = f"The page begins after the {what} with this id: the last one of the previous page."
    return id_of(what, load_default=lambda: None, metadata={"description": about})


class PageQuerySchema(Schema):
    """How many items a page has."""

    limit = whole(
        1,
        MOST,
        from_text=True,
        load_default=USUAL,
        metadata={"description": f"The number of items on a page, at most {MOST}."},
    )
