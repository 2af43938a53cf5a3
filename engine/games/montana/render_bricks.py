"""Montana's landscape as text: each hex is a rectangle, and each row is shifted by half of one, so
that the rectangles of adjacent hexes touch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.games.montana.components import Terrain
from engine.games.montana.facts import SEAT_MARKS, letters
from engine.games.montana.observation import HexObservation, Observation
from engine.wording import wrapped

_ACROSS: Final = 7
_DOWN: Final = 3
_INNER: Final = _ACROSS - 1
_MARGIN: Final = 1
_MOST_COST: Final = 4


def land(observation: Observation) -> Iterator[str]:
    """The lines of the landscape and its legend; none before the first tile is laid."""
    hexes = observation.hexes
    if not hexes:
        return
    left, top = min(2 * hexagon.q + hexagon.r for hexagon in hexes), min(hexagon.r for hexagon in hexes)
    down = max(hexagon.r for hexagon in hexes) - top + 1
    canvas = [[" "] * 100 for _ in range(down * _DOWN + 1)]
    for hexagon in hexes:
        _brick(
            canvas,
            hexagon,
            _MARGIN + (2 * hexagon.q + hexagon.r - left) * _ACROSS // 2,
            (hexagon.r - top) * _DOWN,
            hexagon.name in observation.last,
            observation.outcome is not None,
        )
    yield from ("".join(line).rstrip() for line in canvas)
    yield from _legend(hexes)


def _brick(canvas: list[list[str]], hexagon: HexObservation, x: int, y: int, latest: bool, over: bool) -> None:
    for line in (y, y + _DOWN):
        for column in range(x, x + _ACROSS + 1):
            if column in (x, x + _ACROSS):
                canvas[line][column] = "+"
            elif canvas[line][column] == " ":
                canvas[line][column] = "-"
    cow = "o" if hexagon.cow else ""
    double = "2" if hexagon.double and hexagon.owner is None else ""
    marks = f"{cow}{double}{'*' if latest else ''}"
    for line, words in enumerate(
        (f"{hexagon.name:<{_INNER - len(marks)}}{marks}", f"{_shown(hexagon, over):<{_INNER}}"), y + 1
    ):
        canvas[line][x : x + _ACROSS + 1] = f"|{words}|"


def _shown(hexagon: HexObservation, over: bool) -> str:
    """A hex in six characters: terrain, cost (in brackets if it is open, and the match not over),
    or settlements.
    """
    if hexagon.start:
        return "START"
    if hexagon.owner is not None:
        return f" ({SEAT_MARKS[hexagon.owner]}){f'x{hexagon.settlements}' if hexagon.settlements > 1 else ''}"
    if hexagon.terrain is Terrain.LAKE:
        return "~~(u)~" if hexagon.canteen else "~~~~~~"
    if hexagon.terrain is Terrain.MOUNTAIN:
        return " /\\/\\"
    cost = _short(letters(hexagon.cost))
    return f"[{cost}]" if hexagon.open and not over else f" {cost}"


def _short(cost: str) -> str:
    return cost if len(cost) <= _MOST_COST else f"{cost[: _MOST_COST - 1]}+"


def _legend(hexes: tuple[HexObservation, ...]) -> Iterator[str]:
    yield "  w wheat   p pumpkin   c small copper   s small stone   C/S large ones"
    yield "  [ws] open   o cow   2 double (x2)   (u) canteen   (B) settled   * latest"
    long = [
        f"{hexagon.name} {letters(hexagon.cost)}"
        for hexagon in hexes
        if sum(hexagon.cost.values()) > _MOST_COST and hexagon.owner is None and not hexagon.start
    ]
    if long:
        yield from wrapped(f"  + more goods: {', '.join(long)}", 4)
