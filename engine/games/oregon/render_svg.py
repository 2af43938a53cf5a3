"""The picture of Oregon's board: ground, edges, pieces, the legend below and the players beside
it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.games.oregon.components import Building, Symbol
from engine.games.oregon.facts import TERRAIN_NAMES, description
from engine.games.oregon.observe import Observation
from engine.games.oregon.render_ground import CELL, PRAIRIE, TERRAIN_ICONS, ground, ground_definitions, middle
from engine.games.oregon.render_icons import building_icon, definitions, farmer_icon, symbol_icon
from engine.games.oregon.render_panel import PANEL_WIDTH, panel
from engine.games.oregon.vocabulary import BUILDING_CODES, BUILDING_NAMES
from engine.grid import column_letter, parse_space
from engine.svg import INK, SAND, group, label, picture, rect, text_width, use
from engine.types import Layout

_LEFT: Final = 92
_TOP: Final = 84
_GAP: Final = 20
_PLATE: Final = "#5a3f29"
_PLATE_INK: Final = "#fff4dc"
_SWATCHES: Final = {".": PRAIRIE, "~": "#a6d3ea", "^": "#cfc8c0", "=": "#f1e2bd"}


def svg(observation: Observation, names: Sequence[str], layout: Layout = Layout.DESKTOP) -> str:
    """A standalone picture, 1200 wide, with everything observed and a description for screen
    readers.
    """
    width = len(observation.terrain[0]) * CELL
    height = len(observation.terrain) * CELL
    full = _LEFT + width + _GAP + PANEL_WIDTH + _GAP
    tall = _TOP + height + 144
    return picture(
        full,
        tall,
        "Oregon",
        description(observation, names),
        ground_definitions(),
        definitions(len(observation.seats)),
        rect(0, 0, full, tall, fill=SAND),
        group(
            ground(observation.terrain),
            *_edges(observation),
            *_pieces(observation),
            transform=f"translate({_LEFT} {_TOP})",
        ),
        group(*_legend(observation), transform=f"translate({_GAP} {_TOP + height + 16})"),
        group(*panel(observation, names, tall - 2 * _GAP), transform=f"translate({_LEFT + width + _GAP} {_GAP})"),
        prefix="oregon",
    )


def _edges(observation: Observation) -> Iterator[str]:
    """The symbols at the edges of the board, and the coordinates."""
    for index, symbol in enumerate(observation.column_symbols):
        yield from _column_plate(symbol, index * 3 * CELL)
    for index, symbol in enumerate(observation.row_symbols):
        yield from _row_plate(symbol, index * 2 * CELL)
    columns, rows = len(observation.terrain[0]), len(observation.terrain)
    letters = (label(column_letter(column), (column + 0.5) * CELL, -8, 18) for column in range(columns))
    numbers = (label(str(row + 1), -16, (row + 0.5) * CELL + 6.5, 18) for row in range(rows))
    yield group(*letters, *numbers, text_anchor="middle", font_weight="bold", fill=INK)


def _column_plate(symbol: Symbol, x: float) -> Iterator[str]:
    name = symbol.value.capitalize()
    yield rect(x + 4, -68, 3 * CELL - 8, 40, rx=8, fill=_PLATE)
    left = x + (3 * CELL - 46 - text_width(name, 19, True)) / 2
    yield use(symbol_icon(symbol), left + 20, -48, 0.86, fill=_PLATE_INK, stroke=_PLATE_INK)
    yield label(name, left + 46, -41.5, 19, font_weight="bold", fill=_PLATE_INK)


def _row_plate(symbol: Symbol, y: float) -> Iterator[str]:
    yield rect(-76, y + 4, 44, 2 * CELL - 8, rx=8, fill=_PLATE)
    yield use(symbol_icon(symbol), -54, y + 36, 0.92, fill=_PLATE_INK, stroke=_PLATE_INK)
    yield label(symbol.value[0].upper(), -54, y + 86, 24, font_weight="bold", text_anchor="middle", fill=_PLATE_INK)


def _pieces(observation: Observation) -> Iterator[str]:
    for building in observation.buildings:
        yield use(building_icon(building.building), *middle(parse_space(building.space)))
    for farmer in observation.farmers:
        yield use(farmer_icon(farmer.seat), *middle(parse_space(farmer.space)), 1.06)
    for space in observation.last:
        yield use("latest", *middle(parse_space(space)))


def _legend(observation: Observation) -> Iterator[str]:
    """The legend: every kind of building with its code and the tiles left, the terrain, the mark of
    the latest turn and the supplies.
    """
    for index, building in enumerate(Building):
        yield group(
            *_stack(building, observation.stacks.get(building, 0)), transform=f"translate({index * 126} 0)", fill=INK
        )
    x = 1.0
    for kind, icon in TERRAIN_ICONS.items():
        yield rect(x, 66, 44, 44, rx=4, fill=_SWATCHES[kind], stroke=INK, stroke_width=1.2)
        yield use("prairie-2" if kind == "." else icon, x + 22, 88, 0.85)
        yield label(TERRAIN_NAMES[kind].capitalize(), x + 52, 94, 16, fill=INK)
        x += 52 + text_width(TERRAIN_NAMES[kind], 16) + 18
    yield use("latest", x + 26, 88, 0.72)
    yield label("Latest", x + 54, 94, 16, fill=INK)
    supplies = (
        ("landscape-back", observation.landscape_deck),
        ("building-back", observation.building_deck),
        ("coal", observation.coal_supply),
        ("gold", observation.gold_supply),
    )
    for index, (icon, count) in enumerate(supplies):
        yield use(icon, 646 + index * 64, 88, 1.15)
        yield label(str(count), 662 + index * 64, 94, 17, fill=INK)


def _stack(building: Building, left: int) -> Iterator[str]:
    yield use(building_icon(building), 19, 21, 0.84, opacity=None if left else 0.5)
    yield label(BUILDING_NAMES[building].capitalize(), 42, 17, 14)
    yield label(BUILDING_CODES[building], 42, 37, 15, font_weight="bold")
    yield label(f"{left} left", 49 + text_width(BUILDING_CODES[building], 15, True), 37, 15)
