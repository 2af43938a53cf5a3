"""What an action changes."""

from __future__ import annotations

from dataclasses import replace

from connect_four.actions import LETTERS, Drop
from connect_four.state import State
from engine.types import Seat


def apply(state: State, seat: Seat, action: Drop) -> State:
    """The disc falls onto those that lie in the column. R2.1"""
    at = LETTERS.index(action.column)
    return replace(state, discs=(*state.discs[:at], (*state.discs[at], seat), *state.discs[at + 1 :]))
