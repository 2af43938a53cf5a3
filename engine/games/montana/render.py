"""The text and the picture of Montana's board."""

from __future__ import annotations

from engine.games.montana.facts import SEAT_COLOURS, SEAT_MARKS
from engine.games.montana.render_svg import svg
from engine.games.montana.render_text import text

__all__ = ["SEAT_COLOURS", "SEAT_MARKS", "svg", "text"]
