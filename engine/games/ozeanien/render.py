"""The text and the picture of Ozeanien's board."""

from __future__ import annotations

from engine.games.ozeanien.facts import SEAT_COLOURS, SEAT_MARKS
from engine.games.ozeanien.render_svg import svg
from engine.games.ozeanien.render_text import text

__all__ = ["SEAT_COLOURS", "SEAT_MARKS", "svg", "text"]
