"""What a match shows: observation, log, record, and the board as picture and as text."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Annotated, Any, Final

from flask import Response

from engine.record import write_record
from engine.types import Layout
from service.api.auth import Caller
from service.api.conditional import conditional
from service.api.fields import Query, in_query, one_of, otherwise, ply_field, whole
from service.api.operations import Answer, Resource, View, written
from service.api.paging import page, page_of, page_query
from service.api.requests import context
from service.api.shapes import Inlined
from service.views import match as views
from service.views.match import LookedAt, board_svg, board_text
from service.views.record import LogEntry, match_log, match_record

observation = Resource("observation", "What you, or a spectator, may know of a match.")
log = Resource("log", "What happened, as the caller may know it.")
boards = Resource("boards", "The board as SVG, PNG and text.")
LogPage = page_of(LogEntry, "LogPage", "A page of the log.", "The entries, oldest first.")

SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox"
TEXT: dict[str, Any] = {"type": "string"}
BYTES = {"type": "string", "format": "binary"}
BOARD: Final[Query] = {
    "layout": one_of(
        tuple(Layout),
        **otherwise(
            Layout.DESKTOP.value,
            "`desktop`: for wide screens. `phone`: 360 units wide, the board on top. `print`: a sheet of A4, in ink on"
            " white.",
        ),
    ),
    "ply": ply_field(),
}
"""The query of a picture of the board."""


def kept(view: View) -> View:
    """Has what a view shows of a match kept, by its name and query, until the match changes."""

    @functools.wraps(view)
    def show(caller: Caller | None, *query: dict[str, Any], match: str) -> Response:
        return conditional(caller, match, lambda: written(view(caller, *query, match)), view.__name__, *query)

    return show


@dataclass(frozen=True, slots=True)
class MatchObservationAnswer:
    """What the caller may know of a match."""

    looked: Annotated[LookedAt, Inlined()]


@observation.operation(
    "GET /matches/<id:match>/observation",
    Answer(MatchObservationAnswer, "What the caller may know."),
    query={"ply": ply_field()},
    problems="match_not_started ply_ahead",
    spectators=True,
)
@kept
def get_observation(caller: Caller | None, query: dict[str, Any], match: str) -> Any:
    """Look at a match.

    With the token of a player of the match it is the seat's observation, hidden cards included;
    otherwise a spectator's. Ask again with `If-None-Match`: the answer is `304` while nothing
    has changed.
    """
    return MatchObservationAnswer(views.observation(context(), caller, match, query["ply"]))


@log.operation(
    "GET /matches/<id:match>/log",
    Answer(LogPage, "A page of the log.", headers=("Link",)),
    query=page_query(whole(0, **in_query(None, "List only the entries after this ply."))),
    problems="match_not_started ply_ahead",
    spectators=True,
)
@kept
def get_log(caller: Caller | None, query: dict[str, Any], match: str) -> Any:
    """Read what happened, entry by entry, as the caller may know it.

    Chance is the seat -1. While the match runs, what is concealed from you is `null`.
    """
    found = match_log(context(), caller, match, after_ply=query["after"], limit=query["limit"] + 1)
    return page(LogPage, found, query["limit"], lambda entry: str(entry["ply"]))


@log.operation(
    "GET /matches/<id:match>/record",
    Answer({"$ref": "#/components/schemas/Record"}, "The match as one file."),
    problems="match_not_started",
    spectators=True,
)
@kept
def get_record(caller: Caller | None, match: str) -> Any:
    """Download a match as one file.

    While the match runs, what the caller may not know is `null`. Once it is over the record holds
    everything, the secret of its luck included: `overland verify FILE` checks it offline.
    """
    return write_record(match_record(context(), caller, match))


@boards.operation(
    "GET /matches/<id:match>/board.svg",
    Answer(TEXT, "A picture that stands alone, with title and description.", content_type="image/svg+xml"),
    query=BOARD,
    problems="match_not_started ply_ahead",
    spectators=True,
)
@kept
def get_board_svg(caller: Caller | None, query: dict[str, Any], match: str) -> Any:
    """See the board as SVG.

    It stands alone: fonts and colours are in it. While you are awaited, the layouts for screens
    mark what you may choose now: an element with `data-pick` stands for fields of actions, such as
    `space=C7`, with alternatives separated by `|`, pairs separated by a space and values
    percent-encoded as by `encodeURIComponent`; its `title` is its name.
    """
    svg = board_svg(context(), caller, match, Layout(query["layout"]), ply=query["ply"])
    policy = {"Content-Security-Policy": SVG_POLICY}
    return Response(svg, headers=policy, content_type="image/svg+xml; charset=utf-8")


@boards.operation(
    "GET /matches/<id:match>/board.png",
    Answer(BYTES, "The same picture in pixels.", content_type="image/png"),
    query={**BOARD, "width": whole(200, 2000, **in_query(900, "The width of the picture in pixels."))},
    problems="match_not_started ply_ahead pictures_busy picture_failed",
    spectators=True,
)
@kept
def get_board_png(caller: Caller | None, query: dict[str, Any], match: str) -> Any:
    """See the board as PNG.

    Few of them are drawn at once: when too many are wanted, the answer is `503` (`pictures_busy`).
    The SVG shows the same and is always there. A name that the fonts of the service cannot draw is
    replaced by that of its seat and a `*`.
    """
    svg = board_svg(context(), caller, match, Layout(query["layout"]), ply=query["ply"], pixels=True)
    return Response(context().pictures.png(svg, query["width"]), content_type="image/png")


@boards.operation(
    "GET /matches/<id:match>/board.txt",
    Answer(TEXT, "At most 78 columns, readable in a mail.", content_type="text/plain"),
    problems="match_not_started",
    spectators=True,
)
@kept
def get_board_text(caller: Caller | None, match: str) -> Any:
    """See the board as text.

    As mails show it, without colours.
    """
    return Response(board_text(context(), caller, match), content_type="text/plain; charset=utf-8")
