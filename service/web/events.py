"""What has happened, for the scripts of the pages: server-sent events, to pages of this service
alone, for whoever is signed in, or of a match that anybody may look at.

A stream ends after some minutes; the browser begins the next one by itself, after the event that it
had last (`Last-Event-ID`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Final

from flask import Blueprint, Response, current_app, request

from service.api.auth import still_here, visitor
from service.api.limits import address_of
from service.api.problems import ProblemDetails
from service.api.requests import context
from service.api.shapes import made
from service.views import feed
from service.views.feed import EventShown, Feed, Source
from service.web import forms

STREAM_SECONDS: Final = 240.0
RETRY_MILLISECONDS: Final = 2000
LONGEST_ID: Final = 100


def add_pages(web: Blueprint) -> None:
    """Adds `/events/stream`."""

    def stream() -> Response:
        if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
            raise ProblemDetails("forbidden", "This stream is for pages of this service; others ask GET /v1/events.")
        after = request.headers.get("Last-Event-ID") or request.args.get("after")
        within = ExitStack()
        feeds = feed.stream(context(), _source(), after, STREAM_SECONDS, within)
        answer = Response(_parts(feeds), content_type="text/event-stream")
        answer.call_on_close(within.close)
        answer.headers["X-Accel-Buffering"] = "no"
        return forms.uncached(answer)

    web.add_url_rule("/events/stream", "stream_events", stream)


def _source() -> Source:
    """Whose events this browser may read: of the match that it names, or the player's."""
    player, match_id = visitor(), request.args.get("match", "")[:LONGEST_ID]
    if match_id:
        source = feed.of_match(player, match_id, address_of(request.remote_addr))
    elif player is not None:
        source = feed.of_player(player)
    else:
        raise ProblemDetails("forbidden", "Sign in to follow your matches, or name one: /events/stream?match=…")
    return source if player is None else replace(source, check=still_here())


def _parts(feeds: Iterator[Feed]) -> Iterator[bytes]:
    """The events in the format of the HTML standard (section 9.2.6), each with its cursor as id. A
    comment shows that the stream is alive, and an empty event gives the first cursor.
    """
    dump, shown = current_app.json.dumps, made(EventShown)

    def parts() -> Iterator[bytes]:
        known = ""
        yield f"retry: {RETRY_MILLISECONDS}\n\n".encode()
        for each in feeds:
            text = "".join(f"id: {item.cursor}\ndata: {dump(shown.dump(item))}\n\n" for item in each.items)
            if not text:
                text = ": nothing yet\n\n" if known else f"id: {each.cursor}\n\n"
            known = each.cursor
            yield text.encode()

    return parts()
