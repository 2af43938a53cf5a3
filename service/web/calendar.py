"""`/calendar.ics`: the deadlines of whoever has its secret key, for calendar programs."""

from __future__ import annotations

from flask import Blueprint, Response, request

from service.api.conditional import unless_known
from service.api.requests import context
from service.views.calendar import SECRET_LENGTH, feed

CONTENT_TYPE = "text/calendar; charset=utf-8; method=PUBLISH"


def add_pages(web: Blueprint) -> None:
    """Adds `/calendar.ics`; its key is in the query, which is not logged."""

    def show() -> Response:
        key = request.args.get("key", "")[: 2 * SECRET_LENGTH]
        content = feed(context(), key, context().settings.base_url)
        return unless_known(lambda: Response(content, content_type=CONTENT_TYPE), content)

    web.add_url_rule("/calendar.ics", "calendar", show)
