"""Wakes the workers, and those who wait for a verdict.

Rows are the truth; what is lost here, the sweeper finds again.

A wake-up says that there is work, and nothing more. One key per queue holds back every further
wake-up until a worker has heard the first: the worker takes the key away before it looks at the
rows, so a row that is committed later always brings a new job.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

import structlog
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry
from rq import Queue as RqJobs

from service.subscriber import Subscriber, Waiters

TURNS = "turns"
NOTICES = "notices"
JUDGE_TURNS = "workers.tasks.judge_turns"
DELIVER_NOTICES = "workers.tasks.deliver_notices"
JOB_SECONDS = 60
FAILED_SECONDS = 24 * 60 * 60
UNHEARD_MILLISECONDS = 1000
"""How long a wake-up that no worker has heard holds back the next: longer than a job takes to
begin, shorter than anybody's patience.
"""
VERDICTS = "overland:verdicts"
"""The channel on which verdicts are announced."""
CONNECT_SECONDS = 1.0
ANSWER_SECONDS = 5.0

log = structlog.get_logger(__name__)


class Queue(Protocol):
    """What the use cases need of a queue. None of it ever fails a request."""

    def wake_turns(self) -> None:
        """Sees to it that a worker looks for pending turns soon. Called after the commit."""

    def wake_notices(self) -> None:
        """Sees to it that a worker looks for due notices soon. Called after the commit."""

    def heard(self, queue: str) -> None:
        """Said by a worker that was woken, before it looks at any row: whoever wakes from now on
        means new work.
        """

    def announce_verdicts(self, turn_ids: Sequence[str]) -> None:
        """Wakes everyone who waits for one of these turns.

        Called after the commit; an announcement may get lost, the row does not.
        """

    def expecting(self, turn_id: str) -> AbstractContextManager[threading.Event]:
        """An event that is set when the verdict is announced, or when it may have been.

        Whoever expects a turn before it is committed misses nothing.
        """
        ...

    def close(self) -> None:
        """Lets go of the connections of this process."""


class RqQueue:
    """Jobs by name on RQ, without arguments.

    An error of Redis is logged and goes no further: the row is written, the sweeper will find it.
    """

    def __init__(self, redis_url: str) -> None:
        self.redis_url = redis_url
        self._lock = threading.Lock()
        self._connection: Redis | None = None
        self._subscriber = Subscriber(lambda: _connect(redis_url), VERDICTS)

    def wake_turns(self) -> None:
        self._wake(TURNS, JUDGE_TURNS)

    def wake_notices(self) -> None:
        self._wake(NOTICES, DELIVER_NOTICES)

    def heard(self, queue: str) -> None:
        try:
            self._redis().delete(_woken_key(queue))
        except (RedisError, OSError, ValueError) as error:
            log.warning("queue.cannot_hear", queue=queue, error=str(error))  # the key goes by itself

    def announce_verdicts(self, turn_ids: Sequence[str]) -> None:
        try:
            self._redis().publish(VERDICTS, " ".join(turn_ids))
        except (RedisError, OSError, ValueError) as error:
            log.warning("queue.announcement_lost", turns=len(turn_ids), error=str(error))

    def expecting(self, turn_id: str) -> AbstractContextManager[threading.Event]:
        return self._subscriber.expecting(turn_id)

    def close(self) -> None:
        """Closes the connections of this process."""
        self._subscriber.close()
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _wake(self, queue: str, task: str) -> None:
        try:
            if not self._redis().set(_woken_key(queue), "1", nx=True, px=UNHEARD_MILLISECONDS):
                return  # a job is on its way that will see the row
            RqJobs(queue, connection=self._redis(), serializer="json").enqueue_call(
                task,
                timeout=JOB_SECONDS,
                result_ttl=0,
                failure_ttl=FAILED_SECONDS,
                # A wake-up must never be taken for an earlier one that is still being worked off.
                job_id=f"{queue}-{uuid.uuid4().hex}",
            )
        except (RedisError, OSError, ValueError) as error:
            # Swallowed here and nowhere else: the row is committed, so the caller's work is done,
            # and the sweeper wakes a worker for it.
            log.warning("queue.wake_up_lost", queue=queue, error=str(error))

    def _redis(self) -> Redis:
        """Connected on first use, after any fork; raises ``ValueError`` where the URL is none."""
        with self._lock:
            if self._connection is None:
                self._connection = _connect(self.redis_url)
            return self._connection


class MemoryQueue:
    """Counts how often it was woken, or does the work at once with the functions given; for tests
    and for one-process use.
    """

    def __init__(self, judge: Callable[[], object] | None = None, deliver: Callable[[], object] | None = None) -> None:
        self.judge = judge
        self.deliver = deliver
        self.turns = 0
        self.notices = 0
        self.announced: set[str] = set()
        self._waiters = Waiters()

    def wake_turns(self) -> None:
        self.turns += 1
        if self.judge is not None:
            self.judge()

    def wake_notices(self) -> None:
        self.notices += 1
        if self.deliver is not None:
            self.deliver()

    def heard(self, queue: str) -> None:
        """Holds nothing back."""

    def announce_verdicts(self, turn_ids: Sequence[str]) -> None:
        self.announced.update(turn_ids)
        self._waiters.announce(turn_ids)

    def expecting(self, turn_id: str) -> AbstractContextManager[threading.Event]:
        return self._waiters.expecting(turn_id)

    def close(self) -> None:
        """Nothing to close."""


def _woken_key(queue: str) -> str:
    return f"overland:woken:{queue}"


def _connect(redis_url: str) -> Redis:
    # RQ needs bytes: never decode_responses. One more try is for a connection that went stale in
    # the pool; more would only keep a request waiting.
    return Redis.from_url(
        redis_url, socket_connect_timeout=CONNECT_SECONDS, socket_timeout=ANSWER_SECONDS, retry=Retry(NoBackoff(), 1)
    )
