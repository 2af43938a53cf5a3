"""Legal actions as bags of pairs, which tell what can be picked in a picture (``engine.svg.pick``):
pairs of a field and a value of its document. A list has a pair for each of its items, an object is
one value, JSON without spaces, its keys sorted. ``null`` and ``false`` have none.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

Pair: TypeAlias = str
"""``field=value``, the value percent-encoded as by ``encodeURIComponent`` of ECMAScript."""

_ENCODED: Final = re.compile(r"[^\w.!~*'()-]", re.ASCII)


def pair(name: str, value: Any) -> Pair:
    """The pair of a field and a value that is no list."""
    return f"{name}={_ENCODED.sub(_percent_encoded, written(value))}"


def written(value: Any) -> str:
    """A value that is no list, as text that is not encoded."""
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, separators=(",", ":"))


def _percent_encoded(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode())


def bag(document: Mapping[str, Any]) -> Counter[Pair]:
    """The pairs of an action's document, each with how often it is there."""
    return Counter(pairs(document))


def pairs(document: Mapping[str, Any]) -> Iterator[Pair]:
    """The pairs of an action's document, or of some of its fields."""
    return (pair(name, value) for name, value in values(document))


def values(document: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The fields and values of which these pairs are made."""
    for name, value in document.items():
        for each in value if isinstance(value, list | tuple) else (value,):
            if each is not None and each is not False:
                yield name, each


@dataclass(frozen=True, slots=True)
class Choices:
    """What a viewer may choose now: the legal actions, by the pairs in their bags."""

    _actions: Mapping[Pair, Set[int]] = field(default_factory=dict)

    def allow(self, wanted: Iterable[Pair]) -> bool:
        """Whether a legal action has all of these pairs."""
        having = [self._actions.get(each, frozenset()) for each in wanted]
        return any(all(action in each for each in having) for action in min(having, key=len))


NO_CHOICES: Final = Choices()
"""For a viewer who is not awaited, and a picture in which nothing is to be picked."""


def choices(documents: Iterable[Mapping[str, Any]]) -> Choices:
    """The choices between actions, from their documents."""
    found: dict[Pair, set[int]] = {}
    for index, document in enumerate(documents):
        for each in pairs(document):
            found.setdefault(each, set()).add(index)
    return Choices(found) if found else NO_CHOICES
