"""The icons of Oregon's picture, drawn for Overland, each in a box of 40 x 40 at the origin."""

from __future__ import annotations

from typing import Final

from engine.games.oregon.components import Building, Symbol
from engine.games.oregon.facts import SEAT_MARKS
from engine.games.oregon.render_layout import Plan
from engine.games.oregon.terms import BUILDING_CODES
from engine.svg import INK, LETTER, PAPER, define, element, group, label, path, plate, rect, shape
from engine.texts import read_icons

_ICONS: Final = read_icons("engine.games.oregon")
"""Symbols inherit fill and stroke from the element that uses them."""

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
    return f"oregon-symbol-{symbol}"


def building_icon(building: Building) -> str:
    """The id of a building's icon."""
    return f"oregon-building-{building}"


def farmer_icon(seat: int) -> str:
    """The id of the icon of a seat's farmers."""
    return f"oregon-farmer-{seat}"


def tile_icon(building: Building) -> str:
    """The id of a building's tile on the board."""
    return f"oregon-tile-{building}"


def silhouette(seat: int) -> str:
    """The id of the icon of a seat's farmers without the letter, for small sizes."""
    return f"oregon-silhouette-{seat}"


def definitions(seats: int, plan: Plan) -> str:
    """The definitions of all icons."""
    return element(
        "defs",
        *(define(symbol_icon(symbol), _ICONS[symbol_icon(symbol)]) for symbol in Symbol),
        *(define(building_icon(building), *_building(building, plan)) for building in Building),
        *(define(tile_icon(building), *_tile(building, plan)) for building in Building),
        *(define(farmer_icon(seat), *_farmer(seat, plan)) for seat in range(seats)),
        *(define(silhouette(seat), _farmer(seat, plan)[1]) for seat in range(seats)),
        define("oregon-latest", *_latest(plan)),
        *(define(name, _ICONS[name]) for name in ("oregon-coal", "oregon-gold")),
        define("oregon-landscape-back", _BACK, path("M-5 6L0 -3L5 6Z", fill=PAPER), fill="#7f9f4a"),
        define("oregon-building-back", _BACK, path("M-4.5 7V0L0 -5L4.5 0V7Z", fill=PAPER), fill="#a5743f"),
    )


_BACK: Final = rect(-8, -10.5, 16, 21, rx=2.5, stroke=INK, stroke_width=1.4)


def _square(width: float, height: float, plan: Plan) -> str:
    return plate(-width / 2, -height / 2, width, height, width / 9, plan.inks.tile, INK, width / 22)


def _building(building: Building, plan: Plan) -> tuple[str, str]:
    return _square(44, 44, plan), group(_ICONS[building_icon(building)], transform="scale(.94)")


def _tile(building: Building, plan: Plan) -> tuple[str, ...]:
    """A building as it lies on the board, with its code where the icon is small."""
    board = plan.board
    y, scale = board.tile_icon
    drawing = group(_ICONS[building_icon(building)], transform=f"translate(0 {y:g}) scale({scale:g})")
    if board.tile_code is None:
        return _square(*board.tile, plan), drawing
    low, size = board.tile_code
    code = label(BUILDING_CODES[building], 0, low, size, text_anchor="middle", fill=LETTER)
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
    corners = ((-1, -1), (-1, 1), (1, -1), (1, 1))
    d = "".join(f"M{left * x:g} {up * (y - arm):g}V{up * y:g}H{left * (x - arm):g}" for left, up in corners)
    return (
        path(d, fill="none", stroke="#ffffff", stroke_width=width / 6.8),
        path(d, fill="none", stroke=plan.inks.accent, stroke_width=width / 12.3),
    )
