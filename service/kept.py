"""What a process keeps, bounded: states of matches between turns, so that a turn or a mail costs
the same at ply 10 and at ply 1,000, and what it has drawn or written. Every state is the replay of
committed entries, and is never stored.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Sized
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

RECENT: Final = 8  # the number of latest states kept of each match, from which turns are judged and mails written
EARLIER: Final = 32
"""The number of states kept spread over the length of a match, for views of earlier plies: after
``n`` entries, all replayed, two neighbours are at most ``n / 15`` plies apart (see
``_closest_between``).
"""
SHARE: Final = 8  # earlier states are kept of one in ``SHARE`` matches, the most recently used
SETS: Final = 32  # the number of parsed component sets kept, the most recently used

Content = TypeVar("Content", bound=Sized)


class States:
    """States of at most ``capacity`` matches, by ply; the least recently used are forgotten first.

    It holds at most ``capacity * (RECENT + EARLIER / SHARE)`` states: for 500 matches 6,000,
    measured at 50 MB where all are matches of 500 entries of the largest game. Thread-safe.
    """

    def __init__(self, capacity: int) -> None:
        self._lock = threading.Lock()
        self._recent = _Kept(capacity, RECENT, min)
        self._earlier = _Kept(max(1, capacity // SHARE), EARLIER, _closest_between)
        self._sets = _Kept(SETS, 1, min)

    def nearest(self, match_id: str, ply: int) -> tuple[int, Any] | None:
        """The latest remembered ply up to ``ply``, with its state; ``None`` where there is none."""
        with self._lock:
            found = self._recent.nearest(match_id, ply), self._earlier.nearest(match_id, ply)
        return max((each for each in found if each is not None), key=lambda each: each[0], default=None)

    def remember(self, match_id: str, ply: int, state: Any) -> None:
        """Remembers the state of a match at a ply. All entries before it must be committed."""
        with self._lock:
            self._recent.keep(match_id, ply, state)
            self._earlier.keep(match_id, ply, state)

    def component_set(self, key: Hashable) -> Any:
        """The component set remembered under a key, which contains its digest, or ``None``."""
        with self._lock:
            found = self._sets.nearest(key, 0)
        return None if found is None else found[1]

    def remember_component_set(self, key: Hashable, parsed: Any) -> None:
        """Remembers a parsed component set, which matches share and nobody changes."""
        with self._lock:
            self._sets.keep(key, 0, parsed)

    def forget(self) -> None:
        """Forgets everything."""
        with self._lock:
            self._recent.forget()
            self._earlier.forget()
            self._sets.forget()


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """An answer of the API: its body, and its headers as pairs. Its size is that of its body."""

    body: bytes
    headers: tuple[tuple[str, str], ...]

    def __len__(self) -> int:
        return len(self.body)


class SizedCache(Generic[Content]):
    """Keeps at most ``most`` bytes (of texts: characters); what was not used for the longest time
    is forgotten first. Thread-safe.
    """

    def __init__(self, most: int) -> None:
        self._most, self._size = most, 0
        self._known: OrderedDict[Hashable, Content] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Content | None:
        """The content of that key; ``None`` where it is not kept."""
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
            return self._known.get(key)

    def keep(self, key: Hashable, content: Content) -> None:
        """Keeps a content, unless it is larger than the whole cache."""
        if len(content) > self._most:
            return
        with self._lock:
            before = self._known.pop(key, None)
            self._size += len(content) - (0 if before is None else len(before))
            self._known[key] = content
            while self._size > self._most:
                self._size -= len(self._known.popitem(last=False)[1])


class _Kept:
    """At most ``states`` of each of ``matches`` matches, or of what has but one, by ply 0;
    ``surplus`` chooses the ply to forget.
    """

    def __init__(self, matches: int, states: int, surplus: Callable[[Collection[int]], int]) -> None:
        self._matches = matches
        self._states = states
        self._surplus = surplus
        self._known: OrderedDict[Hashable, dict[int, Any]] = OrderedDict()

    def nearest(self, match_id: Hashable, ply: int) -> tuple[int, Any] | None:
        known = self._known.get(match_id)
        if known is None:
            return None
        self._known.move_to_end(match_id)
        at = max((each for each in known if each <= ply), default=None)
        return None if at is None else (at, known[at])

    def keep(self, match_id: Hashable, ply: int, state: Any) -> None:
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
    """The ply, except the first and the last, whose neighbours are closest to each other.
    Forgetting it leaves a gap of at most twice the average, so the others stay spread over the
    whole length.
    """
    ordered = sorted(plies)
    return min(zip(ordered, ordered[1:], ordered[2:], strict=False), key=lambda three: three[2] - three[0])[1]
