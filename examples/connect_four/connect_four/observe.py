"""What a viewer may know: everything, for nothing is hidden."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from connect_four.actions import LETTERS
from connect_four.state import State, four, to_act
from engine.documents import About
from engine.types import Viewer

DISCS = "XO"
"""The discs of seat 0 and seat 1 where there is no colour."""


@dataclass(frozen=True, slots=True)
class Observation:
    """The board, and who is to drop a disc."""

    viewer: int | None
    to_act: tuple[int, ...]
    rows: Annotated[tuple[str, ...], About("The rows from the top: X is red, O is yellow, . is free.")]
    four: Annotated[tuple[str, ...], About("The spaces of four in a row; a1 is at the lower left.")]


def observe(state: State, viewer: Viewer) -> Observation:
    """The same for everybody."""
    discs = {None: ".", 0: DISCS[0], 1: DISCS[1]}
    rows = tuple(
        "".join(discs[state.disc((column, row))] for column in range(state.columns))
        for row in reversed(range(state.rows))
    )
    return Observation(viewer, to_act(state), rows, tuple(f"{LETTERS[column]}{row + 1}" for column, row in four(state)))
