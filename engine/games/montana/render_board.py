"""The landscape of Montana's picture, fitted to its room: hexes with a corner at the top, names,
costs, cows, canteens, settlements, what can be built on now.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Final, TypeAlias

from engine import svg
from engine.games.montana.board import DIRECTIONS
from engine.games.montana.components import GOODS, Good, Terrain
from engine.games.montana.facts import counted
from engine.games.montana.observe import HexObservation, Observation
from engine.games.montana.render_icons import good_icon, settlement_icon
from engine.games.montana.render_layout import Look, Marks, Scene
from engine.panel import Block
from engine.svg import ACCENT, INK, LETTER, PAPER

_USUAL: Final = 1.08
_LARGEST: Final = 1.25
_EDGE: Final = 2.0
_SHADOW: Final = 8.0


def land(scene: Scene, width: float, high: float) -> Block:
    """The landscape in the middle of the given room."""
    observation, sheet = scene.observation, scene.sheet
    left, top, right, bottom = _extent(observation.hexes)
    scale = min(_LARGEST, width / (right - left), high / (bottom - top))
    drawn = svg.group(
        ground(observation.hexes, sheet.look, plants=not sheet.marks.compact),
        *pieces(observation, sheet.marks, scale),
        *(
            svg.pick(scene.choices, f"{hexagon.name}, {counted(hexagon.cost)}", _whole(hexagon), {"hex": hexagon.name})
            for hexagon in observation.hexes
        ),
        transform=svg.to((width - (right + left) * scale) / 2, (high - (bottom + top) * scale) / 2, scale),
    )
    return Block(high, drawn)


def least_height(scene: Scene, width: float) -> float:
    """The height of the landscape where no more room than that is left."""
    left, top, right, bottom = _extent(scene.observation.hexes)
    return (bottom - top) * min(_USUAL, width / (right - left))


def _extent(hexes: Sequence[HexObservation]) -> tuple[float, float, float, float]:
    """The left, top, right and bottom coordinates of the landscape."""
    middles = [middle(hexagon) for hexagon in hexes] or [(0.0, 0.0)]
    across, down = [x for x, _ in middles], [y for _, y in middles]
    half = ACROSS / 2 + _EDGE
    return min(across) - half, min(down) - SIZE - _EDGE, max(across) + half, max(down) + SIZE + _SHADOW


_IN_A_ROW: Final = 3
_WIDE: Final = 24
_HIGH: Final = 26
_LARGE: Final = (Good.LARGE_COPPER, Good.LARGE_STONE)
_PLACES: Final = {
    1: ((0.0, 5.0, 1.12),),
    2: ((-17.0, 7.0, 0.88), (17.0, 7.0, 0.88)),
    3: ((0.0, -10.0, 0.74), (-17.0, 18.0, 0.74), (17.0, 18.0, 0.74)),
}
"""The positions of one to three settlements on a hex, with their scale."""
_SMALLEST: Final = 11.1
"""The smallest size of a name in the picture, and on a small hex of all there is, whatever the
scale of the landscape.
"""
_ROOM: Final = 80


def pieces(observation: Observation, marks: Marks, scale: float) -> Iterator[str]:
    """All marks and pieces, hex (0, 0) at the origin, of a landscape drawn at ``scale``."""
    hexes, over = observation.hexes, observation.outcome is not None
    least = _SMALLEST / scale
    for hexagon in hexes:
        found = "".join(_piece(hexagon, marks, least, over))
        if found:
            yield svg.group(found, transform=svg.to(*middle(hexagon)))
    for hexagon in hexes:
        if hexagon.name in observation.last:
            yield svg.group(*latest(), transform=svg.to(*middle(hexagon)))
    size = max(marks.name_size, least)
    widest = max((svg.text_width(hexagon.name, size, bold=True) for hexagon in hexes), default=0)
    yield svg.group(
        *(svg.label(hexagon.name, middle(hexagon)[0], middle(hexagon)[1] + marks.name_y, size) for hexagon in hexes),
        text_anchor="middle",
        font_weight="bold" if widest < ACROSS else None,
        fill=INK,
        stroke=PAPER,
        stroke_width=3,
        stroke_opacity=0.75,
        stroke_linejoin="round",
        paint_order="stroke",
    )


def latest(scale: float = 0.93) -> Iterator[str]:
    """The frame around a hex of the latest action."""
    yield svg.polygon(outline(scale), fill="none", stroke="#ffffff", stroke_width=7, stroke_linejoin="round")
    yield svg.polygon(outline(scale), fill="none", stroke=ACCENT, stroke_width=4, stroke_linejoin="round")


def open_frame(scale: float = 0.9) -> str:
    """The dashed line inside an open hex."""
    return svg.polygon(outline(scale), fill="none", stroke="#9a8734", stroke_width=1.4, stroke_dasharray="5 4")


def possible_frame(scale: float = 0.9) -> str:
    """The double line inside an open hex that the awaited seat can pay for."""
    lines = (svg.polygon(outline(scale - less), stroke_width=wide) for less, wide in ((0, 3.0), (0.09, 1.2)))
    return svg.group(*lines, fill="none", stroke="#3b7a1f", stroke_linejoin="round")


def double_badge(settlements: int) -> Iterator[str]:
    """The mark of a hex with several settlements at once, with the number that is typed."""
    yield svg.use("montana-double", 0, 0)
    yield svg.label(f"\u00d7{settlements}", 0, 7.5, 12.5, font_weight="bold", text_anchor="middle", fill=LETTER)


def _piece(hexagon: HexObservation, marks: Marks, least: float, over: bool) -> Iterator[str]:
    if hexagon.open and not over:
        yield possible_frame() if hexagon.possible else open_frame()
    if hexagon.start:
        yield svg.use("montana-start-wide" if marks.compact else "montana-start", 0, 8)
    elif hexagon.owner is not None:
        yield from _settlements(hexagon.owner, hexagon.settlements, marks, least)
    elif hexagon.terrain is Terrain.PRAIRIE:
        yield from _flow(hexagon, least) if marks.compact else _listed(hexagon)
    if hexagon.canteen:
        yield svg.circle(0, 12 if marks.compact else 4, 19, fill=PAPER, stroke=INK, stroke_width=1.4)
        yield svg.use("montana-canteen", 0, 14 if marks.compact else 6)


def _at_once(hexagon: HexObservation) -> int:
    """The settlements that fit here at once: 2 on a double hex, more where a line is made."""
    return max(hexagon.possible, 2 if hexagon.double else 1)


def _goods(hexagon: HexObservation) -> list[Good]:
    return [good for good in GOODS for _ in range(hexagon.cost.get(good, 0))]


def _listed(hexagon: HexObservation) -> Iterator[str]:
    """The cost on a plate; below it a cow, and a number of settlements."""
    goods = _goods(hexagon)
    if goods:
        yield from _cost(goods)
    extras = [svg.use("montana-cow", 0, 0, 0.84)] if hexagon.cow else []
    if _at_once(hexagon) > 1:
        extras.append(svg.group(*double_badge(_at_once(hexagon))))
    for place, drawn in enumerate(extras):
        x = 30 * place - 15 * (len(extras) - 1)
        yield svg.group(drawn, transform=svg.to(x, 33 if len(goods) > _IN_A_ROW else 28))


def _cost(goods: Sequence[Good]) -> Iterator[str]:
    """The cost of a settlement on a plate; four goods are shown in two rows."""
    width = 2 if len(goods) == 4 else min(_IN_A_ROW, len(goods))
    rows = [goods[first : first + width] for first in range(0, len(goods), width)]
    scale = (1.0, 0.86)[len(rows) - 1] if len(rows) < 3 else 1.7 / len(rows)
    top = -len(rows) * _HIGH / 2
    across, down = width * _WIDE + 6, len(rows) * _HIGH + 2
    drawn = [svg.rect(-across / 2, top - 1, across, down, rx=8, fill=PAPER, fill_opacity=0.88, stroke="#a99a6c")]
    for line, row in enumerate(rows):
        for place, good in enumerate(row):
            size = 0.8 if good in _LARGE else 0.9
            x, y = (place - (len(row) - 1) / 2) * _WIDE, top + (line + 0.5) * _HIGH
            drawn.append(svg.use(good_icon(good), x, y, size))
    yield svg.group(*drawn, transform=svg.to(0, -0.5 if len(rows) > 1 else -5, scale))


def _flow(hexagon: HexObservation, least: float) -> Iterator[str]:
    """On a small hex: goods, then a cow and the number of settlements, in rows below the name, at
    least of the size ``least``; where they are wider than the hex, nearer to each other.
    """
    icons = [svg.use(good_icon(good), 0, 0, 0.8 if good in _LARGE else 1) for good in _goods(hexagon)]
    if hexagon.cow:
        icons.append(svg.use("montana-cow", 0, 0, 0.85))
    things = [(float(_WIDE), drawn) for drawn in icons]
    if (count := _at_once(hexagon)) > 1:
        things.append((svg.text_width(f"\u00d7{count}", _WIDE, bold=True), _count(count, 0, 0.36 * _WIDE, _WIDE)))
    rows = _rows(things)
    down = 26.5 if len(rows) < 3 else 55 / len(rows)
    widest = max((sum(width for width, _ in row) for row in rows), default=1)
    scale = max(min(1.3, _ROOM / widest), least / _WIDE) if len(rows) == 1 else max(1.0, least / _WIDE)
    if len(rows) > 2:
        scale = down / _WIDE
    for line, row in enumerate(rows):
        across = sum(width for width, _ in row)
        x, y = -across / 2, (10 if len(rows) == 1 else 13) + (line - (len(rows) - 1) / 2) * down
        for width, drawn in row:
            yield svg.group(drawn, transform=svg.to((x + width / 2) * min(scale, _ROOM / across), y, scale))
            x += width


def _rows(things: Sequence[tuple[float, str]]) -> list[list[tuple[float, str]]]:
    """The things in as few rows as there is room for, the upper ones longer."""
    rows: list[list[tuple[float, str]]] = []
    for thing in things:
        if not rows or sum(width for width, _ in rows[-1]) + thing[0] > _ROOM:
            rows.append([])
        rows[-1].append(thing)
    return rows


def _count(settlements: int, x: float, y: float, size: float) -> str:
    return svg.label(f"\u00d7{settlements}", x, y, size, font_weight="bold", text_anchor="middle", fill=INK)


def _settlements(seat: int, count: int, marks: Marks, least: float) -> Iterator[str]:
    if marks.compact:
        yield svg.use(settlement_icon(seat), -19 if count > 1 else 0, 13, 1.28)
        if count > 1:
            yield _count(count, 21, 24, max(24, least))
        return
    for x, y, scale in _PLACES.get(count, _PLACES[1]):
        yield svg.use(settlement_icon(seat), x, y, scale)
    if count not in _PLACES:
        yield svg.label(f"\u00d7{count}", 31, 26, 15, font_weight="bold", text_anchor="middle", fill=INK)


Point: TypeAlias = tuple[float, float]

SIZE: Final = 48
"""The distance from the middle of a hex to a corner, in user units."""
ACROSS: Final = sqrt(3) * SIZE
DOWN: Final = 1.5 * SIZE
_CORNERS: Final[tuple[Point, ...]] = (
    *((0, -SIZE), (ACROSS / 2, -SIZE / 2), (ACROSS / 2, SIZE / 2)),
    *((0, SIZE), (-ACROSS / 2, SIZE / 2), (-ACROSS / 2, -SIZE / 2)),
)
"""Clockwise from the top."""
_GRASS: Final = "M-3 3C-3 0 -4 -3 -6 -5M-1 3C-1 -1 -1 -4 0 -7M1 3C2 0 3 -2 6 -4"
_RIPPLES: Final = (
    "M-27 -11q4.5 -5.5 9 0t9 0M9 -16q4.5 -5.5 9 0t9 0M-20 25q4.5 -5.5 9 0t9 0t9 0"
    "M14 17q4.5 -5.5 9 0t9 0M-33 14q4.5 -5.5 9 0"
)
_TUFTS: Final = (
    ((-29, 19), (27, 17), (-17, -31)),
    ((29, 20), (-30, -15), (18, -30)),
    ((-25, 23), (30, -16), (-31, -13)),
)


def ground_definitions(look: Look) -> str:
    """The definitions of the terrain, each with the middle of its hex at the origin."""
    return svg.element(
        "defs",
        *(svg.define(f"montana-prairie-{variant}", _grass(places)) for variant, places in enumerate(_TUFTS)),
        svg.define(
            "montana-lake",
            svg.path(rounded(0.92, 15), fill=look.lake[0], stroke="#3d7fa6", stroke_width=2.2),
            svg.stroke(_RIPPLES, "#3d7fa6", 2.2),
        ),
        svg.define(
            "montana-mountain",
            svg.shape("M6 29L22 -3L39 21C32 27 20 29 6 29Z", look.rock[1], "#5a5148", 1.8),
            svg.path("M22 -3L17 7L21 5L24 10L26.5 5L28.5 6.5Z", fill="#ffffff"),
            svg.shape("M-38 22L-9 -28L22 28C2 32 -24 31 -38 22Z", look.rock[1], "#5a5148", 1.8),
            svg.path("M-9 -28L22 28C15 30 8 30.5 1 30.5L-6 8L0 -4Z", fill=look.rock[2]),
            svg.shape("M-9 -28L-19 -10L-13 -14L-9 -7L-4 -14L1 -9.5Z", "#ffffff", "#5a5148", 0.8),
            svg.shape("M-33 31l4.5 -13l4.5 13zM-25 34l3.5 -10l3.5 10zM29 31l4 -12l4 12z", "#5f7a4c", "#3d5230", 1),
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
    """The landscape with the borders of its tiles, the middle of hex (0, 0) at the origin. Without
    ``plants`` there is room for large names.
    """
    outer = svg.group(
        *(svg.polygon(_around(hexagon, 1.0)) for hexagon in hexes),
        fill="#4a3421",
        fill_opacity=look.shadow,
        transform="translate(0 7)",
    )
    return svg.group(
        outer if look.shadow else "",
        *(svg.polygon(_around(hexagon, 1.012), fill=_fill(hexagon, look)) for hexagon in hexes),
        *_scenery(hexes, plants),
        svg.path(_borders(hexes, inside=True), stroke=INK, stroke_opacity=0.25, stroke_width=1.2),
        svg.path(_borders(hexes, inside=False), stroke="#4a3421", stroke_width=3, stroke_linecap="round"),
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
                yield svg.use(f"montana-prairie-{(hexagon.q + 2 * hexagon.r) % 3}", x, y)
            case Terrain.MOUNTAIN if not plants:
                yield svg.use("montana-mountain", x, y + 11, 0.82)
            case Terrain.MOUNTAIN | Terrain.LAKE:
                yield svg.use(f"montana-{hexagon.terrain}", x, y)
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


def _whole(hexagon: HexObservation) -> str:
    """The outline of a hex as path data, inside of its borders."""
    return f"M{'L'.join(_at(corner) for corner in _around(hexagon, 0.95))}z"


def _at(point: Point) -> str:
    return f"{svg.number(point[0])} {svg.number(point[1])}"


def _grass(places: Sequence[Point]) -> str:
    return svg.stroke("".join(_moved(_GRASS, x, y) for x, y in places), "#9db061", 1.6)


def _moved(d: str, x: float, y: float) -> str:
    """Path data of absolute M and C commands, shifted by (x, y)."""
    words = d.replace("M", " M ").replace("C", " C ").split()
    found, across = [], True
    for word in words:
        if word in "MC":
            found.append(word)
        else:
            found.append(svg.number(float(word) + (x if across else y)))
            across = not across
    return " ".join(found)
