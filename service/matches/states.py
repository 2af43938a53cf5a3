"""States of matches that a process remembers between turns.

So a turn, a mail or a page of the log costs the same at ply 10 and at ply 1,000. Every state is the
replay of entries that are committed; it may be forgotten at any time, and no process ever stores a
state anywhere.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection
from typing import Any, Final

RECENT: Final = 8
"""The latest states of each match: turns are judged and mails are written there."""
EARLIER: Final = 32
"""States spread over the length of a match, for whoever looks further back.

Behind ``n`` entries that were all walked through, two neighbours are at most ``n / 15`` plies apart
(see ``_closest_between``).
"""
SHARE: Final = 8
"""One in so many matches, the most recently used, keeps its earlier states."""


class States:
    """States of ``capacity`` matches by ply, of which the least recently used are forgotten first.

    It holds at most ``capacity * (RECENT + EARLIER / SHARE)`` states: of 500 matches 6,000, which
    were measured to take 50 MB where all are matches of 500 entries of the largest game. Safe to
    use from several threads.
    """

    def __init__(self, capacity: int) -> None:
        self._lock = threading.Lock()
        self._recent = _Kept(capacity, RECENT, min)
        self._earlier = _Kept(max(1, capacity // SHARE), EARLIER, _closest_between)

    def nearest(self, match_id: str, ply: int) -> tuple[int, Any] | None:
        """The latest ply up to ``ply`` of which the state is remembered, with that state."""
        with self._lock:
            found = self._recent.nearest(match_id, ply), self._earlier.nearest(match_id, ply)
        return max((each for each in found if each is not None), key=lambda each: each[0], default=None)

    def remember(self, match_id: str, ply: int, state: Any) -> None:
        """Remembers the state of a match at a ply, all entries before which are committed."""
        with self._lock:
            self._recent.keep(match_id, ply, state)
            self._earlier.keep(match_id, ply, state)

    def forget(self) -> None:
        """Forgets everything."""
        with self._lock:
            self._recent.forget()
            self._earlier.forget()


class _Kept:
    """At most ``states`` states of each of ``matches`` matches; ``surplus`` says which ply goes."""

    def __init__(self, matches: int, states: int, surplus: Callable[[Collection[int]], int]) -> None:
        self._matches = matches
        self._states = states
        self._surplus = surplus
        self._known: OrderedDict[str, dict[int, Any]] = OrderedDict()

    def nearest(self, match_id: str, ply: int) -> tuple[int, Any] | None:
        known = self._known.get(match_id)
        if known is None:
            return None
        self._known.move_to_end(match_id)
        at = max((each for each in known if each <= ply), default=None)
        return None if at is None else (at, known[at])

    def keep(self, match_id: str, ply: int, state: Any) -> None:
        known = self._known.setdefault(match_id, {})
        self._known.move_to_end(match_id)
        known[ply] = state
        if len(known) > self._states:
            del known[self._surplus(known)]
        if len(self._known) > self._matches:
            self._known.popitem(last=False)

    def forget(self) -> None:
        self._known.clear()


def _closest_between(plies: Collection[int]) -> int:
    """The ply, but for the first and the last, whose neighbours are closest to each other.

    To forget it leaves a gap of at most twice the average, so the plies that remain are spread over
    the whole length.
    """
    ordered = sorted(plies)
    return min(zip(ordered, ordered[1:], ordered[2:], strict=False), key=lambda three: three[2] - three[0])[1]
