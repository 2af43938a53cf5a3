"""Waiting for a verdict, without asking the database again and again: whoever waits is woken when
it is announced.

An announcement may get lost with Redis, so the row is looked at now and then in any case.
"""

from __future__ import annotations

import time
from threading import Event
from typing import TYPE_CHECKING, Final

from service.matches.showing import shown_turn
from service.matches.types import Turn
from service.store.turns import StoredTurn

if TYPE_CHECKING:
    from service.wiring import Overland

LONGEST_SILENCE: Final = 1.5
"""Seconds after which whoever waits looks at the row, announced or not."""


def until_judged(overland: Overland, turn: StoredTurn, announced: Event, seconds: float) -> Turn:
    """The turn, as soon as it is judged, or as it is after so many seconds; ``announced`` is set
    when its verdict is there.
    """
    shown, deadline = shown_turn(turn), time.monotonic() + seconds
    while shown.status == "queued" and (left := deadline - time.monotonic()) > 0:
        announced.wait(min(left, LONGEST_SILENCE))
        announced.clear()
        shown = looked_up(overland, turn)
    return shown


def looked_up(overland: Overland, turn: StoredTurn) -> Turn:
    """The turn as the database has it now."""
    return shown_turn(turn, overland.desk.verdict(overland.database, turn.id))
