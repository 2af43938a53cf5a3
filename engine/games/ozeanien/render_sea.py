"""The spaces of Ozeanien's board: islands as one shape across their tiles, tinted by who leads.

A tile is ``TILE`` wide. On an edge, land lies between two notches; a corner is land if all known
ones of the four edges that meet there are land.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from engine.games.ozeanien.render_layout import Palette
from engine.grid import Cell
from engine.svg import define, element, group, number, path, rect, shape, stroke, use
from engine.types import Seat

Led: TypeAlias = Mapping[tuple[Cell, str], Seat]
"""The seat that leads on a part of a tile, by the tile's cell and the part's edges."""

_NOBODY: Final[Led] = {}


def sea_definitions() -> str:
    """The definitions of waves, trees and hills."""
    leaves = "M-1 -4C-4 -8 -8 -7 -9 -3M-1 -4C-5 -5 -8 -3 -7 1M-1 -4C2 -9 6 -8 8 -4M-1 -4C3 -5 6 -3 6 1"
    return element(
        "defs",
        define("ozeanien-waves", stroke("M-9 0q2.25 -3 4.5 0t4.5 0t4.5 0t4.5 0", "#5fa3c4", 1.5)),
        define(
            "ozeanien-palm",
            stroke("M0 8C1 3 1 0 -1 -4", "#7a5a3a", 2),
            path(leaves, fill="none", stroke="#4c7a35", stroke_width=2.2),
        ),
        define(
            "ozeanien-hill",
            shape("M-11 7L-2 -9L4 1L6 -2L12 7Z", "#8f9a6a", "#5d6b3c", 1.3),
            path("M-2 -9L-5 -3.5L-2.5 -4.5L-.5 -3L1 -4Z", fill="#ffffff"),
        ),
    )


def sea(lands: Lands, led: Led, palette: Palette) -> str:
    """The explored spaces, the board's upper left corner at the origin."""
    shores = "".join(coast(cell, lands) for cell in lands)
    ways = "".join(routes(cell, land) for cell, land in lands.items())
    shapes: list[list[str]] = [[] for _ in palette.lands]
    for cell in lands:
        for part, outline in outlines(cell, lands):
            shapes[led.get((cell, part), -1) + 1].append(outline)
    waters = rect_path(lands)
    if palette.marked:
        return group(
            path(waters, fill=palette.sea),
            *_lands(shapes, palette),
            *_marks(led, palette),
            stroke(shores, palette.shore, 2.4),
            stroke(ways, palette.route, 2.6, "0.1 8"),
        )
    return group(
        path(waters, fill=palette.sea),
        stroke(shores, palette.shallows, 15),
        *_waves(lands),
        *_lands(shapes, palette),
        stroke(shores, palette.shore, 8.4),
        stroke(shores, palette.beach, 6),
        *_scenery(lands),
        stroke(ways, palette.route, 4.6, "0.1 8"),
        stroke(ways, "#ffffff", 3.2, "0.1 8"),
    )


def rect_path(cells: Iterator[Cell] | Sequence[Cell] | Lands) -> str:
    """The squares of spaces as path data."""
    return "".join(f"M{x * TILE} {y * TILE}h{TILE}v{TILE}h-{TILE}z" for x, y in cells)


@lru_cache(maxsize=64)
def tile_picture(land: str, palette: Palette) -> str:
    """A single tile of 100 by 100 with its upper left corner at the origin."""
    # A nested svg element clips the shores at the edges of the tile.
    drawn = element("svg", sea({(0, 0): land}, _NOBODY, palette), width=TILE, height=TILE, viewBox="0 0 100 100")
    return drawn + rect(0, 0, TILE, TILE, fill="none", stroke=palette.ink, stroke_width=4)


def fog(cells: Sequence[Cell], palette: Palette) -> str:
    """The unexplored spaces: parchment with thin lines; blank on paper."""
    squares = path(rect_path(cells), fill=palette.fog)
    if palette.marked:
        return squares
    wisps = "".join(
        f"M{x * TILE + 12} {y * TILE + 88}q18 -18 40 -4t38 -10M{x * TILE + 10} {y * TILE + 20}q26 -12 46 0t36 -6"
        for x, y in cells
    )
    return squares + stroke(wisps, palette.fog_line, 2)


