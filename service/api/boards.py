"""The board as a picture and as text, as far as the caller may see it."""

from __future__ import annotations

from typing import Any

from flask import Response

from engine.types import Layout
from service.api.auth import Caller
from service.api.current import context
from service.api.etags import UNCHANGED, conditional, conditional_operation
from service.api.inputs.views import BitmapQuerySchema, BoardQuerySchema
from service.api.operations import Answer, Blueprint
from service.views.board import board_svg, board_text

blueprint = Blueprint("boards", __name__, url_prefix="/v1", description="The board as SVG, PNG and text.")

SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox"
TEXT: dict[str, Any] = {"type": "string"}
BYTES = {"type": "string", "format": "binary"}
AS_SVG = Answer(
    TEXT, 200, "A picture that stands alone, with title and description.", "image/svg+xml", headers=("ETag",)
)
AS_PNG = Answer(BYTES, 200, "The same picture in pixels.", "image/png", headers=("ETag",))
AS_TEXT = Answer(TEXT, 200, "At most 78 columns, readable in a mail.", "text/plain", headers=("ETag",))


@conditional_operation(blueprint, "GET", "/matches/<id:match>/board.svg", AS_SVG, UNCHANGED, query=BoardQuerySchema)
def get_board_svg(caller: Caller | None, query: dict[str, Any], match: str) -> Any:
    """See the board as SVG."""

    def draw() -> Response:
        svg = board_svg(context(), caller, match, Layout(query["layout"]))
        drawn = Response(svg, content_type="image/svg+xml; charset=utf-8")
        drawn.headers["Content-Security-Policy"] = SVG_POLICY
        return drawn

    return conditional(caller, match, draw, "svg", query["layout"])


@conditional_operation(blueprint, "GET", "/matches/<id:match>/board.png", AS_PNG, UNCHANGED, query=BitmapQuerySchema)
def get_board_png(caller: Caller | None, query: dict[str, Any], match: str) -> Any:
    """See the board as PNG.

    Few of them are drawn at once: when too many are wanted, the answer is `503` (`pictures_busy`).
    The SVG shows the same and is always there. A name that the fonts of the service cannot draw is
    replaced by that of its seat and a `*`.
    """

    def draw() -> Response:
        svg = board_svg(context(), caller, match, Layout(query["layout"]), pixels=True)
        return Response(context().pictures.png(svg, query["width"]), content_type="image/png")

    return conditional(caller, match, draw, "png", query["layout"], query["width"])


@conditional_operation(blueprint, "GET", "/matches/<id:match>/board.txt", AS_TEXT, UNCHANGED)
def get_board_text(caller: Caller | None, match: str) -> Any:
    """See the board as text."""

    def draw() -> Response:
        return Response(board_text(context(), caller, match), content_type="text/plain; charset=utf-8")

    return conditional(caller, match, draw, "text")
