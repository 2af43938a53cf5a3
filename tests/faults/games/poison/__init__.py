"""Connect Four with poisoned columns: a process that plays a disc there dies, hangs or uses up its
memory.
"""

from __future__ import annotations

from dataclasses import replace

from connect_four import GAME as CONNECT_FOUR
from connect_four.actions import Drop
from connect_four.state import State

from engine.types import Seat
from tools.deadly import compute_for_hours, die


def apply(state: State, seat: Seat, action: Drop) -> State:
    """The state after a disc was dropped, if it is not poisoned."""
    match action.column:
        case "g":
            die()
        case "f":
            compute_for_hours()
        case "e":
            bytearray(1 << 50)
    return CONNECT_FOUR.apply(state, seat, action)


GAME = replace(CONNECT_FOUR, info=replace(CONNECT_FOUR.info, name="poison", title="Poison"), apply=apply)
