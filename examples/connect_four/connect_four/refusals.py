"""The one judge: which rules an action breaks, and what a refused player reads."""

from __future__ import annotations

from collections.abc import Iterator

from connect_four.actions import LETTERS, Drop
from connect_four.state import State
from engine.sentences import filled_in
from engine.types import Problem, Seat


def problems(state: State, seat: Seat, action: Drop) -> Iterator[Problem]:
    """Every rule that the action breaks; nothing where it is legal."""
    letters = LETTERS[: state.columns]
    if action.column not in letters:
        yield Problem("no_such_column", "R2.2", {"column": action.column, "last": letters[-1]})
    elif len(state.discs[letters.index(action.column)]) == state.rows:
        free = [letter for letter, discs in zip(letters, state.discs, strict=True) if len(discs) < state.rows]
        yield Problem("column_full", "R2.3", {"column": action.column, "free": ", ".join(free)})


def explain(problem: Problem) -> str:
    """The sentence for a problem."""
    return filled_in(SENTENCES, problem)


SENTENCES = {
    "no_such_column": "The board has no column {column}; its columns are a to {last}.",
    "column_full": "Column {column} is full; there is room in {free}.",
}
