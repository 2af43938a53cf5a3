"""Spaces of a rectangular board: names such as "C7", cells as (column, row) pairs, neighbours.

The letter of a name is the column, its number the row, counted from 1 at the top.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

Cell: TypeAlias = tuple[int, int]
"""Column and row, both from 0, counted from the upper left."""

ORTHOGONAL: tuple[Cell, ...] = ((0, -1), (-1, 0), (1, 0), (0, 1))
AROUND: tuple[Cell, ...] = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def format_space(cell: Cell) -> str:
    """The name of a cell: (2, 6) is "C7". Raises ``ValueError`` beyond 26 columns."""
    column, row = cell
    if not 0 <= column < len(_LETTERS) or row < 0:
        raise ValueError(f"{cell} is no cell of a board")
    return f"{_LETTERS[column]}{row + 1}"


def parse_space(name: str) -> Cell:
    """The cell of a name: "C7" is (2, 6). Raises ``ValueError`` for anything else."""
    letter, number = name[:1], name[1:]
    if (
        letter == ""
        or letter not in _LETTERS
        or not (number.isascii() and number.isdecimal())
        or number[0] == "0"
        or len(number) > 3
    ):
        raise ValueError(f'"{name}" is not a space such as C7')
    return _LETTERS.index(letter), int(number) - 1


def column_letter(column: int) -> str:
    """The letter of a column, from 0 to 25: 0 is "A"."""
    return _LETTERS[column]


def cells(columns: int, rows: int) -> Iterator[Cell]:
    """Every cell of a board, row by row from the upper left."""
    return ((column, row) for row in range(rows) for column in range(columns))


def neighbours4(cell: Cell, columns: int, rows: int) -> tuple[Cell, ...]:
    """The cells that share a side with this one, in reading order."""
    return _near(cell, ORTHOGONAL, columns, rows)


def neighbours8(cell: Cell, columns: int, rows: int) -> tuple[Cell, ...]:
    """The cells that share a side or a corner with this one, in reading order."""
    return _near(cell, AROUND, columns, rows)


def _near(cell: Cell, steps: tuple[Cell, ...], columns: int, rows: int) -> tuple[Cell, ...]:
    found = ((cell[0] + across, cell[1] + down) for across, down in steps)
    return tuple((column, row) for column, row in found if 0 <= column < columns and 0 <= row < rows)
