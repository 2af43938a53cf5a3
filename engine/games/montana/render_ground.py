"""The picture of Montana's landscape without pieces: hexes with a corner at the top; terrain
differs in drawing as well as colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Final, TypeAlias

from engine.games.montana.board import DIRECTIONS
from engine.games.montana.components import Terrain
from engine.games.montana.observation import HexObservation
from engine.games.montana.render_sheet import Look
from engine.svg import INK, define, element, group, number, path, polygon, use

Point: TypeAlias = tuple[float, float]

SIZE: Final = 48
"""The distance from the middle of a hex to a corner, in user units."""
ACROSS: Final = sqrt(3) * SIZE
DOWN: Final = 1.5 * SIZE
_CORNERS: Final[tuple[Point, ...]] = (
    (0, -SIZE),
    (ACROSS / 2, -SIZE / 2),
    (ACROSS / 2, SIZE / 2),
    (0, SIZE),
    (-ACROSS / 2, SIZE / 2),
    (-ACROSS / 2, -SIZE / 2),
)
"""Clockwise from the top."""
_GRASS: Final = "M-3 3C-3 0 -4 -3 -6 -5M-1 3C-1 -1 -1 -4 0 -7M1 3C2 0 3 -2 6 -4"
_TUFTS: Final = (
    ((-29, 19), (27, 17), (-17, -31)),
    ((29, 20), (-30, -15), (18, -30)),
    ((-25, 23), (30, -16), (-31, -13)),
)


def ground_definitions(look: Look) -> str:
    """The definitions of the terrain, each with the middle of its hex at the origin."""
    return element(
        "defs",
        *(
            define(
                f"mt-prairie-{variant}",
                path(
                    "".join(_moved(_GRASS, x, y) for x, y in places),
                    fill="none",
                    stroke="#9db061",
                    stroke_width=1.6,
                    stroke_linecap="round",
                ),
            )
            for variant, places in enumerate(_TUFTS)
        ),
        define(
            "mt-lake",
            path(rounded(0.92, 15), fill=look.lake[0], stroke="#3d7fa6", stroke_width=2.2),
            path(
                "M-27 -11q4.5 -5.5 9 0t9 0M9 -16q4.5 -5.5 9 0t9 0M-20 25q4.5 -5.5 9 0t9 0t9 0M14 17q4.5 -5.5 9 0t9"
                " 0M-33 14q4.5 -5.5 9 0",
                fill="none",
                stroke="#3d7fa6",
                stroke_width=2.2,
                stroke_linecap="round",
            ),
        ),
        define(
            "mt-mountain",
            path(
                "M6 29L22 -3L39 21C32 27 20 29 6 29Z",
                fill=look.rock[1],
                stroke="#5a5148",
                stroke_width=1.8,
                stroke_linejoin="round",
            ),
            path("M22 -3L17 7L21 5L24 10L26.5 5L28.5 6.5Z", fill="#ffffff"),
            path(
                "M-38 22L-9 -28L22 28C2 32 -24 31 -38 22Z",
                fill=look.rock[1],
                stroke="#5a5148",
                stroke_width=1.8,
                stroke_linejoin="round",
            ),
            path("M-9 -28L22 28C15 30 8 30.5 1 30.5L-6 8L0 -4Z", fill=look.rock[2]),
            path(
                "M-9 -28L-19 -10L-13 -14L-9 -7L-4 -14L1 -9.5Z",
                fill="#ffffff",
                stroke="#5a5148",
                stroke_width=0.8,
                stroke_linejoin="round",
            ),
            path(
                "M-33 31l4.5 -13l4.5 13zM-25 34l3.5 -10l3.5 10zM29 31l4 -12l4 12z",
                fill="#5f7a4c",
                stroke="#3d5230",
                stroke_width=1,
                stroke_linejoin="round",
            ),
        ),
    )


def middle(hexagon: HexObservation) -> Point:
    """The middle of a hex, relative to that of hex (0, 0), in user units."""
    return (hexagon.q + hexagon.r / 2) * ACROSS, hexagon.r * DOWN


def outline(scale: float = 1) -> tuple[Point, ...]:
    """The corners of a hex around the origin."""
    return tuple((x * scale, y * scale) for x, y in _CORNERS)


def rounded(scale: float, radius: float) -> str:
    """The outline of a hex around the origin, with round corners, as path data."""
    corners, written = outline(scale), []
    for index, (x, y) in enumerate(corners):
        (ax, ay), (bx, by) = corners[index - 1], corners[(index + 1) % len(corners)]
        share = radius / (SIZE * scale)
        start, end = (x + (ax - x) * share, y + (ay - y) * share), (x + (bx - x) * share, y + (by - y) * share)
        written.append(f"{'L' if index else 'M'}{_at(start)}Q{_at((x, y))} {_at(end)}")
    return "".join(written) + "Z"


def ground(hexes: Sequence[HexObservation], look: Look, plants: bool) -> str:
    """The landscape with the borders of its tiles, the middle of hex (0, 0) at the origin.

    Without ``plants`` prairies are plain, and mountains leave room for a large name.
    """
    outer = group(
        *(polygon(_around(hexagon, 1.0)) for hexagon in hexes),
        fill="#4a3421",
        fill_opacity=look.shadow,
        transform="translate(0 7)",
    )
    return group(
        outer if look.shadow else "",
        *(polygon(_around(hexagon, 1.012), fill=_fill(hexagon, look)) for hexagon in hexes),
        *_scenery(hexes, plants),
        path(_borders(hexes, inside=True), stroke=INK, stroke_opacity=0.25, stroke_width=1.2),
        path(_borders(hexes, inside=False), stroke="#4a3421", stroke_width=3, stroke_linecap="round"),
    )


def _fill(hexagon: HexObservation, look: Look) -> str:
    match hexagon.terrain:
        case Terrain.LAKE:
            return look.lake[1]
        case Terrain.MOUNTAIN:
            return look.rock[0]
        case Terrain.PRAIRIE:
            return look.open if hexagon.open else look.prairie[(hexagon.q - hexagon.r) % 3]


def _scenery(hexes: Sequence[HexObservation], plants: bool) -> Iterator[str]:
    for hexagon in hexes:
        x, y = middle(hexagon)
        match hexagon.terrain:
            case Terrain.PRAIRIE if plants:
                yield use(f"mt-prairie-{(hexagon.q + 2 * hexagon.r) % 3}", x, y)
            case Terrain.MOUNTAIN if not plants:
                yield use("mt-mountain", x, y + 11, 0.82)
            case Terrain.MOUNTAIN | Terrain.LAKE:
                yield use(f"mt-{hexagon.terrain}", x, y)
            case _:
                pass


def _borders(hexes: Sequence[HexObservation], inside: bool) -> str:
    """The sides between hexes of one tile, or those between tiles and at the edge, each once."""
    tiles = {(hexagon.q, hexagon.r): hexagon.tile for hexagon in hexes}
    written = []
    for hexagon in hexes:
        corners = _around(hexagon, 1)
        for side, (q, r) in enumerate(DIRECTIONS):
            other = (hexagon.q + q, hexagon.r + r)
            if (tiles.get(other) == hexagon.tile) == inside and (other not in tiles or other > (hexagon.q, hexagon.r)):
                written.append(f"M{_at(corners[(side + 1) % 6])}L{_at(corners[(side + 2) % 6])}")
    return "".join(written)


def _around(hexagon: HexObservation, scale: float) -> tuple[Point, ...]:
    x, y = middle(hexagon)
    return tuple((x + dx, y + dy) for dx, dy in outline(scale))


def _at(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"


def _moved(d: str, x: float, y: float) -> str:
    """Path data of absolute M and C commands, shifted by (x, y)."""
    words = d.replace("M", " M ").replace("C", " C ").split()
    found, across = [], True
    for word in words:
        if word in "MC":
            found.append(word)
        else:
            found.append(number(float(word) + (x if across else y)))
            across = not across
    return " ".join(found)
