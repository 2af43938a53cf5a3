"""The picture of Ozeanien's board: explored and unexplored spaces, circles, pieces, the tiles left,
the panel.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.games.ozeanien.facts import KIND_NAMES, description
from engine.games.ozeanien.observe import Observation
from engine.games.ozeanien.render_panel import PANEL_WIDTH, a_way_round, panel
from engine.games.ozeanien.render_pieces import badge, explorer, piece_definitions, small_tile, starting_circle
from engine.games.ozeanien.render_sea import TILE, Lands, anchorage, fog, sea, sea_definitions, standing_place
from engine.games.ozeanien.tiles import Kind
from engine.grid import cells, column_letter, format_space, parse_space
from engine.svg import INK, SAND, group, label, path, picture, rect, use
from engine.types import Layout

_LEFT: Final = 84
_TOP: Final = 46
_RIGHT: Final = 62
_BELOW: Final = 62
_GAP: Final = 16
_LEGEND: Final = 58
_FRAME: Final = "#5a3f29"


def svg(observation: Observation, names: Sequence[str], layout: Layout = Layout.DESKTOP) -> str:
    """A standalone picture with everything observed and a description for screen readers."""
    width, height = observation.columns * TILE, observation.rows * TILE
    wide = _LEFT + width + _RIGHT
    across = 6 if wide >= 720 else 3
    tall = max(_TOP + height + _BELOW + _LEGEND * (6 // across) + _GAP, 640)
    full = wide + PANEL_WIDTH + _GAP
    lands = {parse_space(tile.space): tile.land for tile in observation.tiles}
    return picture(
        full,
        tall,
        "Ozeanien",
        description(observation, names),
        sea_definitions(),
        piece_definitions(len(observation.seats)),
        rect(0, 0, full, tall, fill=SAND),
        group(*_board(observation, lands, width, height), transform=f"translate({_LEFT} {_TOP})"),
        group(
            *_legend(observation, across, (wide - 2 * _GAP) / across),
            transform=f"translate({_GAP} {_TOP + height + _BELOW})",
        ),
        group(*panel(observation, names, tall - 2 * _GAP), transform=f"translate({wide} {_GAP})"),
        prefix="ozeanien",
    )


def _board(observation: Observation, lands: Lands, width: float, height: float) -> Iterator[str]:
    everywhere = tuple(cells(observation.columns, observation.rows))
    unknown = tuple(cell for cell in everywhere if cell not in lands)
    reserve = frozenset(parse_space(tile.space) for tile in observation.tiles if tile.source != "sea")
    yield sea(lands, reserve) + fog(unknown)
    yield group(
        *(
            label(
                format_space(cell), cell[0] * TILE + 50, cell[1] * TILE + 57, 20, text_anchor="middle", fill="#a98f58"
            )
            for cell in unknown
        )
    )
    grid = "".join(f"M{column * TILE} 0V{height:g}" for column in range(1, observation.columns)) + "".join(
        f"M0 {row * TILE}H{width:g}" for row in range(1, observation.rows)
    )
    yield path(grid, stroke=INK, stroke_opacity=0.28, stroke_width=1.2)
    yield rect(0, 0, width, height, fill="none", stroke=_FRAME, stroke_width=5)
    yield from _edges(observation, width, height)
    yield from _imagined(observation)
    for index, space in enumerate(observation.last):
        column, row = parse_space(space)
        yield use("oz-filled" if index else "oz-latest", column * TILE + 50, row * TILE + 50)
    for each in observation.explorers:
        column, row = parse_space(each.space)
        x, y = standing_place(lands[column, row], None if each.part is None else each.part.value[0].upper())
        yield explorer(each.seat, each.value, column * TILE + x, row * TILE + y)
    yield from _ship(observation, lands)
    yield from _choices(observation, lands)


def _edges(observation: Observation, width: float, height: float) -> Iterator[str]:
    """The coordinates and the circles."""
    letters = (
        label(column_letter(column), (column + 0.5) * TILE, -12 if not _northern(observation) else -18, 18)
        for column in range(observation.columns)
    )
    numbers = (label(str(row + 1), -66, (row + 0.5) * TILE + 6.5, 18) for row in range(observation.rows))
    yield group(*letters, *numbers, text_anchor="middle", font_weight="bold", fill=INK)
    explored = {tile.space for tile in observation.tiles}
    numbered = {each.start: each.number for each in observation.starts}
    for name in observation.circles:
        x, y, space = _circle(name, observation, width, height)
        yield starting_circle(x, y, is_open=space not in explored, number=numbered.get(name))


def _northern(observation: Observation) -> bool:
    return any(name.startswith("north") for name in observation.circles)


def _circle(name: str, observation: Observation, width: float, height: float) -> tuple[float, float, str]:
    """The position (x, y) of a circle, and the name of the space at it."""
    side, place = name.split()
    if side in ("west", "east"):
        column = 0 if side == "west" else observation.columns - 1
        return (-30 if side == "west" else width + 30), (int(place) - 0.5) * TILE, f"{column_letter(column)}{place}"
    row = 1 if side == "north" else observation.rows
    return (parse_space(f"{place}1")[0] + 0.5) * TILE, (-30 if side == "north" else height + 30), f"{place}{row}"


def _imagined(observation: Observation) -> Iterator[str]:
    """R5.4: hatching over tiles that the reserve lacked."""
    for tile in observation.tiles:
        if tile.source == "imagined":
            x, y = (coordinate * TILE for coordinate in parse_space(tile.space))
            d = "".join(f"M{x + step} {y + 100}L{x + step + 22} {y + 78}" for step in range(4, 76, 16))
            yield path(d, stroke="#ffffff", stroke_width=2, stroke_opacity=0.9)


def _ship(observation: Observation, lands: Lands) -> Iterator[str]:
    if observation.ship is None:
        return
    if " " in observation.ship:
        x, y, _ = _circle(observation.ship, observation, observation.columns * TILE, observation.rows * TILE)
    else:
        column, row = parse_space(observation.ship)
        x, y = {"NS": (19, 54), "EW": (50, 26)}.get(lands[column, row]) or anchorage(
            lands[column, row]
        )  # in a strait, off both of its parts
        x, y = column * TILE + x, row * TILE + y
    yield use("oz-ship", x, y, 0.86)


def _choices(observation: Observation, lands: Lands) -> Iterator[str]:
    """The numbered choices: starting points on tiles, and small drawings of each way to place the
    tile at hand.
    """
    for each in observation.starts:
        if " " not in each.start:
            column, row = parse_space(each.start)
            x, y = anchorage(lands[column, row])
            dx, dy = _beside_ship(lands[column, row]) if observation.ship == each.start else (0, 0)
            yield badge(each.number, column * TILE + x + dx, row * TILE + y + dy)
    for space in dict.fromkeys(each.space for each in observation.placements):
        column, row = parse_space(space)
        ways = [each for each in observation.placements if each.space == space]
        yield rect(column * TILE + 2, row * TILE + 2, TILE - 4, TILE - 4, fill="#ffffff", fill_opacity=0.6)
        size, places = (
            (70.0, ((15.0, 15.0),)) if len(ways) == 1 else (42.0, ((5.0, 5.0), (53.0, 5.0), (5.0, 53.0), (53.0, 53.0)))
        )
        for way, (x, y) in zip(ways, places, strict=False):
            yield small_tile(way.land, column * TILE + x, row * TILE + y, size)
            yield badge(way.number, column * TILE + x + size / 2, row * TILE + y + size / 2)


def _beside_ship(land: str) -> tuple[float, float]:
    """The place of a starting point's number on the tile with the ship, off the land."""
    if land in ("N", "S", "NS", "EW"):
        return (0, 0) if len(land) == 2 else (32, 0)
    return (0, -36) if anchorage(land)[1] > 60 else (0, 31)


def _legend(observation: Observation, across: int, step: float) -> Iterator[str]:
    """Every kind of tile with the numbers unseen and in the reserve."""
    for index, kind in enumerate(Kind):
        x, y = index % across * step, index // across * _LEGEND
        yield small_tile(a_way_round(kind), x, y, 44)
        yield label(KIND_NAMES[kind].capitalize(), x + 51, y + 13, 14.5, font_weight="bold", fill=INK)
        yield label(f"{observation.unseen[kind]} unseen", x + 51, y + 29, 13, fill=INK)
        yield label(f"{observation.reserve[kind]} reserve", x + 51, y + 44, 13, fill=INK)
