"""The sea and the land of Ozeanien's board: islands drawn as one shape across their tiles, with
beaches, shallows and dotted routes.

A tile is ``TILE`` wide. On an edge, land lies between two notches of ``_NOTCH``; a corner is land
if all known ones of the four edges that meet there are land.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from engine.grid import Cell
from engine.svg import define, element, group, number, path, rect, use

Lands: TypeAlias = Mapping[Cell, str]
"""The land edges of every explored space."""
Point: TypeAlias = tuple[float, float]

TILE: Final = 100
_NOTCH: Final = 17
_INLET: Final = 0.16
_ORDER: Final = "NESW"
_OPPOSITE: Final = {"N": "S", "E": "W", "S": "N", "W": "E"}
_STEP: Final = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
_MIDDLE: Final = {"N": (50.0, 0.0), "E": (100.0, 50.0), "S": (50.0, 100.0), "W": (0.0, 50.0)}

SEA: Final = "#8fc8e0"
SHALLOWS: Final = "#bfe4ea"
BEACH: Final = "#f0dca6"
LAND: Final = "#a9c77f"
SHORE: Final = "#7d6a3a"
FOG: Final = "#efe2c0"


def sea_definitions() -> str:
    """The definitions of waves, trees and hills."""
    return element(
        "defs",
        define(
            "oz-waves",
            path(
                "M-9 0q2.25 -3 4.5 0t4.5 0t4.5 0t4.5 0",
                fill="none",
                stroke="#5fa3c4",
                stroke_width=1.5,
                stroke_linecap="round",
            ),
        ),
        define(
            "oz-palm",
            path("M0 8C1 3 1 0 -1 -4", fill="none", stroke="#7a5a3a", stroke_width=2, stroke_linecap="round"),
            path(
                "M-1 -4C-4 -8 -8 -7 -9 -3M-1 -4C-5 -5 -8 -3 -7 1M-1 -4C2 -9 6 -8 8 -4M-1 -4C3 -5 6 -3 6 1",
                fill="none",
                stroke="#4c7a35",
                stroke_width=2.2,
            ),
        ),
        define(
            "oz-hill",
            path(
                "M-11 7L-2 -9L4 1L6 -2L12 7Z",
                fill="#8f9a6a",
                stroke="#5d6b3c",
                stroke_width=1.3,
                stroke_linejoin="round",
            ),
            path("M-2 -9L-5 -3.5L-2.5 -4.5L-.5 -3L1 -4Z", fill="#ffffff"),
        ),
    )


def sea(lands: Lands, reserve: frozenset[Cell]) -> str:
    """The explored spaces, the board's upper left corner at the origin."""
    return group(
        *(rect(x * TILE, y * TILE, TILE, TILE, fill=SEA) for x, y in lands),
        path(
            "".join(_coast(cell, lands) for cell in lands),
            fill="none",
            stroke=SHALLOWS,
            stroke_width=15,
            stroke_linecap="round",
        ),
        *_clipped_waves(lands),
        path("".join(_outline(cell, lands) for cell in lands), fill=LAND),
        path(
            "".join(_coast(cell, lands) for cell in lands),
            fill="none",
            stroke=SHORE,
            stroke_width=8.4,
            stroke_linecap="round",
        ),
        path(
            "".join(_coast(cell, lands) for cell in lands),
            fill="none",
            stroke=BEACH,
            stroke_width=6,
            stroke_linecap="round",
        ),
        *_scenery(lands),
        path(
            "".join(_routes(cell, lands[cell]) for cell in lands),
            fill="none",
            stroke="#3f86ab",
            stroke_width=4.6,
            stroke_linecap="round",
            stroke_dasharray="0.1 8",
        ),
        path(
            "".join(_routes(cell, lands[cell]) for cell in lands),
            fill="none",
            stroke="#ffffff",
            stroke_width=3.2,
            stroke_linecap="round",
            stroke_dasharray="0.1 8",
        ),
        *(_cloud(cell) for cell in lands if cell in reserve),
    )


def parts(land: str) -> tuple[str, ...]:
    """The parts of islands on a tile by their edges: the two sides of a strait, or all of them."""
    if land in ("NS", "EW"):
        return land[0], land[1]
    return (land,) if land else ()


