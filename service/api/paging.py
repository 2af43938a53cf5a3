"""Pages of a list: `after` is the place behind which a page begins, `limit` its length; `Link:
rel="next"` leads on (RFC 8288).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from urllib.parse import urlencode

from flask import request

from service.api.operations import Reply

T = TypeVar("T")
MOST = 200
USUAL = 50


def page(items: Sequence[T], limit: int, cursor: Callable[[T], str]) -> Reply:
    """The first ``limit`` of the items as a page; that there are more of them says that another
    page follows.
    """
    shown = items[:limit]
    following = None
    if len(items) > limit:
        kept: list[tuple[str, Any]] = [
            (name, value) for name, value in request.args.items(multi=True) if name != "after"
        ]
        following = f"{request.path}?{urlencode([*kept, ('after', cursor(shown[-1]))])}"
    headers = {"Link": f'<{following}>; rel="next"'} if following else {}
    return Reply({"items": shown, "next": following}, headers=headers)
