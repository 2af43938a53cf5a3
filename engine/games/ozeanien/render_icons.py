"""The pieces on Ozeanien's board, drawn for Overland."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.games.ozeanien.components import VALUES
from engine.games.ozeanien.facts import SEAT_MARKS
from engine.games.ozeanien.render_layout import Palette
from engine.games.ozeanien.render_sea import tile_picture
from engine.svg import LETTER, circle, define, element, label, path, plate, shape, text_width, use

_FILLS: Final = ("#565c66", "#ffffff")
_LETTERS: Final = ("#ffffff", LETTER)
_SHAPES: Final = ("M-15 -16H15V4C15 12 7 16 0 19C-7 16 -15 12 -15 4Z", "M0 -17.5A17.5 17.5 0 1 1 -.01 -17.5Z")
"""The shapes of the seats' explorers, which differ without colour and letter: a shield, a disc."""

EXPLORER: Final = 19.0
"""Half of the height of an explorer."""
SHIP: Final = 20.0
"""Half of the width of the ship."""


def piece_definitions(seats: int, lands: Iterable[str], lettered: bool, palette: Palette) -> str:
    """The definitions of all pieces, and of single tiles with the ``lands``."""
    pieces = [(seat, value) for seat in range(seats if seats > 1 else 0) for value in VALUES]
    hull, sails = (
        "M-19 7H19C17 14 12 17 0 17C-12 17 -17 14 -19 7Z",
        "M3 -18C17 -13 17 -1 3 4ZM-3 -13C-15 -9 -15 0 -3 4Z",
    )
    return element(
        "defs",
        *(define(f"ozeanien-explorer-{seat}-{value}", *_explorer(seat, value, lettered)) for seat, value in pieces),
        *(define(f"ozeanien-none-{seat}-{value}", *_none_left(seat, value, palette)) for seat, value in pieces),
        *(define(f"ozeanien-tile-{land}", tile_picture(land, palette)) for land in dict.fromkeys(lands)),
        define(
            "ozeanien-ship",
            path(hull, fill="#7b4f2a", stroke="#ffffff", stroke_width=4),
            path("M-1.5 -20H1.5V7H-1.5Z", fill=LETTER, stroke="#ffffff", stroke_width=3),
            path(sails, fill="#ffffff", stroke="#ffffff", stroke_width=4),
            path(hull, fill="#8a5a32", stroke=LETTER, stroke_width=1.6),
            path(sails, fill="#fff6df", stroke=LETTER, stroke_width=1.6),
            path("M0 -21V7", stroke=LETTER, stroke_width=2.4),
            path("M0 -21L9 -23.5L0 -26Z", fill=palette.highlight),
        ),
        define("ozeanien-latest", *_latest(palette.highlight, 4.4)),
        define("ozeanien-filled", *_latest(palette.highlight, 2.2)),
    )


def _explorer(seat: int, value: int, lettered: bool) -> tuple[str, ...]:
    body, light = _SHAPES[seat], _LETTERS[seat]
    words = {"font_weight": "bold", "text_anchor": "middle", "fill": light}
    return (
        shape(body, "none", LETTER if seat else "#ffffff", 5 if seat else 6),
        shape(body, _FILLS[seat], "#ffffff" if seat else LETTER, 1.6),
        label(str(value), -5 if lettered else 0, 6 if lettered else 7, 20, **words),
        label(SEAT_MARKS[seat], 8.6, 6, 10, **words) if lettered else "",
    )


def _none_left(seat: int, value: int, palette: Palette) -> tuple[str, ...]:
    return (
        path(_SHAPES[seat], fill="none", stroke=palette.soft, stroke_width=1.6, stroke_dasharray="4 3"),
        label(str(value), 0, 7, 20, text_anchor="middle", fill=palette.soft),
    )


def _latest(colour: str, width: float) -> tuple[str, ...]:
    """Corner brackets around a space."""
    d = "M-45 -27V-45H-27M27 -45H45V-27M45 27V45H27M-27 45H-45V27"
    return (
        path(d, fill="none", stroke="#ffffff", stroke_width=width + 3.4),
        path(d, fill="none", stroke=colour, stroke_width=width),
    )


def badge_size(words: str, size: float) -> tuple[float, float]:
    """Half of the width and of the height of a badge with letters of the size."""
    half = 0.73 * size
    return max(half, text_width(words, size, True) / 2 + size / 3), half


def badge(words: str, x: float, y: float, size: float, palette: Palette) -> str:
    """The number of a legal action, or a range of them, in a frame around (x, y)."""
    across, down = badge_size(words, size)
    return plate(x - across, y - down, 2 * across, 2 * down, down, palette.badge, palette.badge_ink, size / 8) + label(
        words, x, y + 0.365 * size, size, font_weight="bold", text_anchor="middle", fill=palette.badge_ink
    )


def small_tile(land: str, x: float, y: float, size: float) -> str:
    """A single tile that is defined, its upper left corner at (x, y)."""
    return use(f"ozeanien-tile-{land}", x, y, size / 100)


def starting_circle(x: float, y: float, radius: float, *, is_open: bool, palette: Palette) -> str:
    """A circle beside the board; fainter if the space at it is explored."""
    dots = {"stroke_dasharray": f"0.1 {radius / 3.8:.3g}", "stroke_linecap": "round"}
    colour = palette.route if palette.marked else "#ffffff"
    return element(
        "g",
        circle(x, y, radius * 0.87, fill=palette.sea, stroke=colour, stroke_width=radius / 9.6, **dots),
        circle(x, y, radius, fill="none", stroke=palette.frame, stroke_width=radius / 14),
        opacity=None if is_open else 0.35,
    )


def explorer(seat: int, value: int, x: float, y: float, scale: float = 1) -> str:
    """An explorer with its value, its middle at (x, y)."""
    return use(f"ozeanien-explorer-{seat}-{value}", x, y, scale)


def no_explorer(seat: int, value: int, x: float, y: float, scale: float = 1) -> str:
    """The outline of an explorer of which none is left."""
    return use(f"ozeanien-none-{seat}-{value}", x, y, scale)
