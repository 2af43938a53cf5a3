"""What a process keeps of what it has drawn or written, bounded by its size."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Sized
from dataclasses import dataclass
from typing import Generic, TypeVar

Content = TypeVar("Content", bound=Sized)


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
