"""The icons of Oregon's picture, drawn for Overland, each in a box of 40 x 40 at the origin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.games.oregon.components import Building, Symbol
from engine.games.oregon.facts import SEAT_MARKS
from engine.games.oregon.render_layout import Plan
from engine.games.oregon.terms import BUILDING_CODES
from engine.svg import INK, PAPER, circle, define, element, group, label, path, plate, polygon, rect, shape, stroke

_WHEEL: Final = path("M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0M-5 0h10M0 -5v10", fill="none", stroke_width=1.8)

# Symbols inherit fill and stroke from the element that uses them.
_SYMBOLS: Final[Mapping[Symbol, str]] = {
    Symbol.WAGON: (
        path(
            "M-16 1C-20 -11 -14 -14 -8 -14C-10 -9 -10 -4 -9 1ZM-7 1C-8 -5 -7 -10 -6 -14.5H6C7 -10 8 -5 7 1Z"
            "M16 1C20 -11 14 -14 8 -14C10 -9 10 -4 9 1ZM-17 3H17L15 8H-15Z",
            stroke="none",
        )
        + group(_WHEEL, transform="translate(-9.5 11.5)")
        + group(_WHEEL, transform="translate(9.5 11.5)")
    ),
    Symbol.BISON: path(
        "M17 -3C16 -8 11 -9 6 -10C1 -11 -2 -17 -8 -15C-12 -14 -14 -9 -16 -6C-19 -4 -20 0 -19 4C-18 7 -16 9 -14 9C-13.5"
        " 12 -12 14 -11 14L-9.5 9C-9 8 -8 8 -7.5 8L-7 17H-3.5L-2.5 8C1 9 5 8 7.5 6L9 17H12.5L13 8C15 5 16 2 16.5 0L18"
        " 6L19.5 5C19.5 1 18.5 -1 17 -3ZM-13 -8C-17 -8 -19 -12 -17 -15C-16.5 -12 -14 -11 -11 -11Z",
        stroke="none",
    ),
    Symbol.SETTLER: path(
        "M-16 -7C-11 -5 -8 -6 -7 -8L-6 -15C-4 -18 -1 -16 0 -16C1 -16 4 -18 6 -15L7 -8C8 -6 11 -5 16 -7C14 -2 7 -1.5 0"
        " -1.5C-7 -1.5 -14 -2 -16 -7ZM-6.5 .5C-3 1 3 1 6.5 .5C7 6 4 9.5 0 9.5C-4 9.5 -7 6 -6.5 .5ZM-16 18C-16 12 -11 10"
        " -7 9C-4 13 4 13 7 9C11 10 16 12 16 18Z",
        stroke="none",
    ),
    Symbol.EAGLE: path(
        "M0 -9C2.5 -9 3.5 -7 3.5 -4.5C8 -9 13 -12 20 -12L17.5 -8.5L19 -8L16 -4.5L17 -3L13.5 -1L14 1.5"
        "L10.5 1.5L9.5 4L6 3.5C5 6 4 7 3.5 8L6.5 15L2.5 13L0 16L-2.5 13L-6.5 15L-3.5 8C-4 7 -5 6 -6 3.5"
        "L-9.5 4L-10.5 1.5L-14 1.5L-13.5 -1L-17 -3L-16 -4.5L-19 -8L-17.5 -8.5L-20 -12C-13 -12 -8 -9 -3.5 -4.5"
        "L-6 -6.5C-4.5 -7 -3 -9 0 -9Z",
        stroke="none",
    ),
    Symbol.CAMPFIRE: (
        path(
            "M1 -18C2 -11 9 -9 9 -1C9 5 5 8 0 8C-5 8 -9 5 -9 -1C-9 -5 -7 -7 -5 -9C-5 -6 -4 -5 -3 -5C-3 -10 -2 -14 1"
            " -18ZM0 -3C-1 0 -3.5 1 -3.5 4C-3.5 6 -2 7 0 7C2 7 3.5 6 3.5 4C3.5 1 2 0 0 -3Z",
            fill_rule="evenodd",
            stroke="none",
        )
        + path("M-14 10L14 17M14 10L-14 17", stroke_width=4, stroke_linecap="round", fill="none")
    ),
}

_LUMPS: Final = polygon(
    ((-16, 17), (-13, 9), (-7, 7), (-2, 11), (3, 7), (11, 8), (16, 17)), fill="#26262a", stroke="none"
)
_PICK: Final = path("M-11 9L8 -10", stroke="#8a5a32", stroke_width=3.4, stroke_linecap="round") + path(
    "M-2 -15C6 -16 13 -9 12.5 -1C9 -7 4 -12 -2 -15Z", fill="#4a4a50", stroke=INK, stroke_width=1
)
_INGOT: Final = shape("M-6 -4H6L9 5H-9Z", "#f0b921", "#5f4300", 1.8) + path(
    "M-4.5 -1.5H4.5", stroke="#fff3bf", stroke_width=1.8
)

_BUILDINGS: Final[Mapping[Building, str]] = {
    Building.POST_OFFICE: (
        plate(-16, -11, 32, 22, 2, "#f6e3b4", INK, 2.2)
        + path("M-15.5 -10L0 3L15.5 -10M-15.5 10L-5 -1M15.5 10L5 -1", fill="none", stroke=INK, stroke_width=2)
        + circle(0, 2.5, 4, fill="#b3402f", stroke=INK, stroke_width=1)
    ),
    Building.HARBOUR: (
        stroke(
            "M0 -9.5V15M-8 -5H8M-13 3C-12 11 -6 15 0 15C6 15 12 11 13 3M-3.8 -13.3a3.8 3.8 0 1 0 7.6 0a3.8 3.8 0 1 0"
            " -7.6 0",
            "#14506f",
            3.2,
        )
        + path("M-17.5 8L-14 -1L-8.5 6ZM17.5 8L14 -1L8.5 6Z", fill="#14506f")
    ),
    Building.CHURCH: (
        path("M0 -19.5V-10M-3.6 -16H3.6", stroke=INK, stroke_width=2.2)
        + path("M-16 16V6H16V16Z", fill="#fdfbf5", stroke=INK, stroke_width=1.8)
        + path("M-17 7L-13 0H13L17 7Z", fill="#7b4a6b", stroke=INK, stroke_width=1.6)
        + path("M-6.5 16V-3H6.5V16Z", fill="#fdfbf5", stroke=INK, stroke_width=1.8)
        + path("M-8.5 -2L0 -12.5L8.5 -2Z", fill="#7b4a6b", stroke=INK, stroke_width=1.6)
        + path("M-3 16V9A3 3 0 0 1 3 9V16Z", fill=INK)
        + circle(0, 2, 2, fill=INK)
    ),
    Building.COAL_MINE: (
        _PICK
        + group(_PICK, transform="scale(-1 1)")
        + _LUMPS
        + path("M-11 15L-8 10L-4 14M4 14L7 10L11 12", fill="none", stroke="#8f8f98", stroke_width=1.4)
    ),
    Building.GOLD_MINE: (
        group(_INGOT, transform="translate(-9 11)")
        + group(_INGOT, transform="translate(9 11)")
        + group(_INGOT, transform="translate(0 0)")
        + path(
            "M0 -19L1.8 -12.8L8 -11L1.8 -9.2L0 -5.5L-1.8 -9.2L-8 -11L-1.8 -12.8Z",
            fill="#f0b921",
            stroke="#5f4300",
            stroke_width=1.2,
        )
    ),
    Building.WAREHOUSE: (
        shape("M-16 16V-3L-10 -12L0 -16L10 -12L16 -3V16Z", "#a4663a", INK, 2)
        + shape("M-18 -1L-11 -12.5L0 -17L11 -12.5L18 -1", "none", "#5b3a22", 3)
        + path("M-8 16V3H8V16ZM-8 3L8 16M8 3L-8 16", fill="#f6e3b4", stroke=INK, stroke_width=1.6)
        + rect(-3.5, -8.5, 7, 6.5, fill="#f6e3b4", stroke=INK, stroke_width=1.4)
    ),
    Building.STATION: (
        path("M-19 14L-13 5V14Z", fill="#5b5b62", stroke=INK, stroke_width=1)
        + path("M-14 7V-4H4V-12H15V7Z", fill="#3d6b4f", stroke=INK, stroke_width=1.8)
        + path("M1.5 -12H17.5V-15.5H1.5ZM-11 -4V-9L-13.5 -15H-4.5L-7 -9V-4ZM-3 -4C-3 -8 2 -8 2 -4Z", fill=INK)
        + rect(6.5, -8.5, 6, 5.5, fill="#f6e3b4")
        + "".join(
            circle(x, y, r, fill="#e7d9b8", stroke=INK, stroke_width=2.4)
            for x, y, r in ((-9, 11, 4.2), (0.5, 11, 4.2), (10.5, 10, 5.4))
        )
    ),
}

_BODY: Final = "M0 -7C6 -7 8 -3 9 2L14 16C14.5 18 13 19 11 19H-11C-13 19 -14.5 18 -14 16L-9 2C-8 -3 -6 -7 0 -7Z"
_HATS: Final = (
    (
        "M-7 -12.5L-6 -19C-4 -21 -2 -19.5 0 -19.5C2 -19.5 4 -21 6 -19L7 -12.5"
        "C9 -12 12 -12 14 -13C13 -9 6 -8.5 0 -8.5C-6 -8.5 -13 -9 -14 -13C-12 -12 -9 -12 -7 -12.5Z"
    ),
    "M0 -22L10 -8.5H-10Z",
    "M-10 -9A10 10.5 0 0 1 10 -9C6 -7.5 -6 -7.5 -10 -9Z",
    "M-6.5 -21H6.5V-12H11V-8.5H-11V-12H-6.5Z",
)
"""The hats of the seats, to be told without colour: a wide brim, a cone, a dome, a top hat."""


def symbol_icon(symbol: Symbol) -> str:
    """The id of a symbol's icon."""
    return f"symbol-{symbol}"