def standing_place(land: str, part: str | None) -> Point:
    """The place of an explorer on a tile, from the tile's upper left corner."""
    if part is not None:
        x, y = _MIDDLE[part]
        return 50 + (x - 50) * 0.58, 50 + (y - 50) * 0.58
    if len(land) == 1:
        x, y = _MIDDLE[land]
        return 50 + (x - 50) * 0.44, 50 + (y - 50) * 0.44
    across = sum(_MIDDLE[edge][0] - 50 for edge in land)
    down = sum(_MIDDLE[edge][1] - 50 for edge in land)
    return 50 + across * 0.3, 50 + down * 0.3


def anchorage(land: str) -> Point:
    """The point on a tile at which its routes meet and the ship is drawn."""
    if land in ("", "NS", "EW"):
        return 50.0, 50.0
    across = sum(50 - _MIDDLE[edge][0] for edge in land)
    down = sum(50 - _MIDDLE[edge][1] for edge in land)
    pull = {1: 0.44, 2: 0.5, 3: 0.55}.get(len(land), 0)
    return 50 + across * pull, 50 + down * pull


def _corner(cell: Cell, lands: Lands, first: str, second: str) -> bool:
    """Whether the corner between two edges is land: both are land, and so are those of the two
    others at that corner that are known.
    """
    if not {first, second} <= set(lands[cell]):
        return False
    (dx, dy), (ex, ey), (x, y) = _STEP[first], _STEP[second], cell
    back = {_OPPOSITE[first], _OPPOSITE[second]}
    around = (
        (lands.get((x + dx, y + dy)), {second}),
        (lands.get((x + ex, y + ey)), {first}),
        (lands.get((x + dx + ex, y + dy + ey)), back),
    )
    return all(land is None or needed <= set(land) for land, needed in around)


def _span(cell: Cell, lands: Lands, edge: str) -> tuple[Point, Point]:
    """The points at which the land of an edge begins and ends, clockwise."""
    before, after = _ORDER[(_ORDER.index(edge) - 1) % 4], _ORDER[(_ORDER.index(edge) + 1) % 4]
    start = 0 if _corner(cell, lands, edge, before) else _NOTCH
    end = TILE if _corner(cell, lands, edge, after) else TILE - _NOTCH
    return _on_edge(edge, start), _on_edge(edge, end)


def _on_edge(edge: str, along: float) -> Point:
    """The point at the distance ``along`` from the beginning of an edge, clockwise."""
    match edge:
        case "N":
            return along, 0
        case "E":
            return TILE, along
        case "S":
            return TILE - along, TILE
        case _:
            return 0, TILE - along


def _shores(cell: Cell, lands: Lands) -> Iterator[tuple[tuple[Point, Point], str]]:
    """For each land edge, clockwise around each part: its span, and the path of the shore to the
    next land edge, "" if the land continues around the corner.
    """
    land = lands[cell]
    for part in parts(land):
        edges = [edge for edge in _ORDER if edge in part]
        for index, edge in enumerate(edges):
            following = edges[(index + 1) % len(edges)]
            span = _span(cell, lands, edge)
            start, end = span[1], _span(cell, lands, following)[0]
            yield span, _shore(land, edge, following, start, end, cell)


def _shore(land: str, edge: str, following: str, start: Point, end: Point, cell: Cell) -> str:
    """The shore from one land edge to the next, clockwise, as a path from ``start``."""
    turns = (_ORDER.index(following) - _ORDER.index(edge)) % 4
    if turns == 1:
        if start == end:
            return ""
        inner = (start[0] if edge in "NS" else end[0], end[1] if edge in "NS" else start[1])
        return f"Q{_at(inner, cell)} {_at(end, cell)}"
    ex, ey = _MIDDLE[edge]
    inward = (50 - ex) / 50, (50 - ey) / 50
    if turns == 0:
        depth = 56 if len(land) > 1 else 88
        first = (
            start[0] + inward[0] * depth + (start[0] - 50) * 0.24 * abs(inward[1]),
            start[1] + inward[1] * depth + (start[1] - 50) * 0.24 * abs(inward[0]),
        )
        second = (
            end[0] + inward[0] * depth * 0.92 + (end[0] - 50) * 0.24 * abs(inward[1]),
            end[1] + inward[1] * depth * 0.92 + (end[1] - 50) * 0.24 * abs(inward[0]),
        )
        return f"C{_at(first, cell)} {_at(second, cell)} {_at(end, cell)}"
    if turns == 2:
        # The inlet of a bay begins at the sea edge between the two land edges.
        sx, sy = _MIDDLE[_ORDER[(_ORDER.index(edge) + 1) % 4]]
        deepest = 50 + (sx - 50) * _INLET, 50 + (sy - 50) * _INLET
        bends = (start, 24), (deepest, -22), (deepest, 0), (deepest, 22), (end, -24), (end, 0)
        points = [_at((x + inward[0] * along, y + inward[1] * along), cell) for (x, y), along in bends]
        return f"C{' '.join(points[:3])}C{' '.join(points[3:])}"
    fx, fy = _MIDDLE[following]
    onward = (50 - fx) / 50, (50 - fy) / 50
    first = (start[0] + inward[0] * 62, start[1] + inward[1] * 62)
    second = (end[0] + onward[0] * 62, end[1] + onward[1] * 62)
    return f"C{_at(first, cell)} {_at(second, cell)} {_at(end, cell)}"


