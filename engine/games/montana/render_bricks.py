"""Montana's landscape as text: a wall of bricks, each row moved by half a brick, so that hexes
touch where bricks do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.games.montana.components import Terrain
from engine.games.montana.facts import SEAT_MARKS, letters
from engine.games.montana.observe import HexObservation, Observation
from engine.wording import wrapped

_ACROSS: Final = 7
_DOWN: Final = 3
_INNER: Final = _ACROSS - 1
_MARGIN: Final = 1
_MOST_COST: Final = 4


def land(observation: Observation) -> Iterator[str]:
    """The landscape and its legend; nothing before the first tile lies."""
    hexes = observation.hexes
    if not hexes:
        return
    left, top = min(2 * hex.q + hex.r for hex in hexes), min(hex.r for hex in hexes)
    down = max(hex.r for hex in hexes) - top + 1
    canvas = [[" "] * 100 for _ in range(down * _DOWN + 1)]
    for hex in hexes:
        _brick(
            canvas,
            hex,
            _MARGIN + (2 * hex.q + hex.r - left) * _ACROSS // 2,
            (hex.r - top) * _DOWN,
            hex.name in observation.last,
        )
    yield from ("".join(line).rstrip() for line in canvas)
    yield from _legend(hexes)


def _brick(canvas: list[list[str]], hex: HexObservation, x: int, y: int, latest: bool) -> None:
    for line in (y, y + _DOWN):
        for column in range(x, x + _ACROSS + 1):
            if column in (x, x + _ACROSS):
                canvas[line][column] = "+"
            elif canvas[line][column] == " ":
                canvas[line][column] = "-"
    marks = f"{'o' * hex.cow}{'2' * (hex.double and hex.owner is None)}{'*' * latest}"
    for line, words in enumerate((f"{hex.name:<{_INNER - len(marks)}}{marks}", f"{_shown(hex):<{_INNER}}"), y + 1):
        canvas[line][x : x + _ACROSS + 1] = f"|{words}|"


def _shown(hex: HexObservation) -> str:
    """What a hex is, in six characters: terrain, cost in brackets where one can build now, or what
    stands there.
    """
    if hex.start:
        return "START"
    if hex.owner is not None:
        return f" ({SEAT_MARKS[hex.owner]}){f'x{hex.settlements}' if hex.settlements > 1 else ''}"
    if hex.terrain is Terrain.LAKE:
        return "~~(u)~" if hex.canteen else "~~~~~~"
    if hex.terrain is Terrain.MOUNTAIN:
        return " /\\/\\"
    cost = _short(letters(hex.cost))
    return f"[{cost}]" if hex.open else f" {cost}"


def _short(cost: str) -> str:
    return cost if len(cost) <= _MOST_COST else f"{cost[: _MOST_COST - 1]}+"


def _legend(hexes: tuple[HexObservation, ...]) -> Iterator[str]:
    yield "  w wheat   p pumpkin   c small copper   s small stone   C/S large ones"
    yield "  [ws] open to build   o cow   2 double   (u) canteen   (B) settled   * latest"
    long = [
        f"{hex.name} {letters(hex.cost)}"
        for hex in hexes
        if sum(hex.cost.values()) > _MOST_COST and hex.owner is None and not hex.start
    ]
    if long:
        yield from wrapped(f"  + more goods: {', '.join(long)}", 4)
