"""The games: all of them, and a page for each, with pictures, the rules in short and in long, how
to type moves, the options and the component sets; and the button that seats whoever is not signed
in against bots, as a guest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from flask import Blueprint, Response, abort
from markupsafe import Markup

from engine import registry
from service.api.auth import SHOWN, cookie, visitor
from service.api.games import find_game, game_answer
from service.api.limits import limit_guests
from service.api.requests import context
from service.matches import one_click
from service.players import tokens
from service.store.players import Player
from service.texts import gettext as _
from service.web import forms, pictures, sign_in

if TYPE_CHECKING:
    from markdown_it.token import Token

_PICTURE: Final = re.compile(r"!\[([^\]]*)\]\(([a-z0-9_-]+\.svg)\)")


@dataclass(frozen=True, slots=True)
class RulesShown:
    """The rules of a game as HTML, without their title: the first paragraph, then all of them; and
    their sections, each with its anchor and its heading.
    """

    short: Markup
    long: Markup
    sections: tuple[tuple[str, str], ...]


def add_pages(web: Blueprint) -> None:
    """Adds `/games`, `/games/{game}`, its button, and the pictures on it."""

    def game(game: str) -> Response:
        found = find_game(game)
        name = found.info.name
        return forms.page(
            "game.html",
            info=found.info,
            game=game_answer(found),
            words=found.option_words,
            rules=_rules(name),
            picture=first_picture(name),
            player=visitor(),
        )

    def play_now(game: str) -> Response:
        name, player = find_game(game).info.name, visitor()
        if not forms.is_from_our_page():
            return forms.refused(_("Not begun"))
        if player is not None and not player.is_guest:
            return forms.to_page("new_match", game=name)
        guest, match = one_click.play_now(context(), name, cookie(SHOWN), limit_guests, player)
        answer = forms.to_page("match", match=match.id)
        return answer if player is not None else sign_in.signed_in(answer, tokens.sign_in(context(), guest))

    def picture(game: str, file: str) -> Response:
        drawn = registry.rules_picture(find_game(game).info.name, file)
        if drawn is None:
            abort(404)
        answer = pictures.picture(drawn)
        answer.headers["Cache-Control"] = f"max-age={pictures.SECONDS_KEPT}"
        return answer

    web.add_url_rule("/games", "games", lambda: page_of_games(visitor()))
    web.add_url_rule("/games/<id:game>", "game", game)
    web.add_url_rule("/games/<id:game>/play", "play_now", play_now, methods=["POST"])
    web.add_url_rule("/games/<id:game>/pictures/<file>", "picture_of_rules", picture)


def page_of_games(player: Player | None) -> Response:
    """All games, to choose one."""
    return forms.page("games.html", games=registry.games(), pictures=first_pictures(), player=player)


def first_pictures() -> dict[str, tuple[str, str] | None]:
    """The first picture of each game, by its name."""
    return {name: first_picture(name) for name in registry.games()}


def first_picture(game: str) -> tuple[str, str] | None:
    """What the first picture of a game's rules shows, and its file; ``None`` where it has none."""
    found = _PICTURE.search(registry.rules_text(game))
    return None if found is None else (found[1], found[2])


@lru_cache(maxsize=32)
def _rules(game: str) -> RulesShown:
    """HTML in the Markdown is text, a link with a script is none, and headings can be linked to."""
    from markdown_it import MarkdownIt  # here, so that only who shows rules has it in memory

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(registry.rules_text(game))
    sections = []
    for token, text in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open" and text is not None:
            token.attrSet("id", _anchor(text.content))
            sections += [(_anchor(text.content), text.content)] if token.tag == "h2" else []
    for token in (inner for outer in tokens for inner in outer.children or ()):
        if token.type == "image":
            token.attrSet("src", f"/games/{game}/pictures/{token.attrGet('src') or ''}")
    body = tokens[_end(tokens, "heading_close", "h1") :]
    first = _end(body, "paragraph_close", "p")

    def html(part: list[Token]) -> Markup:
        # A block that is wider than a phone is scrolled by the keyboard, too.
        return Markup(markdown.renderer.render(part, markdown.options, {}).replace("<pre>", '<pre tabindex="0">'))

    return RulesShown(html(body[:first]), html(body[first:]), tuple(sections))


def _end(tokens: list[Token], closing: str, tag: str) -> int:
    """The place after the first such token; 0 where there is none."""
    found = (place + 1 for place, token in enumerate(tokens) if (token.type, token.tag) == (closing, tag))
    return next(found, 0)


def _anchor(heading: str) -> str:
    """The name of a heading in addresses."""
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")
