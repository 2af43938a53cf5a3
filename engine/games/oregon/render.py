"""The text and the picture of Oregon's board."""

from __future__ import annotations

from engine.games.oregon.facts import SEAT_COLOURS, SEAT_MARKS
from engine.games.oregon.render_svg import svg
from engine.games.oregon.render_text import text

__all__ = ["SEAT_COLOURS", "SEAT_MARKS", "svg", "text"]
