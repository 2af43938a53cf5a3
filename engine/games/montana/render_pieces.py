"""The marks and pieces on Montana's hexes: names, costs, cows, canteens, the start tile,
settlements, and the places of the latest action.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from engine.games.montana.components import GOODS, Good, Terrain
from engine.games.montana.observe import HexObservation
from engine.games.montana.render_ground import middle, outline
from engine.games.montana.render_icons import good_icon, settlement_icon
from engine.svg import ACCENT, INK, PAPER, circle, group, label, number, polygon, rect, use

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


def pieces(hexes: Sequence[HexObservation], last: Collection[str]) -> Iterator[str]:
    """All marks and pieces, the middle of hex (0, 0) at the origin."""
    for hexagon in hexes:
        found = "".join(_piece(hexagon))
        if found:
            x, y = middle(hexagon)
            yield group(found, transform=f"translate({number(x)} {number(y)})")
    for hexagon in hexes:
        if hexagon.name in last:
            yield group(*latest(), transform=f"translate({number(middle(hexagon)[0])} {number(middle(hexagon)[1])})")
    yield group(
        *(label(hexagon.name, middle(hexagon)[0], middle(hexagon)[1] - 27, 14.5) for hexagon in hexes),
        text_anchor="middle",
        font_weight="bold",
        fill=INK,
        stroke=PAPER,
        stroke_width=3,
        stroke_opacity=0.75,
        stroke_linejoin="round",
        paint_order="stroke",
    )


def latest(scale: float = 0.93) -> Iterator[str]:
    """The frame around a hex of the latest action."""
    yield polygon(outline(scale), fill="none", stroke="#ffffff", stroke_width=7, stroke_linejoin="round")
    yield polygon(outline(scale), fill="none", stroke=ACCENT, stroke_width=4, stroke_linejoin="round")


def open_frame(scale: float = 0.9) -> str:
    """The dashed line inside an open hex."""
    return polygon(outline(scale), fill="none", stroke="#9a8734", stroke_width=1.4, stroke_dasharray="5 4")


def _piece(hexagon: HexObservation) -> Iterator[str]:
    if hexagon.start:
        yield use("mt-start", 0, 8)
    elif hexagon.owner is not None:
        yield from _settlements(hexagon.owner, hexagon.settlements)
    elif hexagon.terrain is Terrain.PRAIRIE:
        if hexagon.open:
            yield open_frame()
        if hexagon.cost:
            yield from _cost([good for good in GOODS for _ in range(hexagon.cost.get(good, 0))])
    if hexagon.canteen:
        yield circle(0, 4, 19, fill=PAPER, stroke=INK, stroke_width=1.4)
        yield use("mt-canteen", 0, 6)
    extras = [
        icon
        for icon, shown in (("mt-cow", hexagon.cow), ("mt-double", hexagon.double and hexagon.owner is None))
        if shown
    ]
    for place, icon in enumerate(extras):
        yield use(icon, 30 * place - 15 * (len(extras) - 1), 33 if sum(hexagon.cost.values()) > _IN_A_ROW else 28, 0.84)


def _cost(goods: Sequence[Good]) -> Iterator[str]:
    """The cost of a settlement on a plate; four goods are shown in two rows."""
    width = 2 if len(goods) == 4 else min(_IN_A_ROW, len(goods))
    rows = [goods[first : first + width] for first in range(0, len(goods), width)]
    scale = (1.0, 0.86)[len(rows) - 1] if len(rows) < 3 else 1.7 / len(rows)
    top = -len(rows) * _HIGH / 2
    drawn = [
        rect(
            -width * _WIDE / 2 - 3,
            top - 1,
            width * _WIDE + 6,
            len(rows) * _HIGH + 2,
            rx=8,
            fill=PAPER,
            fill_opacity=0.88,
            stroke="#a99a6c",
        )
    ]
    for line, row in enumerate(rows):
        for place, good in enumerate(row):
            size = 0.8 if good in _LARGE else 0.9
            drawn.append(use(good_icon(good), (place - (len(row) - 1) / 2) * _WIDE, top + (line + 0.5) * _HIGH, size))
    yield group(*drawn, transform=f"translate(0 {number(-0.5 if len(rows) > 1 else -5)}) scale({number(scale)})")


def _settlements(seat: int, count: int) -> Iterator[str]:
    for x, y, scale in _PLACES.get(count, _PLACES[1]):
        yield use(settlement_icon(seat), x, y, scale)
    if count not in _PLACES:
        yield label(
            f"\u00d7{count}",
            20,
            26,
            17,
            font_weight="bold",
            fill=INK,
            stroke=PAPER,
            stroke_width=4,
            paint_order="stroke",
        )
