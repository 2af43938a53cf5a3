"""Counts what requests cost in fixed windows, for rate limits: in Redis for all processes together,
and always in this process, too, so that limits hold while Redis is unavailable.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

import structlog
from redis import Redis

from service.redis_link import Keys, RedisAway, RedisLink
from service.store.batched import Batcher

SECONDS: Final = 0.25  # how long Redis may take to answer; a request waits for it at most twice as long
PAUSE_SECONDS: Final = 5.0  # how long Redis is not asked again after it did not answer
MOST_KEYS: Final = 50_000  # how many callers a process remembers for one limit; beyond that it forgets the earliest

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Limit:
    """A cost of at most ``most`` in each window of ``seconds``, which begins at a multiple of them
    since 1970; ``name`` names what is counted, and may be that of several limits.
    """

    name: str
    most: int
    seconds: int


class Use(NamedTuple):
    """What a request costs of a limit, and whose requests are counted."""

    limit: Limit
    who: str
    cost: int = 1


class Rates(Protocol):
    """Counts of what requests cost."""

    def count(self, uses: Sequence[Use], now: float) -> list[int]:
        """Adds each use, and gives what has been used of it in the window of ``now``, in seconds
        since 1970. Never raises.
        """
        ...


class MemoryRates:
    """Counts of this process alone."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[Limit, OrderedDict[tuple[str, int], int]] = {}

    def count(self, uses: Sequence[Use], now: float) -> list[int]:
        with self._lock:
            return [self._count(use, _window(use.limit, now)) for use in uses]

    def _count(self, use: Use, window: int) -> int:
        counts = self._counts.setdefault(use.limit, OrderedDict())
        key = use.who, window
        if key not in counts:
            while counts and (len(counts) >= MOST_KEYS or next(iter(counts))[1] < window):
                counts.popitem(last=False)
        counts[key] = counts.get(key, 0) + use.cost
        return counts[key]


class RedisRates:
    """Counts of all processes; requests that come at once ask Redis once. While it does not answer,
    those of this process are used, and one thread asks it every few seconds.
    """

    def __init__(self, link: RedisLink) -> None:
        self._own = MemoryRates()
        self._link = link
        self._asked: Batcher[tuple[Sequence[Use], float], list[int]] = Batcher()

    def count(self, uses: Sequence[Use], now: float) -> list[int]:
        own = self._own.count(uses, now)
        if self._link.is_away:
            return own  # at once, also while another thread asks whether it still is
        try:
            shared = self._asked.call(self._ask, (uses, now))
        except RedisAway as away:
            log.debug("rates.redis_unavailable", error=str(away))
            return own
        return [max(pair) for pair in zip(own, shared, strict=True)]

    def _ask(self, asked: Sequence[tuple[Sequence[Use], float]]) -> Sequence[list[int]]:
        each = [
            (use, f"rate:{use.limit.name}:{use.limit.seconds}:{use.who}:{_window(use.limit, now)}")
            for uses, now in asked
            for use in uses
        ]

        def counted(redis: Redis, keys: Keys) -> list[int]:
            with redis.pipeline(transaction=False) as pipeline:
                for (use, _), key in zip(each, keys, strict=True):
                    pipeline.incrby(key, use.cost)
                    pipeline.expire(key, use.limit.seconds + 60)
                answers: list[Any] = pipeline.execute()
            return [int(count) for count in answers[::2]]

        counts = iter(self._link.ask([name for _, name in each], counted))
        return [[next(counts) for _ in uses] for uses, _ in asked]


def _window(limit: Limit, now: float) -> int:
    return int(now // limit.seconds)
