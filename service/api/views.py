"""What a match shows: observation, log, record, and the board as picture and as text."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Annotated, Any

from flask import Response
from marshmallow import Schema, fields

from engine.documents import About
from engine.record import write_record
from engine.types import Layout
from service.api.auth import Caller
from service.api.conditional import conditional
from service.api.fields import one_of, whole
from service.api.operations import Answer, operation, resource, written
from service.api.paging import NextPage, PageQuerySchema, page
from service.api.requests import context
from service.api.shapes import Inlined
from service.views import match as views
from service.views.board import board_svg, board_text
from service.views.log import match_log
from service.views.record import match_record
from service.views.types import LogEntry, LookedAt

observation = resource("observation", "What you, or a spectator, may know of a match.")
log = resource("log", "What happened, as the caller may know it.")
boards = resource("boards", "The board as SVG, PNG and text.")

SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox"
TEXT: dict[str, Any] = {"type": "string"}
BYTES = {"type": "string", "format": "binary"}

showing = functools.partial(operation, scope="read", spectators=True, problems="match_not_started")
"""An operation that shows a match, also to spectators."""


@dataclass(frozen=True, slots=True)
class MatchObservationAnswer:
    """What the caller may know of a match."""

    looked: Annotated[LookedAt, Inlined()]


@dataclass(frozen=True, slots=True)
class LogPage:
    """A page of the log."""

    items: Annotated[tuple[LogEntry, ...], About("The entries, oldest first.")]
    next: NextPage


def ply_field() -> fields.Integer:
    """Of when something is shown."""
    return whole(
        0,
        from_text=True,
        load_default=lambda: None,
        metadata={"description": "The ply that the match was at; the present one if you leave it out."},
    )


class ObservationQuerySchema(Schema):
    """Of when the observation is."""

    ply = ply_field()


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
    ply = ply_field()


class BitmapQuerySchema(BoardQuerySchema):
    """What a bitmap of the board is drawn for, and its size."""

    width = whole(
        200, 2000, from_text=True, load_default=900, metadata={"description": "The width of the picture in pixels."}
    )


@showing(
    observation,
    "GET /matches/<id:match>/observation",
    Answer(MatchObservationAnswer, "What the caller may know."),
    query=ObservationQuerySchema,
    problems="match_not_started ply_ahead",
)
def get_observation(caller: Caller | None, query: dict[str, Any], match: str) -> Any:
    """Look at a match.

    With the token of a player of the match it is the seat's observation, hidden cards included;
    otherwise a spectator's. Ask again with `If-None-Match`: the answer is `304` while nothing
    has changed.
    """
    ply = query["ply"]

    def look() -> Response:
        return written(MatchObservationAnswer(views.observation(context(), caller, match, ply)))

    return conditional(caller, match, look, "observation", ply)


@showing(
    log,
    "GET /matches/<id:match>/log",
    Answer(LogPage, "A page of the log.", headers=("Link",)),
    query=LogQuerySchema,
    problems="match_not_started ply_ahead",
)
def get_log(caller: Caller | None, query: dict[str, Any], match: str) -> Any:
    """Read what happened, entry by entry, as the caller may know it.

    Chance is the seat -1. While the match runs, what is concealed from you is `null`.
    """

    def told() -> Response:
        found = match_log(context(), caller, match, after_ply=query["after"], limit=query["limit"] + 1)
        return written(page(LogPage, found, query["limit"], lambda entry: str(entry["ply"])))

    return conditional(caller, match, told, "log", query["after"], query["limit"])


@showing(
    log, "GET /matches/<id:match>/record", Answer({"$ref": "#/components/schemas/Record"}, "The match as one file.")
)
def get_record(caller: Caller | None, match: str) -> Any:
    """Download a match as one file.

    While the match runs, what the caller may not know is `null`. Once it is over the record holds
    everything, the secret of its luck included: `overland verify FILE` checks it offline.
    """
    return conditional(caller, match, lambda: written(write_record(match_record(context(), caller, match))), "record")


@showing(
    boards,
    "GET /matches/<id:match>/board.svg",
    Answer(TEXT, "A picture that stands alone, with title and description.", content_type="image/svg+xml"),
    query=BoardQuerySchema,
    problems="match_not_started ply_ahead",
)
def get_board_svg(caller: Caller | None, query: dict[str, Any], match: str) -> Any:
    """See the board as SVG.

    It stands alone: fonts and colours are in it. While you are awaited, the layouts for screens
    mark what you may choose now: an element with `data-pick` stands for fields of actions, such as
    `space=C7`, with alternatives separated by `|`, pairs separated by a space and values
    percent-encoded as by `encodeURIComponent`; its `title` is its name.
    """

    def draw() -> Response:
        svg = board_svg(context(), caller, match, Layout(query["layout"]), ply=query["ply"])
        drawn = Response(svg, content_type="image/svg+xml; charset=utf-8")
        drawn.headers["Content-Security-Policy"] = SVG_POLICY
        return drawn

    return conditional(caller, match, draw, "svg", query["layout"], query["ply"])


@showing(
    boards,
    "GET /matches/<id:match>/board.png",
    Answer(BYTES, "The same picture in pixels.", content_type="image/png"),
    query=BitmapQuerySchema,
    problems="match_not_started ply_ahead pictures_busy picture_failed",
)
def get_board_png(caller: Caller | None, query: dict[str, Any], match: str) -> Any:
    """See the board as PNG.

    Few of them are drawn at once: when too many are wanted, the answer is `503` (`pictures_busy`).
    The SVG shows the same and is always there. A name that the fonts of the service cannot draw is
    replaced by that of its seat and a `*`.
    """

    def draw() -> Response:
        svg = board_svg(context(), caller, match, Layout(query["layout"]), ply=query["ply"], pixels=True)
        return Response(context().pictures.png(svg, query["width"]), content_type="image/png")

    return conditional(caller, match, draw, "png", query["layout"], query["width"], query["ply"])


@showing(
    boards,
    "GET /matches/<id:match>/board.txt",
    Answer(TEXT, "At most 78 columns, readable in a mail.", content_type="text/plain"),
)
def get_board_text(caller: Caller | None, match: str) -> Any:
    """See the board as text.

    As mails show it, without colours.
    """

    def draw() -> Response:
        return Response(board_text(context(), caller, match), content_type="text/plain; charset=utf-8")

    return conditional(caller, match, draw, "text")