def building_icon(building: Building) -> str:
    """The id of a building's icon."""
    return f"building-{building}"


def farmer_icon(seat: int) -> str:
    """The id of the icon of a seat's farmers."""
    return f"farmer-{seat}"


def tile_icon(building: Building) -> str:
    """The id of a building's tile on the board."""
    return f"tile-{building}"


def silhouette(seat: int) -> str:
    """The id of the icon of a seat's farmers without the letter, for small sizes."""
    return f"silhouette-{seat}"


def definitions(seats: int, plan: Plan) -> str:
    """The definitions of all icons."""
    return element(
        "defs",
        *(define(symbol_icon(symbol), drawing) for symbol, drawing in _SYMBOLS.items()),
        *(
            define(building_icon(building), _square(44, 44, plan), group(drawing, transform="scale(.94)"))
            for building, drawing in _BUILDINGS.items()
        ),
        *(define(tile_icon(building), *_tile(building, plan)) for building in Building),
        *(define(farmer_icon(seat), *_farmer(seat, plan)) for seat in range(seats)),
        *(define(silhouette(seat), _farmer(seat, plan)[1]) for seat in range(seats)),
        define("latest", *_latest(plan)),
        define(
            "coal",
            polygon(((-8, 6), (-6, -3), (0, -7), (6, -4), (8, 5), (2, 8)), fill="#26262a"),
            path("M-3 2L0 -3L4 0", stroke="#a5a5ad", stroke_width=1.4, fill="none"),
        ),
        define("gold", group(_INGOT, transform="scale(.9)")),
        define("landscape-back", _BACK, path("M-5 6L0 -3L5 6Z", fill=PAPER), fill="#7f9f4a"),
        define("building-back", _BACK, path("M-4.5 7V0L0 -5L4.5 0V7Z", fill=PAPER), fill="#a5743f"),
    )


