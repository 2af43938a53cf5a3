"""Connect Four with poisoned columns: a process that plays a disc there dies, hangs or uses up its
memory.
"""

from __future__ import annotations

import os
import signal
from dataclasses import replace

from connect_four import GAME as CONNECT_FOUR
from connect_four.actions import Drop
from connect_four.state import State

from engine.types import Seat


def apply(state: State, seat: Seat, action: Drop) -> State:
    """The state after a disc was dropped, if it is not poisoned."""
    match action.column:
        case "g":
            os.kill(os.getpid(), signal.SIGKILL)
        case "f":
            pow(3, 10**10)  # for hours, in C, where no signal handler runs
        case "e":
            bytearray(1 << 50)
    return CONNECT_FOUR.apply(state, seat, action)


GAME = replace(CONNECT_FOUR, info=replace(CONNECT_FOUR.info, name="poison", title="Poison"), apply=apply)
