"""The board of a match, as text and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.documents import to_document
from engine.picks import choices
from engine.play import legal_actions
from engine.types import Layout, Seat
from service.context import Context
from service.pictures.picture import in_pixels
from service.store.players import Player
from service.views.match import Sight, sight

SCREENS: Final = (Layout.DESKTOP, Layout.PHONE)
"""The layouts of pictures in which a player may pick."""


def board_text(context: Context, player: Player | None, match_id: str, link: str | None = None) -> str:
    """The board as text of at most 78 columns; ``link`` as for ``sight``. Raises as that."""
    seen = sight(context, player, match_id, link=link)
    return seen.game.text(seen.game.observe(seen.state, seen.viewer), seen.match.names)


def board_svg(
    context: Context,
    player: Player | None,
    match_id: str,
    layout: Layout = Layout.DESKTOP,
    *,
    ply: int | None = None,
    pixels: bool = False,
    link: str | None = None,
) -> str:
    """The board as SVG, which is remembered; ``pixels`` if it is to be drawn as PNG, where only the
    bundled fonts are at hand. For a screen, what an awaited viewer may choose now is marked. Raises
    as ``sight``.
    """
    seen = sight(context, player, match_id, ply, link)
    asked = _asked(seen) if layout in SCREENS and not pixels else None

    def draw(names: Sequence[str]) -> str:
        legal = () if asked is None else legal_actions(seen.game, seen.state, asked)
        allowed = choices(map(to_document, legal))
        return seen.game.svg(seen.game.observe(seen.state, seen.viewer), names, layout, allowed)

    shown = seen.match.id, seen.ply, seen.viewer, seen.match.names, layout, pixels, asked
    return context.pictures.svg(shown, lambda: in_pixels(seen.match.names, draw) if pixels else draw(seen.match.names))


def _asked(seen: Sight) -> Seat | None:
    """The seat of the viewer if it is awaited, and this is the position in which it may act."""
    is_asked = seen.viewer is not None and seen.ply == seen.match.ply and seen.match.seats[seen.viewer].to_act
    return seen.viewer if is_asked else None
