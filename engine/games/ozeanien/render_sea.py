"""The explored and the unexplored spaces of Ozeanien's board: islands drawn as one shape across
their tiles and tinted by who leads on them, with beaches, shallows and dotted routes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from engine.games.ozeanien.render_coast import MIDDLE, TILE, Lands, coast, outlines, routes, standing_place
from engine.games.ozeanien.render_palette import Palette
from engine.grid import Cell
from engine.svg import define, element, group, path, rect, use
from engine.types import Seat

Led: TypeAlias = Mapping[tuple[Cell, str], Seat]
"""The seat that leads on a part of a tile, by the tile's cell and the part's edges; parts that
nobody leads are left out.
"""

_NOBODY: Final[Led] = {}


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
            _line(shores, palette.shore, 2.4),
            _line(ways, palette.route, 2.6, "0.1 8"),
        )
    return group(
        path(waters, fill=palette.sea),
        _line(shores, palette.shallows, 15),
        *_waves(lands),
        *_lands(shapes, palette),
        _line(shores, palette.shore, 8.4),
        _line(shores, palette.beach, 6),
        *_scenery(lands),
        _line(ways, palette.route, 4.6, "0.1 8"),
        _line(ways, "#ffffff", 3.2, "0.1 8"),
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
    return squares + _line(wisps, palette.fog_line, 2)


def cloud(x: float, y: float) -> str:
    """The mark of a tile from the reserve."""
    return path(
        f"M{x - 9:g} {y + 4:g}a4 4 0 0 1 1 -7.6a5.4 5.4 0 0 1 10 -.4a4 4 0 0 1 .6 8Z",
        fill="#ffffff",
        fill_opacity=0.9,
        stroke="#5b7f93",
        stroke_width=1,
    )


def hatching(x: float, y: float, palette: Palette) -> str:
    """R5.4: the mark of a tile that the reserve lacked; (x, y) is the lower left corner."""
    d = "".join(f"M{x + step:g} {y:g}l22 -22" for step in range(4, 76, 16))
    return path(d, fill="none", stroke=palette.ink if palette.marked else "#ffffff", stroke_width=2, stroke_opacity=0.9)


def _line(d: str, colour: str, width: float, dashes: str | None = None) -> str:
    return path(d, fill="none", stroke=colour, stroke_width=width, stroke_linecap="round", stroke_dasharray=dashes)


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
        yield _line("".join(strokes), palette.shore, 2)
    if rings:
        yield _line("".join(rings), palette.shore, 1.2)


def _waves(lands: Lands) -> Iterator[str]:
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
