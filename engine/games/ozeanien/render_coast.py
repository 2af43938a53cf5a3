"""The lines of Ozeanien's tiles: shores, the outlines of land, dotted routes, as SVG path data, and
the places of pieces on a tile.

A tile is ``TILE`` wide. On an edge, land lies between two notches of ``_NOTCH``; a corner is land
if all known ones of the four edges that meet there are land.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from engine.grid import Cell
from engine.svg import number

Lands: TypeAlias = Mapping[Cell, str]
"""The land edges of every explored space."""
Point: TypeAlias = tuple[float, float]

TILE: Final = 100
MIDDLE: Final = {"N": (50.0, 0.0), "E": (100.0, 50.0), "S": (50.0, 100.0), "W": (0.0, 50.0)}
"""The middle of each edge of a tile."""
_NOTCH: Final = 17
_INLET: Final = 0.16
_ORDER: Final = "NESW"
_OPPOSITE: Final = {"N": "S", "E": "W", "S": "N", "W": "E"}
_STEP: Final = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


def parts(land: str) -> tuple[str, ...]:
    """The parts of islands on a tile by their edges: the two sides of a strait, or all of them."""
    if land in ("NS", "EW"):
        return land[0], land[1]
    return (land,) if land else ()


def standing_place(land: str, part: str | None) -> Point:
    """The place of an explorer on a tile, from the tile's upper left corner."""
    if part is not None:
        x, y = MIDDLE[part]
        return 50 + (x - 50) * 0.58, 50 + (y - 50) * 0.58
    if len(land) == 1:
        x, y = MIDDLE[land]
        return 50 + (x - 50) * 0.44, 50 + (y - 50) * 0.44
    across = sum(MIDDLE[edge][0] - 50 for edge in land)
    down = sum(MIDDLE[edge][1] - 50 for edge in land)
    return 50 + across * 0.3, 50 + down * 0.3


def anchorage(land: str) -> Point:
    """The point on a tile at which its routes meet and the ship is drawn."""
    if land in ("", "NS", "EW"):
        return 50.0, 50.0
    across = sum(50 - MIDDLE[edge][0] for edge in land)
    down = sum(50 - MIDDLE[edge][1] for edge in land)
    pull = {1: 0.44, 2: 0.5, 3: 0.55}.get(len(land), 0)
    return 50 + across * pull, 50 + down * pull


def outlines(cell: Cell, lands: Lands) -> Iterator[tuple[str, str]]:
    """The parts of a tile, each as its edges and its land as a closed shape."""
    land = lands[cell]
    shores = iter(_shores(cell, lands))
    for part in parts(land):
        written = []
        for index in range(len(part)):
            (begin, end), shore = next(shores)
            written.append(f"{'L' if index else 'M'}{_at(begin, cell)}L{_at(end, cell)}{shore}")
        yield part, "".join((*written, "Z"))


def coast(cell: Cell, lands: Lands) -> str:
    """The shores of a tile as path data, without the edges across which the land continues."""
    return "".join(f"M{_at(span[1], cell)}{shore}" for span, shore in _shores(cell, lands) if shore)


def routes(cell: Cell, land: str) -> str:
    """The lines from every sea edge to the point where the routes of the tile meet."""
    hub = anchorage(land)
    found = []
    for edge in _ORDER:
        if edge in land:
            continue
        x, y = MIDDLE[edge]
        bend = (x + (50 - x) * 0.45, y + (50 - y) * 0.45)
        found.append(f"M{_at((x + (50 - x) * 0.03, y + (50 - y) * 0.03), cell)}Q{_at(bend, cell)} {_at(hub, cell)}")
    return "".join(found)


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
    ex, ey = MIDDLE[edge]
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
        sx, sy = MIDDLE[_ORDER[(_ORDER.index(edge) + 1) % 4]]
        deepest = 50 + (sx - 50) * _INLET, 50 + (sy - 50) * _INLET
        bends = (start, 24), (deepest, -22), (deepest, 0), (deepest, 22), (end, -24), (end, 0)
        points = [_at((x + inward[0] * along, y + inward[1] * along), cell) for (x, y), along in bends]
        return f"C{' '.join(points[:3])}C{' '.join(points[3:])}"
    fx, fy = MIDDLE[following]
    onward = (50 - fx) / 50, (50 - fy) / 50
    first = (start[0] + inward[0] * 62, start[1] + inward[1] * 62)
    second = (end[0] + onward[0] * 62, end[1] + onward[1] * 62)
    return f"C{_at(first, cell)} {_at(second, cell)} {_at(end, cell)}"


def _at(point: Point, cell: Cell) -> str:
    return f"{number(point[0] + cell[0] * TILE)} {number(point[1] + cell[1] * TILE)}"
