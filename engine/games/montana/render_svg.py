"""The picture of Montana's table: landscape, workers' board, shop, wheel, players and supply."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.games.montana.components import GOODS, WORKERS
from engine.games.montana.facts import description
from engine.games.montana.observe import HexObservation, Observation
from engine.games.montana.render_ground import ACROSS, SIZE, Point, ground, ground_definitions, middle
from engine.games.montana.render_icons import definitions, good_icon, worker_icon
from engine.games.montana.render_key import KEY_HEIGHT, KEY_WIDTH, key
from engine.games.montana.render_panel import PANEL_WIDTH, panel
from engine.games.montana.render_pieces import pieces
from engine.games.montana.render_work import HEIGHT, SHOP_WIDTH, WORK_WIDTH, shop, wheel, work
from engine.svg import INK, SAND, group, label, number, picture, rect, use
from engine.types import Layout

WIDTH: Final = 1200
_GAP: Final = 20
_LEFT: Final = WORK_WIDTH + 16 + SHOP_WIDTH
_SMALLEST: Final = 640
_LARGEST: Final = 1.08
_SUPPLY: Final = 104
_FEW: Final = 3
"""Up to this number of seats the key fits into the panel."""


def svg(observation: Observation, names: Sequence[str], layout: Layout = Layout.DESKTOP) -> str:
    """A standalone picture, 1200 wide, with everything observed and a description for screen
    readers.
    """
    left, top, right, bottom = _extent(observation.hexes)
    scale = min(_LARGEST, _LEFT / (right - left))
    high = max(_SMALLEST, (bottom - top) * scale + 8)
    across, down = (_LEFT - (right + left) * scale) / 2, (high - (bottom + top) * scale) / 2
    land = group(
        ground(observation.hexes),
        *pieces(observation.hexes, observation.last),
        transform=f"{_to(across, down)} scale({number(scale)})",
    )
    few = len(observation.seats) <= _FEW
    free = (
        None
        if few
        else _free_corner(
            [(across + x * scale, down + y * scale) for x, y in map(middle, observation.hexes)], SIZE * scale, high
        )
    )
    board = _GAP + high + 16
    tall = board + HEIGHT + 14 + _SUPPLY
    side = _GAP + _LEFT + _GAP
    return picture(
        WIDTH,
        tall,
        "Montana",
        description(observation, names),
        ground_definitions(),
        definitions(len(observation.seats)),
        rect(0, 0, WIDTH, tall, fill=SAND),
        group(land, group(*key(), transform=_to(*free)) if free else "", transform=_to(_GAP, _GAP)),
        group(*work(observation), transform=_to(_GAP, board)),
        group(*shop(observation), transform=_to(_GAP + WORK_WIDTH + 16, board)),
        group(*_supply(observation), transform=_to(_GAP, board + HEIGHT + 14), fill=INK),
        group(
            *panel(observation, names, tall - 3 * _GAP - PANEL_WIDTH, "".join(key()) if few else ""),
            transform=_to(side, _GAP),
        ),
        group(*wheel(observation, PANEL_WIDTH, PANEL_WIDTH), transform=_to(side, tall - _GAP - PANEL_WIDTH)),
        prefix="montana",
    )


def _extent(hexes: Sequence[HexObservation]) -> tuple[float, float, float, float]:
    """The left, top, right and bottom coordinates of the landscape."""
    middles = [middle(hexagon) for hexagon in hexes] or [(0.0, 0.0)]
    across, down = [x for x, _ in middles], [y for _, y in middles]
    return min(across) - ACROSS / 2 - 2, min(down) - SIZE - 2, max(across) + ACROSS / 2 + 2, max(down) + SIZE + 8


def _supply(observation: Observation) -> Iterator[str]:
    """Every good, worker and animal with its name and the number left."""
    supply = observation.supply
    for place, good in enumerate(GOODS):
        name = good.value.replace("_", " ").capitalize()
        yield from _left(good_icon(good), 0.95, name, supply.goods[good], 18 + place * 140, 16)
    for place, worker in enumerate(WORKERS):
        yield from _left(
            worker_icon(worker), 1, f"{worker.value.capitalize()} worker", supply.workers[worker], 18 + place * 155, 70
        )
    yield from _left("mt-cow", 0.95, "Cow", supply.cows, 18 + 5 * 140, 70)


def _left(icon: str, scale: float, name: str, count: int, x: float, y: float) -> Iterator[str]:
    yield use(icon, x, y + 2, scale, opacity=None if count else 0.4)
    yield label(name, x + 20, y - 1, 14)
    yield label(f"{count} left", x + 20, y + 18, 15, font_weight="bold")


def _free_corner(middles: Sequence[Point], reach: float, high: float) -> Point | None:
    """The upper left corner for the key in a corner of the landscape that has room for it; ``None``
    if there is none.
    """
    for x, y in (
        (0.0, high - KEY_HEIGHT),
        (_LEFT - KEY_WIDTH, 0.0),
        (_LEFT - KEY_WIDTH, high - KEY_HEIGHT),
        (0.0, 0.0),
    ):
        if not any(
            x - reach < across < x + KEY_WIDTH + reach and y - reach < down < y + KEY_HEIGHT + reach
            for across, down in middles
        ):
            return x, y
    return None


def _to(x: float, y: float) -> str:
    return f"translate({number(x)} {number(y)})"
