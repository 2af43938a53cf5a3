"""Heartbeats for monitoring, kept in Redis; nothing in the service depends on them."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import structlog
from redis import Redis

from service.queue import BOTS, MESSAGES, NOTICES, TURNS
from service.redis_link import Keys, RedisAway, RedisLink, jobs_key, mend_queues, workers_key

CALLERS: Final = "webhooks"
SWEEPERS: Final = "sweeper"
LISTENERS: Final = "listener"
QUEUES: Final = (TURNS, NOTICES, MESSAGES, BOTS)
BEATING: Final = (CALLERS, SWEEPERS, LISTENERS)
"""The parts that send heartbeats themselves; of the others RQ does."""
ALIVE_SECONDS: Final = 60.0

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Activity:
    """``alive``: processes that beat in the last minute, by part; ``jobs``: by queue."""

    alive: Mapping[str, int]
    jobs: Mapping[str, int]


class Vitals:
    """Written by the processes of the service on all machines, read by monitoring."""

    def __init__(self, link: RedisLink, clock: Callable[[], datetime]) -> None:
        self._link, self._clock = link, clock

    def beat(self, part: str) -> None:
        """Records that this process, which is a ``part``, is alive. Never raises."""
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

    def activity(self) -> Activity:
        """Returns the present processes and jobs. Raises ``RedisAway``."""

        def seen(redis: Redis, keys: Keys) -> Activity:
            queues, beating = keys[: len(QUEUES)], keys[len(QUEUES) :]
            with redis.pipeline(transaction=False) as pipeline:
                for queue in queues:
                    pipeline.smembers(workers_key(queue))
                for queue in queues:
                    pipeline.llen(jobs_key(queue))
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
            mend_queues(redis, *queues)
            redis.delete(*map(self._link.key, beating))

        return self._link.ask([*QUEUES, *beating], seen, mended)


def _alive(part: str) -> str:
    return f"alive:{part}"
