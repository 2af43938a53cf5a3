"""The board of a match, as text and as a picture."""

from __future__ import annotations

from collections.abc import Sequence

from engine.types import Layout
from service.context import Context
from service.pictures.coverage import in_pixels
from service.store.players import Player
from service.views.sight import sight


def board_text(context: Context, player: Player | None, match_id: str) -> str:
    """Returns the board as text of at most 78 columns. Raises ``NotFound`` or ``Conflict``."""
    seen = sight(context, player, match_id)
    return seen.game.text(seen.game.observe(seen.state, seen.viewer), seen.match.names)


def board_svg(
    context: Context,
    player: Player | None,
    match_id: str,
    layout: Layout = Layout.DESKTOP,
    *,
    ply: int | None = None,
    pixels: bool = False,
) -> str:
    """Returns the board at a ply, by default the present one, as SVG, which is remembered;
    ``pixels`` if it is to be drawn as PNG, where only the bundled fonts are at hand. Raises
    ``NotFound`` or ``Conflict``.
    """
    seen = sight(context, player, match_id, ply)

    def draw(names: Sequence[str]) -> str:
        return seen.game.svg(seen.game.observe(seen.state, seen.viewer), names, layout)

    shown = seen.match.id, seen.ply, seen.viewer, seen.match.names, layout, pixels
    return context.pictures.svg(shown, lambda: in_pixels(seen.match.names, draw) if pixels else draw(seen.match.names))
