"""How often Python looks for reference cycles."""

from __future__ import annotations

import gc
from typing import Final

THRESHOLDS: Final = (50_000, 20, 20)
"""Python's are 700, 10, 10. Requests and turns leave few cycles behind, and each look at the oldest
generation goes through all the states that a process remembers.
"""


def collect_seldom() -> None:
    """Makes this process, and those that it forks, look for cycles seldom, and never among the
    objects that exist now.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
