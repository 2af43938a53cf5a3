"""How often Python looks for reference cycles, and where it does not."""

from __future__ import annotations

import gc
from typing import Final

THRESHOLDS: Final = (50_000, 20, 20)
"""Python's are 700, 10, 10. Requests and turns leave few cycles behind, and each look at the oldest
generation goes through all the states that a process remembers.
"""


def freeze() -> None:
    """Makes this process, and those that it forks, never look for cycles among the objects that
    exist now: a look would write to the memory that they share.
    """
    gc.collect()
    gc.freeze()


def collect_seldom() -> None:
    """Makes this process, and those that it forks, look for cycles seldom, and as ``freeze``."""
    freeze()
    gc.set_threshold(*THRESHOLDS)
