"""The rules of a game as a page, with their pictures."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from flask import Blueprint, Response, abort, render_template
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from engine import registry
from service.api.games import find_game
from service.web import pictures

_PICTURE: Final = re.compile(r"!\[([^\]]*)\]\(([a-z0-9_-]+\.svg)\)")


def add_pages(web: Blueprint) -> None:
    """Adds `/games/{game}/rules` and the pictures on it."""

    def rules(game: str) -> str:
        info = find_game(game).info
        return render_template("rules.html", info=info, text=_as_html(info.name))

    def picture(game: str, file: str) -> Response:
        drawn = registry.rules_picture(find_game(game).info.name, file)
        if drawn is None:
            abort(404)
        answer = pictures.picture(drawn)
        answer.headers["Cache-Control"] = f"max-age={pictures.SECONDS_KEPT}"
        return answer

    web.add_url_rule("/games/<id:game>/rules", "rules_of_game", rules)
    web.add_url_rule("/games/<id:game>/pictures/<file>", "picture_of_rules", picture)


def first_picture(game: str) -> tuple[str, str] | None:
    """What the first picture of a game's rules shows, and its file; ``None`` where it has none."""
    found = _PICTURE.search(registry.rules_text(game))
    return None if found is None else (found[1], found[2])


@lru_cache(maxsize=32)
def _as_html(game: str) -> Markup:
    """The rules as HTML: HTML in the Markdown is text, a link with a script is none, and headings
    and numbered rules can be linked to.
    """
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(registry.rules_text(game))
    for token, text in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open" and text is not None:
            token.attrSet("id", _anchor(text.content))
    for token in _inner(tokens):
        if token.type == "image":
            file = str(token.attrGet("src") or "")
            token.attrSet("src", f"/games/{game}/pictures/{file}")
    # A block that is wider than a phone is scrolled by the keyboard, too.
    html = markdown.renderer.render(tokens, markdown.options, {}).replace("<pre>", '<pre tabindex="0">')
    return Markup(html)


def _inner(tokens: list[Token]) -> list[Token]:
    return [inner for token in tokens for inner in token.children or ()]


def _anchor(heading: str) -> str:
    """The name of a heading in addresses."""
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")
