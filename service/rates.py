"""Counts requests in fixed windows, for rate limits: in Redis for all processes together, and
always in this process, too, so that limits hold while Redis is unavailable.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

import structlog
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from service.store.batcher import Batcher

SECONDS: Final = 0.25
"""How long Redis may take to answer; a request waits for it at most twice as long."""
PAUSE_SECONDS: Final = 5.0
"""How long Redis is not asked again after it did not answer."""
MOST_KEYS: Final = 50_000
"""How many callers a process remembers for one limit; beyond that it forgets the earliest."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Limit:
    """At most ``most`` requests in each window of ``seconds``, which begins at a multiple of them
    since 1970; ``name`` names what is counted, and may be that of several limits.
    """

    name: str
    most: int
    seconds: int


Use: TypeAlias = tuple[Limit, str]
"""A limit, and whose requests it counts."""


class Rates(Protocol):
    """Counts of requests."""

    def count(self, uses: Sequence[Use], now: float) -> list[int]:
        """Counts one request more for each of ``uses``, and gives how many there have been in the
        window of the time ``now``, in seconds since 1970. Never raises.
        """
        ...


class MemoryRates:
    """Counts of this process alone."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[Limit, OrderedDict[tuple[str, int], int]] = {}

    def count(self, uses: Sequence[Use], now: float) -> list[int]:
        with self._lock:
            return [self._count(limit, who, _window(limit, now)) for limit, who in uses]

    def _count(self, limit: Limit, who: str, window: int) -> int:
        counts = self._counts.setdefault(limit, OrderedDict())
        if (who, window) not in counts:
            while counts and (len(counts) >= MOST_KEYS or next(iter(counts))[1] < window):
                counts.popitem(last=False)
        counts[who, window] = counts.get((who, window), 0) + 1
        return counts[who, window]


class RedisRates:
    """Counts of all processes, on all machines; requests that come at once ask Redis once. While it
    does not answer, the counts of this process are used, which are kept all the time; Redis is then
    asked by one thread every few seconds.
    """

    def __init__(self, redis_url: str, timer: Callable[[], float]) -> None:
        self._own = MemoryRates()
        self._timer = timer
        self._url = redis_url
        self._lock = threading.Lock()
        self._connection: Redis | None = None
        self._ask_again_at: float | None = None
        self._asked: Batcher[tuple[Sequence[Use], float], list[int]] = Batcher()

    def count(self, uses: Sequence[Use], now: float) -> list[int]:
        own = self._own.count(uses, now)
        if not self._may_ask():
            return own
        try:
            shared = self._asked.call(self._ask, (uses, now))
        except (RedisError, OSError, ValueError) as error:
            self._note_failure(error)
            return own
        self._note_success()
        return [max(pair) for pair in zip(own, shared, strict=True)]

    def _ask(self, asked: Sequence[tuple[Sequence[Use], float]]) -> Sequence[list[int]]:
        with self._redis().pipeline(transaction=False) as pipeline:
            for uses, now in asked:
                for limit, who in uses:
                    key = f"overland:rate:{limit.name}:{limit.seconds}:{who}:{_window(limit, now)}"
                    pipeline.incr(key)
                    pipeline.expire(key, limit.seconds + 60)
            answers: list[Any] = pipeline.execute()
        counts = iter(int(count) for count in answers[::2])
        return [[next(counts) for _ in uses] for uses, _ in asked]

    def _redis(self) -> Redis:
        """Gives the connection, made on first use. Raises ``ValueError`` for a bad URL."""
        with self._lock:
            if self._connection is None:
                self._connection = Redis.from_url(
                    self._url, socket_connect_timeout=SECONDS, socket_timeout=SECONDS, retry=Retry(NoBackoff(), 1)
                )
            return self._connection

    def _may_ask(self) -> bool:
        with self._lock:
            if self._ask_again_at is None:
                return True
            now = self._timer()
            if now < self._ask_again_at:
                return False
            self._ask_again_at = now + PAUSE_SECONDS  # this thread asks, the others wait for what it finds
            return True

    def _note_failure(self, error: Exception) -> None:
        with self._lock:
            first, self._ask_again_at = self._ask_again_at is None, self._timer() + PAUSE_SECONDS
        if first:
            log.warning("rates.redis_unavailable", error=type(error).__name__)

    def _note_success(self) -> None:
        with self._lock:
            again, self._ask_again_at = self._ask_again_at is not None, None
        if again:
            log.info("rates.redis_available")


def _window(limit: Limit, now: float) -> int:
    return int(now // limit.seconds)
