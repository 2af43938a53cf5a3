"""A cache of texts or bytes, bounded by their size."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Content = TypeVar("Content", str, bytes)


class SizedCache(Generic[Content]):
    """Keeps contents of at most ``most`` bytes (of a text: characters) altogether; those that were
    not used for the longest time are forgotten first. Thread-safe.
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
            self._size += len(content) - len(self._known.pop(key, ""))
            self._known[key] = content
            while self._size > self._most:
                self._size -= len(self._known.popitem(last=False)[1])
