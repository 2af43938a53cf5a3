"""What has happened, in order, without polling: a request that waits is answered when there is
something.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from flask import request
from marshmallow import fields

from service.api.auth import Caller, still_here
from service.api.fields import Query, in_query, whole
from service.api.limits import address_of
from service.api.operations import Answer, Resource
from service.api.requests import context
from service.views import feed
from service.views.feed import LONGEST_CURSOR, LONGEST_WAIT, MOST, Feed, Source

blueprint = Resource("events", "What has happened, without polling.")

QUERY: Final[Query] = {
    "after": fields.String(
        load_default=lambda: None,
        metadata={
            "maxLength": LONGEST_CURSOR,
            "description": "The cursor of an event, or of an answer. Without it the answer has no events, and the"
            " cursor of this moment: take it first, then read what you need, then ask on.",
        },
    ),
    "wait": whole(0, LONGEST_WAIT, **in_query(0, "The seconds to wait for an event where there is none.")),
    "limit": whole(1, MOST, **in_query(MOST, "The most events of an answer.")),
}
EVENTS = Answer(Feed, "What has happened since, in order; nothing where nothing has within `wait` seconds.")


@blueprint.operation(
    "GET /events", EVENTS, scope="read", query=QUERY, problems="cursor_expired unknown_cursor too_many_waiting"
)
def list_events(caller: Caller, query: dict[str, Any]) -> Any:
    """Read or await what happens in your matches, and what concerns you alone.

    Ask again with the `cursor` of the answer: nothing is missed, and nothing comes twice. An event
    says what to look at, not what is there.
    """
    return _answer(feed.of_player(caller), query)


@blueprint.operation(
    "GET /matches/<id:match>/events",
    EVENTS,
    spectators=True,
    query=QUERY,
    problems="cursor_expired unknown_cursor too_many_waiting",
)
def list_events_of_match(caller: Caller | None, query: dict[str, Any], match: str) -> Any:
    """Read or await what happens in a match, as far as the caller may know it.

    Ask again with the `cursor` of the answer: nothing is missed, and nothing comes twice. An event
    says what to look at, not what is there.
    """
    return _answer(feed.of_match(caller, match, address_of(request.remote_addr)), query)


def _answer(source: Source, query: dict[str, Any]) -> Feed:
    if source.viewer is not None and query["wait"]:
        source = replace(source, check=still_here())
    return feed.feed(context(), source, query["after"], query["wait"], query["limit"])