def cloud(x: float, y: float) -> str:
    """The mark of a tile from the reserve."""
    d = f"M{x - 9:g} {y + 4:g}a4 4 0 0 1 1 -7.6a5.4 5.4 0 0 1 10 -.4a4 4 0 0 1 .6 8Z"
    return path(d, fill="#ffffff", fill_opacity=0.9, stroke="#5b7f93", stroke_width=1)


def hatching(x: float, y: float, palette: Palette) -> str:
    """R5.4: the mark of a tile that the reserve lacked; (x, y) is the lower left corner."""
    d = "".join(f"M{x + step:g} {y:g}l22 -22" for step in range(4, 76, 16))
    return path(d, fill="none", stroke=palette.ink if palette.marked else "#ffffff", stroke_width=2, stroke_opacity=0.9)


def _lands(shapes: Sequence[Sequence[str]], palette: Palette) -> Iterator[str]:
    for colour, outlined in zip(palette.lands, shapes, strict=True):
        if outlined:
            yield path("".join(outlined), fill=colour)


def _marks(led: Led, palette: Palette) -> Iterator[str]:
    """Strokes on the land that the first seat leads, rings on that of the second: at the edges."""
    strokes, rings = [], []
    for ((column, row), part), seat in led.items():
        for edge in part:
            x, y = MIDDLE[edge]
            across, down = (1, 0) if edge in "NS" else (0, 1)
            for along in (-20, 0, 20):
                mx = column * TILE + x + (50 - x) * 0.2 + across * along
                my = row * TILE + y + (50 - y) * 0.2 + down * along
                if seat == 0:
                    strokes.append(f"M{mx - 5:g} {my + 5:g}l10 -10")
                else:
                    rings.append(f"M{mx - 3:g} {my:g}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0")
    if strokes:
        yield stroke("".join(strokes), palette.shore, 2)
    if rings:
        yield stroke("".join(rings), palette.shore, 1.2)


def _waves(lands: Lands) -> Iterator[str]:
    for (x, y), land in lands.items():
        for dx, dy, needs in ((24, 24, "NW"), (77, 25, "NE"), (24, 78, "SW"), (77, 77, "SE")):
            if not set(needs) & set(land):
                yield use("ozeanien-waves", x * TILE + dx + (x * 7 + y * 5) % 5 - 2, y * TILE + dy)


def _scenery(lands: Lands) -> Iterator[str]:
    """A hill or a palm on tiles with much land, beside the place of an explorer."""
    for (x, y), land in lands.items():
        if len(land) >= 3:
            px, py = standing_place(land, None)
            dx, dy = (27, 0) if {"E", "W"} <= set(land) else (0, 27)
            first, second = ("ozeanien-hill", "ozeanien-palm") if (x + y) % 2 else ("ozeanien-palm", "ozeanien-hill")
            yield use(first, x * TILE + px + dx, y * TILE + py + dy)
            yield use(second, x * TILE + px - dx, y * TILE + py - dy)


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
    """Whether the corner between two edges is land, as are all known edges around it."""
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
    return {"N": (along, 0), "E": (TILE, along), "S": (TILE - along, TILE), "W": (0, TILE - along)}[edge]


def _shores(cell: Cell, lands: Lands) -> Iterator[tuple[tuple[Point, Point], str]]:
    """For each land edge, clockwise by parts: its span, and the shore to the next ("" if none)."""
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
        pulled = [
            (
                x + inward[0] * far + (x - 50) * 0.24 * abs(inward[1]),
                y + inward[1] * far + (y - 50) * 0.24 * abs(inward[0]),
            )
            for (x, y), far in ((start, depth), (end, depth * 0.92))
        ]
        return f"C{' '.join(_at(point, cell) for point in (*pulled, end))}"
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
