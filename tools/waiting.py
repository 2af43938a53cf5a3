"""Waiting for a condition instead of a duration."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

LIMIT_SECONDS = 300.0
"""Seconds after which something has gone wrong, however busy the machine is."""
PAUSE = 0.05


class TimedOut(RuntimeError):
    """Something did not happen in time; the message says what."""


def until(condition: Callable[[], T], what: str, seconds: float = LIMIT_SECONDS) -> T:
    """The first true answer of the condition. Raises TimedOut after so many seconds without one."""
    deadline = time.monotonic() + seconds
    while not (answer := condition()):
        if time.monotonic() > deadline:
            raise TimedOut(f"Within {seconds:g} s this did not happen: {what}.")
        time.sleep(PAUSE)
    return answer
