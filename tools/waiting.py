"""Waits for a condition instead of a duration."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

LIMIT_SECONDS = 300.0
"""The default time limit, enough for a very busy machine."""
PAUSE = 0.05


class TimedOut(RuntimeError):
    """A condition did not hold in time; the message says which."""


def until(condition: Callable[[], T], what: str, seconds: float = LIMIT_SECONDS) -> T:
    """The first true result of the condition. Raises ``TimedOut`` after ``seconds`` without one."""
    deadline = time.monotonic() + seconds
    while not (answer := condition()):
        if time.monotonic() > deadline:
            raise TimedOut(f"Within {seconds:g} s this did not happen: {what}.")
        time.sleep(PAUSE)
    return answer
