"""The geometry of a board, computed once: neighbours, the spaces that each card names and that bear
each building. Spaces are numbered from 0 in reading order; their names are A1 to O10.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from engine.games.oregon.components import BUILDINGS, HEIGHT, SYMBOL_INDEX, SYMBOLS, WIDTH, Symbol, Terrain, may_stand
from engine.grid import cells, format_space, neighbours4, neighbours8

BAND_COLUMNS = WIDTH // len(SYMBOLS)
BAND_ROWS = HEIGHT // len(SYMBOLS)
SPACES = WIDTH * HEIGHT
_CELLS = tuple(cells(WIDTH, HEIGHT))
NAMES: tuple[str, ...] = tuple(format_space(cell) for cell in _CELLS)
INDEX: Mapping[str, int] = {name: index for index, name in enumerate(NAMES)}
AROUND: tuple[tuple[int, ...], ...] = tuple(
    tuple(y * WIDTH + x for x, y in neighbours8(cell, WIDTH, HEIGHT)) for cell in _CELLS
)
"""R1.4: the spaces touching a space by a side or a corner."""
BESIDE: tuple[tuple[int, ...], ...] = tuple(
    tuple(y * WIDTH + x for x, y in neighbours4(cell, WIDTH, HEIGHT)) for cell in _CELLS
)
"""R1.4: the spaces touching a space by a side."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """The geometry of a map and its edges; symbols and buildings are numbers.

    ``column[space]`` and ``row[space]`` are the symbols that head the column and row of a space;
    ``areas[first][second]`` are the spaces, without water, where the bands of two symbols cross,
    ``bands[symbol]`` those in the bands of one, ``ground[building]`` those that bear a building,
    ``sites[building][symbol]`` those of them in the bands of a symbol.
    """

    terrain: tuple[Terrain, ...]
    column: tuple[int, ...]
    row: tuple[int, ...]
    areas: tuple[tuple[tuple[int, ...], ...], ...]
    bands: tuple[tuple[int, ...], ...]
    ground: tuple[tuple[int, ...], ...]
    sites: tuple[tuple[tuple[int, ...], ...], ...]


@lru_cache(maxsize=64)
def geometry(terrain: tuple[str, ...], columns: tuple[Symbol, ...], rows: tuple[Symbol, ...]) -> Geometry:
    """The geometry of ten rows of fifteen characters with five symbols on each edge."""
    column = tuple(SYMBOL_INDEX[columns[index % WIDTH // BAND_COLUMNS]] for index in range(SPACES))
    row = tuple(SYMBOL_INDEX[rows[index // WIDTH // BAND_ROWS]] for index in range(SPACES))
    spaces = range(SPACES)
    numbers = range(len(SYMBOLS))
    lands = tuple(Terrain(character) for line in terrain for character in line)
    dry = tuple(space for space in spaces if lands[space] is not Terrain.WATER)
    ground = tuple(
        tuple(space for space in spaces if may_stand(terrain, space % WIDTH, space // WIDTH, building))
        for building in BUILDINGS
    )
    return Geometry(
        terrain=lands,
        column=column,
        row=row,
        areas=tuple(
            tuple(tuple(space for space in dry if (column[space], row[space]) in ((a, b), (b, a))) for b in numbers)
            for a in numbers
        ),
        bands=tuple(tuple(space for space in dry if symbol in (column[space], row[space])) for symbol in numbers),
        ground=ground,
        sites=tuple(
            tuple(tuple(space for space in fitting if symbol in (column[space], row[space])) for symbol in numbers)
            for fitting in ground
        ),
    )
