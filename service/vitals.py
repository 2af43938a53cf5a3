"""Counters and heartbeats for monitoring, kept in Redis; nothing in the service depends on them."""

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

from service.queue import BOTS, MESSAGES, NOTICES, TURNS

Fold: TypeAlias = Callable[[Mapping[str, Any] | None], Mapping[str, Any]]
"""From the previous JSON document (``None`` if there was none) to the new one."""

DELIVERIES: Final = "deliveries"
HANDLINGS: Final = "handlings"
BOT_TURNS: Final = "bot_turns"
SWEEPERS: Final = "sweeper"
LISTENERS: Final = "listener"
QUEUES: Final = (TURNS, NOTICES, MESSAGES, BOTS)
BEATING: Final = (SWEEPERS, LISTENERS)
"""The parts that send heartbeats themselves; of the others RQ does."""
ALIVE_SECONDS: Final = 60.0
SECONDS: Final = 1.0

log = structlog.get_logger(__name__)


class Unavailable(Exception):
    """Redis does not answer."""


@dataclass(frozen=True, slots=True)
class Activity:
    """``alive``: processes with a heartbeat in the last minute, by part; ``jobs``: queued jobs, by
    queue.
    """

    alive: Mapping[str, int]
    jobs: Mapping[str, int]


class Vitals(Protocol):
    """Written by the processes of the service, read by monitoring."""

    def beat(self, part: str) -> None:
        """Records that this process, which is a ``part``, is alive. Never raises."""

    def count(self, what: str, counts: Mapping[str, int]) -> None:
        """Adds ``counts`` to the counters named ``what``. Never raises."""

    def counts(self, what: str) -> Mapping[str, int]:
        """Gives the counters named ``what``. Raises ``Unavailable``."""
        ...

    def fold(self, what: str, step: Fold) -> Mapping[str, Any]:
        """Replaces the document named ``what`` by the result of ``step``, and gives the new one.

        If several processes do so at once, one wins and all are given its document. Raises
        ``Unavailable``.
        """
        ...

    def activity(self) -> Activity:
        """Gives the present processes and jobs. Raises ``Unavailable``."""
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
            log.debug("vitals.heartbeat_failed", part=part, error=str(error))

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
            raise Unavailable from error
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
                except WatchError:  # another process was faster: its document is used
                    faster: Any = self._redis().get(key)
                    return new if faster is None else json.loads(faster)
        except (RedisError, OSError, ValueError) as error:
            raise Unavailable from error
        return new

    def activity(self) -> Activity:
        try:
            with self._redis().pipeline(transaction=False) as pipeline:
                for queue in QUEUES:
                    pipeline.smembers(f"rq:workers:{queue}")
                for queue in QUEUES:
                    pipeline.llen(f"rq:queue:{queue}")
                for part in BEATING:
                    pipeline.zcount(_alive_key(part), self._clock().timestamp() - ALIVE_SECONDS, "+inf")
                answers: list[Any] = pipeline.execute()
            workers, jobs = answers[: len(QUEUES)], answers[len(QUEUES) : 2 * len(QUEUES)]
            beating = answers[2 * len(QUEUES) :]
            # RQ lists a dead worker until a clean-up, but its key expires without heartbeats.
            alive = {
                queue: int(self._redis().exists(*keys)) if keys else 0
                for queue, keys in zip(QUEUES, workers, strict=True)
            }
        except (RedisError, OSError, ValueError) as error:
            raise Unavailable from error
        alive |= {part: int(number) for part, number in zip(BEATING, beating, strict=True)}
        return Activity(alive, {queue: int(number) for queue, number in zip(QUEUES, jobs, strict=True)})

    def _redis(self) -> Redis:
        """Gives the connection, made on first use and again after a fork. Raises ``ValueError`` for
        a bad URL.
        """
        with self._lock:
            if self._connection is None or self._connection[0] != os.getpid():
                connection = Redis.from_url(
                    self.redis_url, socket_connect_timeout=SECONDS, socket_timeout=SECONDS, retry=Retry(NoBackoff(), 1)
                )
                self._connection = os.getpid(), connection
            return self._connection[1]


class MemoryVitals:
    """Vitals of this process alone; for tests and single-process use."""

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
        return Activity(dict(self.alive), dict.fromkeys(QUEUES, 0))


def _alive_key(part: str) -> str:
    return f"overland:alive:{part}"


def _count_key(what: str) -> str:
    return f"overland:count:{what}"
