"""What a seat may do, what it is asked, and the words for it."""

from __future__ import annotations

from connect_four.actions import LETTERS, Drop
from connect_four.state import State
from engine.types import Seat, Statement

PROMPTS = {"drop": "Drop a disc into a column."}
WORDS = {"column": "Column", "type=drop": "Drop a disc"}


def prompt(state: State, seat: Seat) -> Statement:
    """What the seat is asked."""
    return Statement("drop")


def candidates(state: State, seat: Seat) -> tuple[Drop, ...]:
    """Every column of the board, also a full one: the judge knows better."""
    return tuple(Drop(letter) for letter in LETTERS[: state.columns])
