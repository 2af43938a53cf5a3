"""Admits requests to a queue as long as they can be served in time."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from service.errors import Overloaded

LONGEST_SECONDS: Final = 5.0  # a request that would have to wait longer is refused at once
FIRST_PACE: Final = 0.002  # seconds a request, before any was measured
WEIGHT: Final = 0.1  # how much the newest measurement changes the pace


class Admission:
    """Counts the requests in a queue, ``most`` at most, and estimates how long a new one would
    wait: by their number beyond those that are served ``at_once``, and the time between two that
    left, or since the last one did. Not thread-safe.
    """

    def __init__(self, timer: Callable[[], float], at_once: int, most: int) -> None:
        self._timer, self._at_once, self._most = timer, at_once, most
        self._inside = 0
        self._pace = FIRST_PACE
        self._last = 0.0

    def enter(self) -> None:
        """Admits a request. Raises ``Overloaded``."""
        more = max(0, self._inside - self._at_once)
        seconds = more * self._pace
        if more:  # where none leaves, all of them wait for something that does not answer
            seconds = max(seconds, self._timer() - self._last)
        if seconds > LONGEST_SECONDS or self._inside >= self._most:
            raise Overloaded(math.ceil(max(1.0, min(seconds, 60.0))))
        if not self._inside:
            self._last = self._timer()
        self._inside += 1

    def leave(self) -> None:
        """Notes that a request was served."""
        now = self._timer()
        self._inside -= 1
        self._pace += WEIGHT * (now - self._last - self._pace)
        self._last = now