def _outline(cell: Cell, lands: Lands) -> str:
    """The land of a tile as closed shapes."""
    land, written = lands[cell], []
    shores = iter(_shores(cell, lands))
    for part in parts(land):
        for index in range(len(part)):
            (begin, end), shore = next(shores)
            written.append(f"{'L' if index else 'M'}{_at(begin, cell)}L{_at(end, cell)}{shore}")
        written.append("Z")
    return "".join(written)


def _coast(cell: Cell, lands: Lands) -> str:
    """The shores of a tile as path data, without the edges across which the land continues."""
    return "".join(f"M{_at(span[1], cell)}{shore}" for span, shore in _shores(cell, lands) if shore)


def _at(point: Point, cell: Cell) -> str:
    return f"{number(point[0] + cell[0] * TILE)} {number(point[1] + cell[1] * TILE)}"


def _routes(cell: Cell, land: str) -> str:
    """The lines from every sea edge to the point where the routes of the tile meet."""
    hub = anchorage(land)
    found = []
    for edge in _ORDER:
        if edge in land:
            continue
        x, y = _MIDDLE[edge]
        bend = (x + (50 - x) * 0.45, y + (50 - y) * 0.45)
        found.append(f"M{_at((x + (50 - x) * 0.03, y + (50 - y) * 0.03), cell)}Q{_at(bend, cell)} {_at(hub, cell)}")
    return "".join(found)


def _clipped_waves(lands: Lands) -> Iterator[str]:
    for (x, y), land in lands.items():
        for dx, dy, needs in ((24, 24, "NW"), (77, 25, "NE"), (24, 78, "SW"), (77, 77, "SE")):
            if not set(needs) & set(land):
                yield use("oz-waves", x * TILE + dx + (x * 7 + y * 5) % 5 - 2, y * TILE + dy)


def _scenery(lands: Lands) -> Iterator[str]:
    """A hill or a palm on tiles with much land, beside the place of an explorer."""
    for (x, y), land in lands.items():
        if len(land) >= 3:
            px, py = standing_place(land, None)
            dx, dy = (27, 0) if {"E", "W"} <= set(land) else (0, 27)
            first, second = ("oz-hill", "oz-palm") if (x + y) % 2 else ("oz-palm", "oz-hill")
            yield use(first, x * TILE + px + dx, y * TILE + py + dy) + use(
                second, x * TILE + px - dx, y * TILE + py - dy
            )


def _cloud(cell: Cell) -> str:
    """The cloud icon that marks a tile from the reserve."""
    x, y = cell[0] * TILE + 86, cell[1] * TILE + 89
    return path(
        f"M{x - 9} {y + 4}a4 4 0 0 1 1 -7.6a5.4 5.4 0 0 1 10 -.4a4 4 0 0 1 .6 8Z",
        fill="#ffffff",
        fill_opacity=0.9,
        stroke="#5b7f93",
        stroke_width=1,
    )


def fog(cells: tuple[Cell, ...]) -> str:
    """The unexplored spaces: the background of parchment with thin lines."""
    return group(
        *(rect(x * TILE, y * TILE, TILE, TILE, fill=FOG) for x, y in cells),
        *(
            path(
                f"M{x * TILE + 12} {y * TILE + 88}Q{x * TILE + 30} {y * TILE + 70} {x * TILE + 52}"
                f" {y * TILE + 84}T{x * TILE + 90} {y * TILE + 74}M{x * TILE + 10} {y * TILE + 20}Q{x * TILE + 36}"
                f" {y * TILE + 8} {x * TILE + 56} {y * TILE + 20}T{x * TILE + 92} {y * TILE + 14}",
                fill="none",
                stroke="#d8c391",
                stroke_width=2,
                stroke_linecap="round",
            )
            for x, y in cells
        ),
    )
