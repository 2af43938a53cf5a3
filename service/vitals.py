"""Counters and heartbeats for monitoring; nothing in the service depends on them.

They are kept in Redis, and lost with it.
"""

from __future__ import annotations

import json
import os
import socket
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol, TypeAlias

import structlog
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError, WatchError
from redis.retry import Retry

from service.queue import NOTICES, TURNS

Fold: TypeAlias = Callable[[Mapping[str, Any] | None], Mapping[str, Any]]
"""From the document before (``None``: there was none) to the one of now, both JSON."""

DELIVERIES: Final = "deliveries"
SWEEPERS: Final = "sweeper"
ALIVE_SECONDS: Final = 60.0
SECONDS: Final = 1.0

log = structlog.get_logger(__name__)


class OutOfReach(Exception):
    """Redis does not answer."""


@dataclass(frozen=True, slots=True)
class Activity:
    """What Redis knows: processes that were alive a minute ago, by part; queued jobs, by queue."""

    alive: Mapping[str, int]
    jobs: Mapping[str, int]


class Vitals(Protocol):
    """Written by the processes of the service, read by monitoring."""

    def beat(self, part: str) -> None:
        """Records that this process, a part of that name, is alive. Never raises."""

    def count(self, what: str, counts: Mapping[str, int]) -> None:
        """Adds to the counters of that name. Never raises."""

    def counts(self, what: str) -> Mapping[str, int]:
        """The counters of that name. Raises ``OutOfReach``."""
        ...

    def fold(self, what: str, step: Fold) -> Mapping[str, Any]:
        """Replaces the document of that name by what ``step`` makes of it, and gives the new one.

        Of several processes at once, one does, and its document is given to all. Raises
        ``OutOfReach``.
        """
        ...

    def activity(self) -> Activity:
        """The processes and jobs of now. Raises ``OutOfReach``."""
        ...


class RedisVitals:
    """Shared by all processes, on all machines."""

    def __init__(self, redis_url: str, clock: Callable[[], datetime]) -> None:
        self.redis_url = redis_url
        self._clock = clock
        self._lock = threading.Lock()
        self._connection: tuple[int, Redis] | None = None

    def beat(self, part: str) -> None:
        now, me = self._clock().timestamp(), f"{socket.gethostname()}:{os.getpid()}"
        try:
            with self._redis().pipeline(transaction=False) as pipeline:
                pipeline.zadd(_alive_key(part), {me: now})
                pipeline.zremrangebyscore(_alive_key(part), "-inf", now - 10 * ALIVE_SECONDS)
                pipeline.execute()
        except (RedisError, OSError, ValueError) as error:
            log.debug("vitals.not_noted", part=part, error=str(error))

    def count(self, what: str, counts: Mapping[str, int]) -> None:
        try:
            with self._redis().pipeline(transaction=False) as pipeline:
                for name, number in counts.items():
                    pipeline.hincrby(_count_key(what), name, number)
                pipeline.execute()
        except (RedisError, OSError, ValueError) as error:
            log.debug("vitals.not_counted", what=what, error=str(error))

    def counts(self, what: str) -> Mapping[str, int]:
        try:
            found: Any = self._redis().hgetall(_count_key(what))
        except (RedisError, OSError, ValueError) as error:
            raise OutOfReach from error
        return {name.decode(): int(number) for name, number in found.items()}

    def fold(self, what: str, step: Fold) -> Mapping[str, Any]:
        key = f"overland:fold:{what}"
        try:
            with self._redis().pipeline() as pipeline:
                pipeline.watch(key)  # type: ignore[no-untyped-call]
                old: Any = pipeline.get(key)
                new = step(None if old is None else json.loads(old))
                pipeline.multi()
                pipeline.set(key, json.dumps(new))
                try:
                    pipeline.execute()
                except WatchError:  # another process was faster: what it made is as good
                    faster: Any = self._redis().get(key)
                    return new if faster is None else json.loads(faster)
        except (RedisError, OSError, ValueError) as error:
            raise OutOfReach from error
        return new

    def activity(self) -> Activity:
        try:
            with self._redis().pipeline(transaction=False) as pipeline:
                for queue in (TURNS, NOTICES):
                    pipeline.smembers(f"rq:workers:{queue}")
                    pipeline.llen(f"rq:queue:{queue}")
                pipeline.zcount(_alive_key(SWEEPERS), self._clock().timestamp() - ALIVE_SECONDS, "+inf")
                turn_workers, turn_jobs, notice_workers, notice_jobs, sweepers = pipeline.execute()
            # RQ lists a worker until a clean-up; its key expires without heartbeats.
            alive = {
                part: int(self._redis().exists(*keys)) if keys else 0
                for part, keys in ((TURNS, turn_workers), (NOTICES, notice_workers))
            }
        except (RedisError, OSError, ValueError) as error:
            raise OutOfReach from error
        return Activity(alive | {SWEEPERS: int(sweepers)}, {TURNS: int(turn_jobs), NOTICES: int(notice_jobs)})

    def _redis(self) -> Redis:
        """Connected on first use, and again after a fork; raises ``ValueError`` where the URL is
        none.
        """
        with self._lock:
            if self._connection is None or self._connection[0] != os.getpid():
                connection = Redis.from_url(
                    self.redis_url, socket_connect_timeout=SECONDS, socket_timeout=SECONDS, retry=Retry(NoBackoff(), 1)
                )
                self._connection = os.getpid(), connection
            return self._connection[1]


class MemoryVitals:
    """Of this process alone; for tests and for one-process use."""

    def __init__(self) -> None:
        self.alive: Counter[str] = Counter()
        self.counted: dict[str, Counter[str]] = {}
        self.folded: dict[str, Mapping[str, Any]] = {}

    def beat(self, part: str) -> None:
        self.alive[part] = 1

    def count(self, what: str, counts: Mapping[str, int]) -> None:
        self.counted.setdefault(what, Counter()).update(counts)

    def counts(self, what: str) -> Mapping[str, int]:
        return self.counted.get(what, Counter())

    def fold(self, what: str, step: Fold) -> Mapping[str, Any]:
        self.folded[what] = step(self.folded.get(what))
        return self.folded[what]

    def activity(self) -> Activity:
        return Activity(dict(self.alive), {TURNS: 0, NOTICES: 0})


def _alive_key(part: str) -> str:
    return f"overland:alive:{part}"


def _count_key(what: str) -> str:
    return f"overland:count:{what}"
