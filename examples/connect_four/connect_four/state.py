"""The position: the discs in each column."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from engine.types import Seat, Setup

Space: TypeAlias = tuple[int, int]
"""Column and row, both from 0, counted from the lower left."""


@dataclass(frozen=True, slots=True)
class State:
    """``discs[column]`` are the seats whose discs lie in a column, from the bottom."""

    setup: Setup
    discs: tuple[tuple[Seat, ...], ...]

    @property
    def columns(self) -> int:
        """How many columns the board has."""
        return int(self.setup.components.columns.value)

    @property
    def rows(self) -> int:
        """How many rows the board has."""
        return int(self.setup.components.rows.value)

    @property
    def dropped(self) -> int:
        """How many discs lie on the board."""
        return sum(map(len, self.discs))

    def disc(self, space: Space) -> Seat | None:
        """Whose disc is in that space."""
        column, row = space
        return self.discs[column][row] if row < len(self.discs[column]) else None


def start(setup: Setup) -> State:
    """The empty board. R1.1"""
    return State(setup, ((),) * int(setup.components.columns.value))


def to_act(state: State) -> tuple[Seat, ...]:
    """The seat whose turn it is; nobody once the match is over. R1.2, R2.1"""
    if four(state) or state.dropped == state.columns * state.rows:
        return ()
    return (state.dropped % 2,)


def four(state: State) -> tuple[Space, ...]:
    """The spaces of four discs of a colour in a row, if there are some. R3.1"""
    for line in lines(state.columns, state.rows):
        first = state.disc(line[0])
        if first is not None and all(state.disc(space) == first for space in line):
            return line
    return ()


@cache
def lines(columns: int, rows: int) -> tuple[tuple[Space, ...], ...]:
    """All rows of four spaces on a board of that size."""
    return tuple(
        tuple((column + right * step, row + up * step) for step in range(4))
        for column in range(columns)
        for row in range(rows)
        for right, up in ((1, 0), (0, 1), (1, 1), (1, -1))
        if column + 3 * right < columns and 0 <= row + 3 * up < rows
    )


def check(state: State) -> tuple[str, ...]:
    """What can never be: overfull columns, or a seat that has dropped too many discs."""
    broken = [f"Column {column} is overfull." for column, discs in enumerate(state.discs) if len(discs) > state.rows]
    red, yellow = (sum(discs.count(seat) for discs in state.discs) for seat in (0, 1))
    if red - yellow not in (0, 1):
        broken.append(f"There are {red} red discs and {yellow} yellow ones.")
    return tuple(broken)