_BACK: Final = rect(-8, -10.5, 16, 21, rx=2.5, stroke=INK, stroke_width=1.4)


def _square(width: float, height: float, plan: Plan) -> str:
    return plate(-width / 2, -height / 2, width, height, width / 9, plan.inks.tile, INK, width / 22)


def _tile(building: Building, plan: Plan) -> tuple[str, ...]:
    """A building as it lies on the board, with its code where the icon is small."""
    board = plan.board
    y, scale = board.tile_icon
    drawing = group(_BUILDINGS[building], transform=f"translate(0 {y:g}) scale({scale:g})")
    if board.tile_code is None:
        return _square(*board.tile, plan), drawing
    low, size = board.tile_code
    code = label(BUILDING_CODES[building], 0, low, size, font_weight="bold", text_anchor="middle", fill=INK)
    return _square(*board.tile, plan), drawing, code


def _farmer(seat: int, plan: Plan) -> tuple[str, ...]:
    body, inks = f"{_BODY}{_HATS[seat]}", plan.inks
    return (
        shape(body, "none", "#ffffff", 5.5),
        shape(body, inks.farmers[seat], "#1d1712", 1.8),
        label(SEAT_MARKS[seat], 0, 15.5, 18, font_weight="bold", text_anchor="middle", fill=inks.letters[seat]),
    )


def _latest(plan: Plan) -> tuple[str, ...]:
    """Corner brackets around a space."""
    width, height = plan.board.cell
    x, y, arm = width / 2 - 1, height / 2 - 1, width / 4.5
    d = "".join(
        f"M{left * x:g} {up * (y - arm):g}V{up * y:g}H{left * (x - arm):g}" for left in (-1, 1) for up in (-1, 1)
    )
    return (
        path(d, fill="none", stroke="#ffffff", stroke_width=width / 6.8),
        path(d, fill="none", stroke=plan.inks.accent, stroke_width=width / 12.3),
    )
