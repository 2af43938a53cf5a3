"""Waiting with a limit: for something that another process does."""

from __future__ import annotations

import time
from collections.abc import Callable

LIMIT_SECONDS = 45.0


def until(done: Callable[[], object], what: str, seconds: float = LIMIT_SECONDS) -> None:
    """Returns as soon as ``done`` answers something true; fails the test when the time is up."""
    deadline = time.monotonic() + seconds
    while not done():
        if time.monotonic() > deadline:
            raise AssertionError(f"after {seconds:.0f} s still not: {what}")
        time.sleep(0.05)
