"""Connect Four with poisoned columns: a process of the turn workers or of the API that plays a disc
there dies, hangs or uses up its memory.
"""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import replace
from typing import Final

from connect_four import GAME as CONNECT_FOUR
from connect_four.actions import Drop
from connect_four.state import State

from engine.types import Seat

JUDGES: Final = sys.argv[1:] == ["turns"] or any(
    program in word for word in sys.orig_argv for program in ("gunicorn", "service.wiring:trying_child")
)
"""Whether this is a turn worker, a process of the API or one that tries actions for it; elsewhere
nothing is poisoned, so that mails can be sent.
"""


def apply(state: State, seat: Seat, action: Drop) -> State:
    """The state after a disc was dropped, if it is not poisoned."""
    match action.column if JUDGES else "":
        case "g":
            os.kill(os.getpid(), signal.SIGKILL)
        case "f":
            pow(3, 10**10)  # for hours, in C, where no signal handler runs
        case "e":
            bytearray(1 << 50)
    return CONNECT_FOUR.apply(state, seat, action)


GAME = replace(CONNECT_FOUR, info=replace(CONNECT_FOUR.info, name="poison", title="Poison"), apply=apply)
