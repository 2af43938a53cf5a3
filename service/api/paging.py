"""Answers that list items, and their pages: `after` is the cursor after which a page begins,
`limit` its length; `Link: rel="next"` gives the next page (RFC 8288).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import make_dataclass
from typing import Annotated, Any, Final, TypeVar
from urllib.parse import urlencode

from flask import request
from marshmallow import fields

from engine.documents import About
from service.api.fields import Query, id_of, in_query, otherwise, whole
from service.api.operations import Reply
from service.api.shapes import Format

T = TypeVar("T")
MOST = 200
USUAL = 50
NEXT_PAGE: Final = Annotated[
    str | None, Format("uri-reference"), About("The address of the next page; `null` on the last.")
]


def items_of(kind: type, name: str, about: str, items: str, **more: Any) -> type[Any]:
    """The type of an answer with ``items`` of a kind, and ``more``, by name and type."""
    listed = Annotated[tuple[kind, ...], About(items)]  # type: ignore[valid-type]
    found = make_dataclass(name, [("items", listed), *more.items()], frozen=True, slots=True)
    found.__doc__ = about
    return found


def page_of(kind: type, name: str, about: str, items: str) -> type[Any]:
    """The type of an answer with a page of items of a kind."""
    return items_of(kind, name, about, items, next=NEXT_PAGE)


def page(
    build: Callable[[tuple[Any, ...], str | None], Any],
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
        kept = [(name, value) for name, value in request.args.items(multi=True) if name != "after"]
        following = f"{request.path}?{urlencode([*kept, ('after', cursor(shown[-1]))])}"
    headers = {"Link": f'<{following}>; rel="next"'} if following else {}
    return Reply(build(tuple(answer(item) for item in shown), following), headers=headers)


def after_field(what: str) -> fields.String:
    """The id of the item after which a page begins."""
    about = f"The page begins after the {what} with this id: the last one of the previous page."
    return id_of(what, **otherwise(None, about))


def page_query(after: fields.Field[Any], **more: fields.Field[Any]) -> Query:
    """The query of a list: how many items a page has, and after what it begins."""
    about = f"The number of items on a page, at most {MOST}."
    return {"limit": whole(1, MOST, **in_query(USUAL, about)), **more, "after": after}
