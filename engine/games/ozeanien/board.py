"""The geometry of a board, and what follows from its tiles: demanded edges, starts, reach.

Spaces are numbered from 0 in reading order. A board has a number for each: ``UNEXPLORED``, or the
land of its tile, with the bit ``RESERVE``, or ``IMAGINED`` if the reserve had none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from engine.games.ozeanien.tiles import ALL_LAND, EDGES, WAYS_ROUND, Side
from engine.grid import cells, column_letter, format_space

Board: TypeAlias = tuple[int, ...]

UNEXPLORED: Final = -1
RESERVE: Final = 16
IMAGINED: Final = 32
FRAME: Final = -1
"""The number of the frame, used as the neighbour of border spaces."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """A board of ``columns`` by ``rows``. ``near[space][edge]`` is the neighbour across an edge, or
    ``FRAME``. Starting points are numbered and named in ``starts``: tiles as their spaces, then the
    circles; ``circles[n]`` is the space at the n-th.
    """

    columns: int
    rows: int
    names: tuple[str, ...]
    index: Mapping[str, int]
    near: tuple[tuple[int, ...], ...]
    circles: tuple[int, ...]
    starts: tuple[str, ...]
    start_index: Mapping[str, int]


@lru_cache(maxsize=64)
def geometry(columns: int, rows: int, sides: tuple[Side, ...]) -> Geometry:
    """The geometry of a board with one circle before every border space of the ``sides``."""
    names = tuple(format_space(cell) for cell in cells(columns, rows))
    named = tuple(_circles(columns, rows, sides))
    starts = (*names, *(name for name, _ in named))
    return Geometry(
        columns=columns,
        rows=rows,
        names=names,
        index={name: index for index, name in enumerate(names)},
        near=tuple(_near(column, row, columns, rows) for column, row in cells(columns, rows)),
        circles=tuple(space for _, space in named),
        starts=starts,
        start_index={name: index for index, name in enumerate(starts)},
    )


def _near(column: int, row: int, columns: int, rows: int) -> tuple[int, ...]:
    space = row * columns + column
    return (
        space - columns if row else FRAME,
        space + 1 if column + 1 < columns else FRAME,
        space + columns if row + 1 < rows else FRAME,
        space - 1 if column else FRAME,
    )


def _circles(columns: int, rows: int, sides: tuple[Side, ...]) -> Iterator[tuple[str, int]]:
    """R1.4: the names of the circles with the spaces at them, counter-clockwise from the west."""
    along = {
        Side.WEST: [(f"west {row + 1}", row * columns) for row in range(rows)],
        Side.SOUTH: [(f"south {column_letter(column)}", (rows - 1) * columns + column) for column in range(columns)],
        Side.EAST: [(f"east {row + 1}", row * columns + columns - 1) for row in range(rows)],
        Side.NORTH: [(f"north {column_letter(column)}", column) for column in range(columns)],
    }
    for side, circles in along.items():
        if side in sides:
            yield from circles


def start_said(start: str) -> str:
    """A starting point as it can be typed: "west 3", "tile E4", as E4 alone might be east 4."""
    return start if " " in start else f"tile {start}"


def land_at(board: Board, space: int) -> int:
    """The land of the tile on an explored space."""
    return board[space] & ALL_LAND


def demanded(ground: Geometry, board: Board, space: int) -> tuple[int, int]:
    """R4.2: the edges of a space that neighbours determine, and those that have to be land."""
    known = land = 0
    for edge in EDGES:
        other = ground.near[space][edge]
        if other == FRAME:
            known |= 1 << edge  # R1.3: the frame is sea
        elif board[other] != UNEXPLORED:
            known |= 1 << edge
            land |= (board[other] >> (edge + 2) % 4 & 1) << edge
    return known, land


def fits(ground: Geometry, board: Board, space: int, kind: int) -> tuple[int, ...]:
    """R4.2: the rotations, as lands, in which a tile fits on an unexplored space."""
    known, land = demanded(ground, board, space)
    return tuple(way for way in WAYS_ROUND[kind] if way & known == land)


def reach(ground: Geometry, board: Board, start: int) -> tuple[int, ...]:
    """R3.2: the unexplored spaces that routes reach from a starting point, in reading order."""
    spaces = len(ground.names)
    if start >= spaces:
        space = ground.circles[start - spaces]
        return (space,) if board[space] == UNEXPLORED else ()
    tile = board[start]
    if tile == UNEXPLORED:
        return ()
    near = ground.near[start]
    found = [
        near[edge] for edge in EDGES if not tile >> edge & 1 and near[edge] != FRAME and board[near[edge]] == UNEXPLORED
    ]
    return tuple(sorted(found))


def open_starts(ground: Geometry, board: Board) -> Iterator[int]:
    """R3.2: the open starting points: circles, west first, then tiles in reading order."""
    spaces = len(ground.names)
    yield from (spaces + circle for circle, space in enumerate(ground.circles) if board[space] == UNEXPLORED)
    yield from (space for space in range(spaces) if board[space] != UNEXPLORED and reach(ground, board, space))


def placements(ground: Geometry, board: Board, start: int, kind: int) -> Iterator[tuple[int, int]]:
    """R4.1: the placements of a tile from a start, as (space, land), in canonical order."""
    for space in reach(ground, board, start):
        yield from ((space, way) for way in fits(ground, board, space, kind))


def can_place(ground: Geometry, board: Board, start: int, kind: int) -> bool:
    """R4.1: whether a tile fits anywhere from a starting point."""
    return next(placements(ground, board, start, kind), None) is not None


def enclosed(ground: Geometry, board: Board, space: int) -> tuple[tuple[int, int], ...]:
    """R5: the spaces that a tile just placed encloses, as (space, land), in reading order."""
    found: list[tuple[int, int]] = []
    seen: set[int] = set()
    for first in ground.near[space]:
        if first == FRAME or board[first] != UNEXPLORED or first in seen:
            continue
        hole, land_only = _hole(ground, board, first)
        seen.update(hole)
        if len(hole) == 1:
            found.append((first, demanded(ground, board, first)[1]))
        elif land_only:
            found += [(each, ALL_LAND) for each in hole]
    return tuple(sorted(found))


def _hole(ground: Geometry, board: Board, first: int) -> tuple[list[int], bool]:
    """The unexplored spaces connected to one, and whether only land bounds them."""
    hole, land_only = [first], True
    for space in hole:
        near = ground.near[space]
        for edge in EDGES:
            other = near[edge]
            if other == FRAME:
                land_only = False
            elif board[other] == UNEXPLORED:
                if other not in hole:
                    hole.append(other)
            elif not board[other] >> (edge + 2) % 4 & 1:
                land_only = False
    return hole, land_only
