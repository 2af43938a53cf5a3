"""The marks and pieces on Montana's hexes: names, costs, cows, canteens, the start tile,
settlements, what can be built on now, and the places of the latest action.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.games.montana.components import GOODS, Good, Terrain
from engine.games.montana.observation import HexObservation, Observation
from engine.games.montana.render_ground import ACROSS, middle, outline
from engine.games.montana.render_icons import good_icon, settlement_icon
from engine.games.montana.render_part import to
from engine.games.montana.render_sheet import Marks
from engine.svg import ACCENT, INK, PAPER, circle, group, label, polygon, rect, text_width, use

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
_SMALLEST_NAME: Final = 10.1
"""The smallest size of a name in the picture, whatever the scale of the landscape."""
_COUNT: Final = 24.0
_COUNT_WIDE: Final = 38
_ROOM: Final = 80


def pieces(observation: Observation, marks: Marks, scale: float) -> Iterator[str]:
    """All marks and pieces, the middle of hex (0, 0) at the origin; the landscape is drawn at
    ``scale``.
    """
    hexes, over = observation.hexes, observation.outcome is not None
    for hexagon in hexes:
        found = "".join(_piece(hexagon, marks, over))
        if found:
            yield group(found, transform=to(*middle(hexagon)))
    for hexagon in hexes:
        if hexagon.name in observation.last:
            yield group(*latest(), transform=to(*middle(hexagon)))
    size = max(marks.name_size, _SMALLEST_NAME / scale)
    widest = max((text_width(hexagon.name, size, bold=True) for hexagon in hexes), default=0)
    yield group(
        *(label(hexagon.name, middle(hexagon)[0], middle(hexagon)[1] + marks.name_y, size) for hexagon in hexes),
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
    yield polygon(outline(scale), fill="none", stroke="#ffffff", stroke_width=7, stroke_linejoin="round")
    yield polygon(outline(scale), fill="none", stroke=ACCENT, stroke_width=4, stroke_linejoin="round")


def open_frame(scale: float = 0.9) -> str:
    """The dashed line inside an open hex."""
    return polygon(outline(scale), fill="none", stroke="#9a8734", stroke_width=1.4, stroke_dasharray="5 4")


def possible_frame(scale: float = 0.9) -> str:
    """The double line inside an open hex that the awaited seat can pay for."""
    lines = (polygon(outline(scale - less), stroke_width=wide) for less, wide in ((0, 3.0), (0.09, 1.2)))
    return group(*lines, fill="none", stroke="#3b7a1f", stroke_linejoin="round")


def double_badge(settlements: int) -> Iterator[str]:
    """The mark of a hex on which several settlements are built at once, with their number as it is
    typed.
    """
    yield use("mt-double", 0, 0)
    yield label(f"\u00d7{settlements}", 0, 7, 11.5, font_weight="bold", text_anchor="middle", fill=INK)


def _piece(hexagon: HexObservation, marks: Marks, over: bool) -> Iterator[str]:
    if hexagon.open and not over:
        yield possible_frame() if hexagon.possible else open_frame()
    if hexagon.start:
        yield use("mt-start-wide" if marks.compact else "mt-start", 0, 8)
    elif hexagon.owner is not None:
        yield from _settlements(hexagon.owner, hexagon.settlements, marks)
    elif hexagon.terrain is Terrain.PRAIRIE:
        yield from _flow(hexagon) if marks.compact else _listed(hexagon)
    if hexagon.canteen:
        yield circle(0, 12 if marks.compact else 4, 19, fill=PAPER, stroke=INK, stroke_width=1.4)
        yield use("mt-canteen", 0, 14 if marks.compact else 6)


def _at_once(hexagon: HexObservation) -> int:
    """How many settlements can be built here at once: 2 on a double hex, more where the awaited
    seat makes a line.
    """
    return max(hexagon.possible, 2 if hexagon.double else 1)


def _goods(hexagon: HexObservation) -> list[Good]:
    return [good for good in GOODS for _ in range(hexagon.cost.get(good, 0))]


def _listed(hexagon: HexObservation) -> Iterator[str]:
    """The cost on a plate; below it a cow, and a number of settlements."""
    goods = _goods(hexagon)
    if goods:
        yield from _cost(goods)
    extras = [use("mt-cow", 0, 0, 0.84)] if hexagon.cow else []
    if _at_once(hexagon) > 1:
        extras.append(group(*double_badge(_at_once(hexagon))))
    for place, drawn in enumerate(extras):
        x = 30 * place - 15 * (len(extras) - 1)
        yield group(drawn, transform=to(x, 33 if len(goods) > _IN_A_ROW else 28))


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
    yield group(*drawn, transform=to(0, -0.5 if len(rows) > 1 else -5, scale))


def _flow(hexagon: HexObservation) -> Iterator[str]:
    """On a small hex: goods, then a cow and the number of settlements, in rows below the name."""
    things = [(_WIDE, use(good_icon(good), 0, 0, 0.8 if good in _LARGE else 0.92)) for good in _goods(hexagon)]
    if hexagon.cow:
        things.append((_WIDE, use("mt-cow", 0, 0, 0.8)))
    if (count := _at_once(hexagon)) > 1:
        things.append((_COUNT_WIDE, _count(count, 0, 8.5)))
    rows = _rows(things)
    down = min(30.0 if len(rows) == 1 else 25.0, 55 / len(rows)) if rows else 0.0
    widest = max((sum(width for width, _ in row) for row in rows), default=1)
    scale = min(1.3, _ROOM / widest, down / 23) if len(rows) == 1 else min(1.0, down / 23)
    for line, row in enumerate(rows):
        x, y = -sum(width for width, _ in row) / 2, 11 + (line - (len(rows) - 1) / 2) * down
        for width, drawn in row:
            yield group(drawn, transform=to((x + width / 2) * scale, y, scale))
            x += width


def _rows(things: Sequence[tuple[int, str]]) -> list[list[tuple[int, str]]]:
    """The things in as few rows as there is room for, the upper ones longer."""
    rows: list[list[tuple[int, str]]] = []
    for thing in things:
        if not rows or sum(width for width, _ in rows[-1]) + thing[0] > _ROOM:
            rows.append([])
        rows[-1].append(thing)
    return rows


def _count(settlements: int, x: float, y: float) -> str:
    return label(f"\u00d7{settlements}", x, y, _COUNT, font_weight="bold", text_anchor="middle", fill=INK)


def _settlements(seat: int, count: int, marks: Marks) -> Iterator[str]:
    if marks.compact:
        yield use(settlement_icon(seat), -17 if count > 1 else 0, 13, 1.28)
        if count > 1:
            yield _count(count, 19, 24)
        return
    for x, y, scale in _PLACES.get(count, _PLACES[1]):
        yield use(settlement_icon(seat), x, y, scale)
    if count not in _PLACES:
        yield label(f"\u00d7{count}", 31, 26, 15, font_weight="bold", text_anchor="middle", fill=INK)
