"""The hexes of a layout, whatever tiles are drawn: coordinates, names and neighbours.

Hexes have a corner at the top. They are numbered tile by tile, seven to a tile: the middle, then
clockwise from the east. Of a name (C7) the number is the row, from the top, the letter the column
from the left, which is zigzag: rows with odd ``r`` are shifted half a hex to the right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

Axial: TypeAlias = tuple[int, int]

DIRECTIONS: Final[tuple[Axial, ...]] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The six neighbours, clockwise from the east: E, SE, SW, W, NW, NE."""
FLOWER: Final[tuple[Axial, ...]] = ((0, 0), *DIRECTIONS)


@dataclass(frozen=True, slots=True)
class Geometry:
    """The geometry of a layout.

    Hexes are given by number. ``around[hex]`` are the hexes next to a hex, clockwise from the east;
    ``rays[hex]`` has, for each of the three axes, the hexes in one direction and those in the
    opposite one, nearest first, up to the edge of the board. ``order`` lists the hexes row by row.
    ``inner`` is the number of steps from each hex to the middle of the board.
    """

    axial: tuple[Axial, ...]
    names: tuple[str, ...]
    index: Mapping[str, int]
    around: tuple[tuple[int, ...], ...]
    rays: tuple[tuple[tuple[tuple[int, ...], tuple[int, ...]], ...], ...]
    order: tuple[int, ...]
    inner: tuple[int, ...]


@lru_cache(maxsize=64)
def geometry(centres: tuple[Axial, ...], middle: tuple[Axial, ...]) -> Geometry:
    """The geometry of tiles with these (axial) centres; ``middle`` is the middle of the board."""
    axial = tuple((q + dq, r + dr) for q, r in centres for dq, dr in FLOWER)
    number = {at: index for index, at in enumerate(axial)}
    left, top = min(q + r // 2 for q, r in axial), min(r for _, r in axial)
    names = tuple(f"{chr(ord('A') + q + r // 2 - left)}{r - top + 1}" for q, r in axial)
    return Geometry(
        axial=axial,
        names=names,
        index={name: index for index, name in enumerate(names)},
        around=tuple(tuple(number[at] for at in around_axial(each) if at in number) for each in axial),
        rays=tuple(
            tuple((_ray(each, DIRECTIONS[axis], number), _ray(each, DIRECTIONS[axis + 3], number)) for axis in range(3))
            for each in axial
        ),
        order=tuple(sorted(range(len(axial)), key=lambda index: (axial[index][1], axial[index][0]))),
        inner=tuple(min(_distance(each, at) for at in middle) for each in axial),
    )


def around_axial(at: Axial) -> tuple[Axial, ...]:
    """The six axial coordinates next to the given ones, clockwise from the east."""
    return tuple((at[0] + q, at[1] + r) for q, r in DIRECTIONS)


def _ray(at: Axial, step: Axial, number: Mapping[Axial, int]) -> tuple[int, ...]:
    found = []
    q, r = at[0] + step[0], at[1] + step[1]
    while (q, r) in number:
        found.append(number[q, r])
        q, r = q + step[0], r + step[1]
    return tuple(found)


def _distance(one: Axial, other: Axial) -> int:
    q, r = one[0] - other[0], one[1] - other[1]
    return max(abs(q), abs(r), abs(q + r))
