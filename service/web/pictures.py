"""Pictures of boards on pages, in other colours on dark screens: where a picture is part of a page,
by a stylesheet of the page; a picture on its own has the same rules in it.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from flask import Blueprint, Response, request

from engine import registry
from engine.svg import DARK
from engine.types import Layout
from service.api.views import SVG_POLICY

SECONDS_KEPT: Final = 3600


def add_pages(web: Blueprint) -> None:
    """Adds `/boards.css`."""

    def stylesheet() -> Response:
        answer = Response(dark_rules(), content_type="text/css; charset=utf-8")
        answer.headers["Cache-Control"] = f"max-age={SECONDS_KEPT}"
        return answer

    web.add_url_rule("/boards.css", "boards", stylesheet)


@cache
def dark_rules() -> str:
    """The rules of CSS that ink all boards for a dark screen, by their attributes of colours."""
    own = {light: dark for game in registry.games() for light, dark in registry.game(game).dark.items()}
    inks = {**own, **DARK}
    return "".join(f'[fill="{old}"]{{fill:{new}}}[stroke="{old}"]{{stroke:{new}}}' for old, new in inks.items())


def layout_asked() -> Layout:
    """The layout of the picture that this request asks for."""
    return Layout.PHONE if request.args.get("layout") == Layout.PHONE else Layout.DESKTOP


def picture(svg: str) -> Response:
    """An answer with a picture on its own."""
    style = f"<style>@media (prefers-color-scheme: dark){{{dark_rules()}}}</style>"
    answer = Response(svg.replace("</svg>", f"{style}</svg>"), content_type="image/svg+xml; charset=utf-8")
    answer.headers["Content-Security-Policy"] = SVG_POLICY
    return answer
