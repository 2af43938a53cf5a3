"""Waiting for something that another process or thread does.

It takes as long as it takes: the limit only ends a test that would otherwise wait for ever.
"""

from __future__ import annotations

import time
from collections.abc import Callable

LIMIT_SECONDS = 300.0


def until(done: Callable[[], object], what: str, seconds: float = LIMIT_SECONDS) -> None:
    """Returns as soon as ``done`` gives something true; fails the test after ``seconds``."""
    deadline = time.monotonic() + seconds
    while not done():
        if time.monotonic() > deadline:
            raise AssertionError(f"after {seconds:.0f} s still not: {what}")
        time.sleep(0.05)
