"""Counters and heartbeats for monitoring, kept in Redis; nothing in the service depends on them."""

from __future__ import annotations

import json
import os
import socket
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol, TypeAlias

import structlog
from redis import Redis
from redis.exceptions import WatchError

from service import rq_keys
from service.queue import BOTS, MESSAGES, NOTICES, TURNS
from service.redis_link import Keys, RedisAway, RedisLink

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

log = structlog.get_logger(__name__)


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
        """Returns the counters named ``what``. Raises ``RedisAway``."""
        ...

    def fold(self, what: str, step: Fold) -> Mapping[str, Any]:
        """Replaces the document named ``what`` by the result of ``step``, and gives the new one.

        If several processes do so at once, one wins and all are given its document. Raises
        ``RedisAway``.
        """
        ...

    def activity(self) -> Activity:
        """Returns the present processes and jobs. Raises ``RedisAway``."""
        ...


class RedisVitals:
    """Shared by all processes, on all machines."""

    def __init__(self, link: RedisLink, clock: Callable[[], datetime]) -> None:
        self._link, self._clock = link, clock

    def beat(self, part: str) -> None:
        now, me = self._clock().timestamp(), f"{socket.gethostname()}:{os.getpid()}"

        def beaten(redis: Redis, keys: Keys) -> None:
            with redis.pipeline(transaction=False) as pipeline:
                pipeline.zadd(keys[0], {me: now})
                pipeline.zremrangebyscore(keys[0], "-inf", now - 10 * ALIVE_SECONDS)
                pipeline.execute()

        try:
            self._link.ask([_alive(part)], beaten)
        except RedisAway as away:
            log.debug("vitals.heartbeat_failed", part=part, error=str(away))

    def count(self, what: str, counts: Mapping[str, int]) -> None:
        def counted(redis: Redis, keys: Keys) -> None:
            with redis.pipeline(transaction=False) as pipeline:
                for name, number in counts.items():
                    pipeline.hincrby(keys[0], name, number)
                pipeline.execute()

        try:
            self._link.ask([_count(what)], counted)
        except RedisAway as away:
            log.debug("vitals.not_counted", what=what, error=str(away))

    def counts(self, what: str) -> Mapping[str, int]:
        def read(redis: Redis, keys: Keys) -> dict[str, int]:
            found: Any = redis.hgetall(keys[0])
            return {name.decode(): int(number) for name, number in found.items()}

        return self._link.ask([_count(what)], read)

    def fold(self, what: str, step: Fold) -> Mapping[str, Any]:
        def folded(redis: Redis, keys: Keys) -> Mapping[str, Any]:
            (key,) = keys
            with redis.pipeline() as pipeline:
                pipeline.watch(key)  # type: ignore[no-untyped-call]
                old: Any = pipeline.get(key)
                new = step(None if old is None else json.loads(old))
                pipeline.multi()
                pipeline.set(key, json.dumps(new))
                try:
                    pipeline.execute()
                except WatchError:  # another process was faster: its document is used
                    faster: Any = redis.get(key)
                    return new if faster is None else json.loads(faster)
            return new

        return self._link.ask([f"fold:{what}"], folded)

    def activity(self) -> Activity:
        def seen(redis: Redis, keys: Keys) -> Activity:
            queues, beating = keys[: len(QUEUES)], keys[len(QUEUES) :]
            with redis.pipeline(transaction=False) as pipeline:
                for queue in queues:
                    pipeline.smembers(rq_keys.workers_key(queue))
                for queue in queues:
                    pipeline.llen(rq_keys.jobs_key(queue))
                for key in beating:
                    pipeline.zcount(key, self._clock().timestamp() - ALIVE_SECONDS, "+inf")
                answers: list[Any] = pipeline.execute()
            workers, numbers = answers[: len(QUEUES)], [int(number) for number in answers[len(QUEUES) :]]
            # RQ lists a dead worker until a clean-up, but its key expires without heartbeats.
            running = [int(redis.exists(*each)) if each else 0 for each in workers]
            alive = dict(zip((*QUEUES, *BEATING), running + numbers[len(QUEUES) :], strict=True))
            return Activity(alive, dict(zip(QUEUES, numbers, strict=False)))

        queues, beating = [self._link.key(queue) for queue in QUEUES], [_alive(part) for part in BEATING]

        def mended(redis: Redis) -> None:
            rq_keys.mend(redis, *queues)
            redis.delete(*map(self._link.key, beating))

        return self._link.ask([*QUEUES, *beating], seen, mended)


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


def _alive(part: str) -> str:
    return f"alive:{part}"


def _count(what: str) -> str:
    return f"count:{what}"
