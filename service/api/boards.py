"""The board as a picture and as text, drawn from what the caller may know."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.api.auth import Caller
from service.api.current import context
from service.api.etags import tagged, unchanged
from service.api.operations import Answer, Blueprint, operation
from service.api.schemas.views import BoardQuerySchema
from service.api.versions import version_of
from service.matches import lobby
from service.notices.picture import png
from service.views.board import board_svg, board_text

blueprint = Blueprint("boards", __name__, url_prefix="/v1", description="The board as SVG, PNG and text.")

SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox"
UNCHANGED = Answer(None, 304, "Nothing has changed.", headers=("ETag",))


def board(media_type: str, schema: dict[str, Any], description: str) -> Answer:
    """A documented answer with a board in it."""
    return Answer(schema, description=description, content_type=media_type, headers=("ETag",))


SVG = board("image/svg+xml", {"type": "string"}, "A picture that stands alone, with title and description.")
PNG = board("image/png", {"type": "string", "format": "binary"}, "The same picture in pixels.")
TEXT = board("text/plain", {"type": "string"}, "At most 78 columns, readable in a mail.")


@operation(
    blueprint,
    "GET",
    "/matches/<id:match>/board.svg",
    SVG,
    UNCHANGED,
    access="either",
    scope="read",
    headers=("IfNoneMatch",),
    problems=(409,),
)
def get_board_svg(caller: Caller | None, match: str) -> Any:
    """See the board as SVG."""
    etag = version_of(lobby.find(context(), caller, match), caller, "svg")
    return unchanged(etag) or _drawn(board_svg(context(), caller, match), "image/svg+xml", etag)


@operation(
    blueprint,
    "GET",
    "/matches/<id:match>/board.png",
    PNG,
    UNCHANGED,
    access="either",
    scope="read",
    query=BoardQuerySchema,
    headers=("IfNoneMatch",),
    problems=(409,),
)
def get_board_png(caller: Caller | None, query: dict[str, Any], match: str) -> Any:
    """See the board as PNG."""
    etag = version_of(lobby.find(context(), caller, match), caller, "png", query["width"])
    return unchanged(etag) or _drawn(png(board_svg(context(), caller, match), query["width"]), "image/png", etag)


@operation(
    blueprint,
    "GET",
    "/matches/<id:match>/board.txt",
    TEXT,
    UNCHANGED,
    access="either",
    scope="read",
    headers=("IfNoneMatch",),
    problems=(409,),
)
def get_board_text(caller: Caller | None, match: str) -> Any:
    """See the board as text."""
    etag = version_of(lobby.find(context(), caller, match), caller, "text")
    return unchanged(etag) or _drawn(board_text(context(), caller, match), "text/plain", etag)


def _drawn(content: str | bytes, media_type: str, etag: str) -> Response:
    charset = "" if media_type == "image/png" else "; charset=utf-8"
    response = tagged(Response(content, content_type=media_type + charset), etag)
    if media_type == "image/svg+xml":
        response.headers["Content-Security-Policy"] = SVG_POLICY
    return response
