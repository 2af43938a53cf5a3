"""Wakes the workers, and the threads that wait for a verdict.

The rows in the database are authoritative; the sweeper repeats a wake-up that is lost.

A wake-up is a job without arguments. One key per queue suppresses further wake-ups until a worker
acknowledges the first: the worker deletes the key before it reads any row, so a row that is
committed later always causes a new job.
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
UNACKNOWLEDGED_MILLISECONDS = 1000
"""How long an unacknowledged wake-up suppresses the next: longer than a job takes to begin."""
VERDICTS = "overland:verdicts"
"""The channel on which verdicts are announced."""
CONNECT_SECONDS = 1.0
ANSWER_SECONDS = 5.0

log = structlog.get_logger(__name__)


class Queue(Protocol):
    """The queue of the use cases. No method raises where Redis is unavailable."""

    def wake_turns(self) -> None:
        """Makes a worker look for pending turns soon. Call it after the commit."""

    def wake_notices(self) -> None:
        """Makes a worker look for due notices soon. Call it after the commit."""

    def acknowledge(self, queue: str) -> None:
        """Ends the suppression of wake-ups. A worker calls it before it reads any row, so that
        every later wake-up causes a new job.
        """

    def announce_verdicts(self, turn_ids: Sequence[str]) -> None:
        """Wakes the threads that wait for one of these turns. Call it after the commit; an
        announcement may be lost, the verdict's row is not.
        """

    def expecting(self, turn_id: str) -> AbstractContextManager[threading.Event]:
        """Gives an event that is set when the verdict of a turn is announced, or may have been.
        Enter it before the turn is committed to miss no announcement.
        """
        ...

    def close(self) -> None:
        """Closes the connections of this process."""


class RqQueue:
    """RQ jobs by name, without arguments.

    Errors of Redis are logged, not raised: the row is committed and the sweeper will find it.
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

    def acknowledge(self, queue: str) -> None:
        try:
            self._redis().delete(_woken_key(queue))
        except (RedisError, OSError, ValueError) as error:
            log.warning("queue.not_acknowledged", queue=queue, error=str(error))  # the key expires by itself

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
            if not self._redis().set(_woken_key(queue), "1", nx=True, px=UNACKNOWLEDGED_MILLISECONDS):
                return  # a queued job will read the row
            RqJobs(queue, connection=self._redis(), serializer="json").enqueue_call(
                task,
                timeout=JOB_SECONDS,
                result_ttl=0,
                failure_ttl=FAILED_SECONDS,
                # A unique id, so that RQ never merges it with an earlier job that still runs.
                job_id=f"{queue}-{uuid.uuid4().hex}",
            )
        except (RedisError, OSError, ValueError) as error:
            # Not raised: the row is committed, and the sweeper wakes a worker for it.
            log.warning("queue.wake_up_lost", queue=queue, error=str(error))

    def _redis(self) -> Redis:
        """Gives the connection, made on first use, after any fork. Raises ``ValueError`` for a bad
        URL.
        """
        with self._lock:
            if self._connection is None:
                self._connection = _connect(self.redis_url)
            return self._connection


class MemoryQueue:
    """Counts wake-ups, or calls the given functions at once; for tests and single-process use."""

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

    def acknowledge(self, queue: str) -> None:
        """Does nothing, as nothing is suppressed here."""

    def announce_verdicts(self, turn_ids: Sequence[str]) -> None:
        self.announced.update(turn_ids)
        self._waiters.announce(turn_ids)

    def expecting(self, turn_id: str) -> AbstractContextManager[threading.Event]:
        return self._waiters.expecting(turn_id)

    def close(self) -> None:
        """Does nothing."""


def _woken_key(queue: str) -> str:
    return f"overland:woken:{queue}"


def _connect(redis_url: str) -> Redis:
    # RQ needs bytes: never decode_responses. One retry covers a stale connection of the pool;
    # more would only keep a request waiting.
    return Redis.from_url(
        redis_url, socket_connect_timeout=CONNECT_SECONDS, socket_timeout=ANSWER_SECONDS, retry=Retry(NoBackoff(), 1)
    )
