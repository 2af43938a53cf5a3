"""Waiting for a verdict, without asking the database again and again: whoever waits is woken when it is announced.

An announcement may get lost with Redis, so the row is looked at now and then in any case.
"""

from __future__ import annotations

import time
from dataclasses import replace
from threading import Event
from typing import TYPE_CHECKING, Final

from service.store.turns import StoredTurn, StoredVerdict

if TYPE_CHECKING:
    from service.wiring import Overland

LONGEST_SILENCE: Final = 1.5
"""Seconds after which whoever waits looks at the row, announced or not."""


def until_judged(overland: Overland, turn: StoredTurn, announced: Event, seconds: float) -> StoredTurn:
    """The turn, as soon as it is judged, or as it is after so many seconds; ``announced`` is set when its verdict is there."""
    deadline = time.monotonic() + seconds
    while turn.status == "queued" and (left := deadline - time.monotonic()) > 0:
        announced.wait(min(left, LONGEST_SILENCE))
        announced.clear()
        turn = looked_up(overland, turn)
    return turn


def looked_up(overland: Overland, turn: StoredTurn) -> StoredTurn:
    """The turn as the database has it now."""
    found = overland.desk.verdict(overland.database, turn.id)
    return turn if found is None else judged(turn, found)


def judged(turn: StoredTurn, found: StoredVerdict) -> StoredTurn:
    """The turn with what has become of it."""
    return replace(turn, status=found.status, verdict=found.verdict, judged_at=found.judged_at)
