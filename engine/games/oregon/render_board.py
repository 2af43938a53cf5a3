"""The board in Oregon's picture: ground, the symbols and names at its edges, pieces."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from engine.games.oregon.components import Symbol
from engine.games.oregon.observe import Observation
from engine.games.oregon.render_ground import CELL, ground
from engine.games.oregon.render_icons import farmer_icon, symbol_icon, tile_icon
from engine.games.oregon.render_inks import Inks
from engine.games.oregon.render_layout import Plan
from engine.grid import Cell, column_letter, parse_space
from engine.svg import INK, frame, group, label, number, use

_BAND_COLUMNS, _BAND_ROWS = 3, 2


def board(observation: Observation, plan: Plan) -> str:
    """The board at its place in the picture."""
    place = plan.board
    return group(
        _scaled_ground(observation.terrain, plan.inks, place.cell),
        _edges(observation.column_symbols, observation.row_symbols, plan),
        *_pieces(observation, plan),
        transform=f"translate({number(place.left)} {number(place.top)})",
    )


@lru_cache(maxsize=16)
def _scaled_ground(terrain: tuple[str, ...], inks: Inks, cell: tuple[float, float]) -> str:
    """Remembered, because it takes longer than all the rest of a picture."""
    across, down = cell[0] / CELL, cell[1] / CELL
    if across == down == 1:
        return ground(terrain, inks)
    return group(ground(terrain, inks), transform=f"scale({across:.4f} {down:.4f})")


@lru_cache(maxsize=16)
def _edges(columns: tuple[Symbol, ...], rows: tuple[Symbol, ...], plan: Plan) -> str:
    """The symbols at the edges of the board, the letters of columns, the numbers of rows."""
    width, height = plan.board.cell
    letter, number_ = plan.board.letter, plan.board.number
    letters = (
        label(column_letter(column), (column + 0.5) * width, letter[0], letter[1])
        for column in range(len(columns) * _BAND_COLUMNS)
    )
    numbers = (
        label(str(row + 1), number_[0], (row + 0.5) * height + number_[1] * 0.36, number_[1])
        for row in range(len(rows) * _BAND_ROWS)
    )
    return group(
        *(_column_plate(symbol, index * _BAND_COLUMNS * width, plan) for index, symbol in enumerate(columns)),
        *(_row_plate(symbol, index * _BAND_ROWS * height, plan) for index, symbol in enumerate(rows)),
        group(*letters, *numbers, text_anchor="middle", font_weight="bold", fill=INK),
    )


def _column_plate(symbol: Symbol, x: float, plan: Plan) -> str:
    place, ink = plan.board, plan.inks.plate_ink
    icon, name = place.plate_icon, place.plate_name
    width = _BAND_COLUMNS * place.cell[0] - 2 * place.gap
    return group(
        _plate(width, place.plate_height, plan),
        use(symbol_icon(symbol), icon[0], icon[1], icon[2], fill=ink, stroke=ink),
        label(symbol.value.capitalize(), *name, font_weight="bold", text_anchor=place.plate_anchor, fill=ink),
        transform=f"translate({number(x + place.gap)} {number(place.plate_top)})",
    )


def _row_plate(symbol: Symbol, y: float, plan: Plan) -> str:
    place, ink = plan.board, plan.inks.plate_ink
    icon, name = place.row_icon, place.row_name
    height = _BAND_ROWS * place.cell[1] - 2 * place.gap
    return group(
        _plate(place.row_plate_width, height, plan),
        use(symbol_icon(symbol), icon[0], icon[1], icon[2], fill=ink, stroke=ink),
        label(symbol.value[0].upper(), *name, font_weight="bold", text_anchor="middle", fill=ink),
        transform=f"translate({number(place.row_plate_left)} {number(y + place.gap)})",
    )


def _plate(width: float, height: float, plan: Plan) -> str:
    inks = plan.inks
    return frame(
        0,
        0,
        width,
        height,
        rx=min(width, height) / 5,
        fill=inks.plate,
        stroke=inks.plate_line,
        stroke_width=1,
    )


def _pieces(observation: Observation, plan: Plan) -> Iterator[str]:
    for building in observation.buildings:
        yield use(tile_icon(building.building), *_middle(parse_space(building.space), plan))
    for farmer in observation.farmers:
        yield use(farmer_icon(farmer.seat), *_middle(parse_space(farmer.space), plan), plan.board.farmer)
    for space in observation.last:
        yield use("latest", *_middle(parse_space(space), plan))


def _middle(cell: Cell, plan: Plan) -> tuple[float, float]:
    width, height = plan.board.cell
    return (cell[0] + 0.5) * width, (cell[1] + 0.5) * height
