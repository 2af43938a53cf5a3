"""The pieces on Ozeanien's board, drawn for Overland: explorers, the ship, circles, numbers of
choices, the latest placement.
"""

from __future__ import annotations

from typing import Final

from engine.games.ozeanien.facts import SEAT_MARKS
from engine.games.ozeanien.render_sea import SEA, sea
from engine.svg import ACCENT, INK, circle, define, element, group, label, path, rect, text_width, use

_FILLS: Final = ("#565c66", "#ffffff")
_LETTERS: Final = ("#ffffff", INK)
_SHAPES: Final = ("M-15 -16H15V4C15 12 7 16 0 19C-7 16 -15 12 -15 4Z", "M0 -17.5A17.5 17.5 0 1 1 -.01 -17.5Z")
"""The shapes of the seats' explorers, which differ without colour and letter: a shield, a disc."""


def piece_definitions(seats: int) -> str:
    """The definitions of all pieces."""
    return element(
        "defs",
        *(
            define(f"oz-explorer-{seat}-{value}", *_explorer(seat, value))
            for seat in range(seats)
            for value in (1, 2, 3)
        ),
        define(
            "oz-ship",
            path("M-19 7H19C17 14 12 17 0 17C-12 17 -17 14 -19 7Z", fill="#7b4f2a", stroke="#ffffff", stroke_width=4),
            path("M-1.5 -20H1.5V7H-1.5Z", fill=INK, stroke="#ffffff", stroke_width=3),
            path(
                "M3 -18C17 -13 17 -1 3 4ZM-3 -13C-15 -9 -15 0 -3 4Z", fill="#ffffff", stroke="#ffffff", stroke_width=4
            ),
            path("M-19 7H19C17 14 12 17 0 17C-12 17 -17 14 -19 7Z", fill="#8a5a32", stroke=INK, stroke_width=1.6),
            path("M3 -18C17 -13 17 -1 3 4ZM-3 -13C-15 -9 -15 0 -3 4Z", fill="#fff6df", stroke=INK, stroke_width=1.6),
            path("M0 -21V7", stroke=INK, stroke_width=2.4),
            path("M0 -21L9 -23.5L0 -26Z", fill=ACCENT),
        ),
        define("oz-latest", *_latest(ACCENT, 4.4)),
        define("oz-filled", *_latest(ACCENT, 2.2)),
    )


def _explorer(seat: int, value: int) -> tuple[str, ...]:
    return (
        path(
            _SHAPES[seat],
            fill="none",
            stroke=INK if seat else "#ffffff",
            stroke_width=5 if seat else 6,
            stroke_linejoin="round",
        ),
        path(
            _SHAPES[seat],
            fill=_FILLS[seat],
            stroke="#ffffff" if seat else INK,
            stroke_width=1.6,
            stroke_linejoin="round",
        ),
        label(str(value), -4, 6, 20, font_weight="bold", text_anchor="middle", fill=_LETTERS[seat]),
        label(SEAT_MARKS[seat], 8.5, 6, 10.5, font_weight="bold", text_anchor="middle", fill=_LETTERS[seat]),
    )


def _latest(colour: str, width: float) -> tuple[str, ...]:
    """Corner brackets around a space."""
    d = "M-45 -27V-45H-27M27 -45H45V-27M45 27V45H27M-27 45H-45V27"
    return (
        path(d, fill="none", stroke="#ffffff", stroke_width=width + 3.4),
        path(d, fill="none", stroke=colour, stroke_width=width),
    )


def badge(number: int, x: float, y: float) -> str:
    """The number of a legal action, in a circle around (x, y)."""
    words = str(number)
    half = max(11.0, text_width(words, 15, True) / 2 + 5)
    return rect(x - half, y - 11, 2 * half, 22, rx=11, fill=ACCENT, stroke="#ffffff", stroke_width=2) + label(
        words, x, y + 5.5, 15, font_weight="bold", text_anchor="middle", fill="#ffffff"
    )


def small_tile(land: str, x: float, y: float, size: float) -> str:
    """A single tile, its upper left corner at (x, y)."""
    # A nested svg element clips the shores at the edges of the tile.
    tile = element("svg", sea({(0, 0): land}, frozenset()), x=x, y=y, width=size, height=size, viewBox="0 0 100 100")
    return tile + rect(x, y, size, size, fill="none", stroke=INK, stroke_width=1.6)


def starting_circle(x: float, y: float, *, is_open: bool, number: int | None) -> str:
    """A circle beside the board; fainter if the space at it is explored."""
    return group(
        circle(
            x, y, 20, fill=SEA, stroke="#ffffff", stroke_width=2.4, stroke_dasharray="0.1 6", stroke_linecap="round"
        ),
        circle(x, y, 23, fill="none", stroke="#5a3f29", stroke_width=1.6),
        opacity=None if is_open else 0.45,
    ) + (badge(number, x, y) if number is not None else "")


def explorer(seat: int, value: int, x: float, y: float, scale: float = 1) -> str:
    """An explorer with its value, its middle at (x, y)."""
    return use(f"oz-explorer-{seat}-{value}", x, y, scale)
