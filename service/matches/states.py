"""The latest known state of matches, kept between turns.

So a turn costs the same at ply 10 and at ply 1,000. What is kept was rebuilt from entries that are
committed; it may be forgotten at any time, and no process ever stores a state anywhere.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any


class States:
    """The latest known state of so many matches, the least recently used forgotten first.

    Safe to use from several threads.
    """

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._lock = threading.Lock()
        self._known: OrderedDict[str, tuple[int, Any]] = OrderedDict()

    def get(self, match_id: str) -> tuple[int, Any] | None:
        """The ply and the state remembered of a match."""
        with self._lock:
            if match_id not in self._known:
                return None
            self._known.move_to_end(match_id)
            return self._known[match_id]

    def remember(self, match_id: str, ply: int, state: Any) -> None:
        """Remembers a state whose entries are committed, unless a later one is known."""
        with self._lock:
            known = self._known.get(match_id)
            if known is None or known[0] < ply:
                self._known[match_id] = (ply, state)
            self._known.move_to_end(match_id)
            while len(self._known) > self.capacity:
                self._known.popitem(last=False)

    def forget(self) -> None:
        """Forgets everything."""
        with self._lock:
            self._known.clear()
