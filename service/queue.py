"""Wakes the workers, and those who wait for a verdict. Rows are the truth; what is lost here, the sweeper finds again."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable
from typing import Protocol

import structlog
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry
from rq import Queue as RqJobs

TURNS = "turns"
NOTICES = "notices"
JUDGE_TURN = "workers.tasks.judge_turn"
DELIVER_NOTICE = "workers.tasks.deliver_notice"
JOB_SECONDS = 60
FAILED_SECONDS = 24 * 60 * 60
ANNOUNCED_SECONDS = 60
CONNECT_SECONDS = 1.0
SLICE_SECONDS = 3.0
PAUSE_SECONDS = 0.5

log = structlog.get_logger(__name__)


class Queue(Protocol):
    """What the use cases need of a queue. None of it ever fails a request."""

    def wake_turn(self, turn_id: str) -> None:
        """Sees to it that a worker judges this turn soon. Called after the commit."""

    def wake_notice(self, notice_id: str) -> None:
        """Sees to it that a worker delivers this notice soon. Called after the commit."""

    def announce_verdict(self, turn_id: str) -> None:
        """Wakes everyone who waits for this turn, those included who begin to wait within the next minute."""

    def wait_for_verdict(self, turn_id: str, seconds: float) -> bool:
        """Blocks until the verdict is announced, at most ``seconds``; ``False`` means: look at the row, nobody knows."""
        ...

    def close(self) -> None:
        """Lets go of the connections of this process."""


class RqQueue:
    """Jobs by name on RQ, in JSON, ids only. An error of Redis is logged and goes no further: the row is written, the sweeper will find it."""

    def __init__(self, redis_url: str) -> None:
        self.redis_url = redis_url
        self._lock = threading.Lock()
        self._connection: Redis | None = None

    def wake_turn(self, turn_id: str) -> None:
        self._enqueue(TURNS, JUDGE_TURN, turn_id)

    def wake_notice(self, notice_id: str) -> None:
        self._enqueue(NOTICES, DELIVER_NOTICE, notice_id)

    def announce_verdict(self, turn_id: str) -> None:
        try:
            self._announce(turn_id)
        except (RedisError, OSError, ValueError) as error:
            log.warning("queue.announcement_lost", turn=turn_id, error=str(error))

    def wait_for_verdict(self, turn_id: str, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        try:
            while (left := deadline - time.monotonic()) > 0:
                # Redis reads a timeout of 0 as "for ever".
                if self._redis().blpop([_verdict_key(turn_id)], timeout=max(0.01, min(left, SLICE_SECONDS))) is not None:
                    self._announce(turn_id)  # whoever else waits for the same turn pops it next
                    return True
        except (RedisError, OSError, ValueError) as error:
            log.warning("queue.cannot_wait", turn=turn_id, error=str(error))
            time.sleep(max(0.0, min(deadline - time.monotonic(), PAUSE_SECONDS)))
        return False

    def close(self) -> None:
        """Closes the connections of this process."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _enqueue(self, queue: str, task: str, row_id: str) -> None:
        try:
            RqJobs(queue, connection=self._redis(), serializer="json").enqueue_call(
                task,
                args=(row_id,),
                timeout=JOB_SECONDS,
                result_ttl=0,
                failure_ttl=FAILED_SECONDS,
                job_id=f"{row_id}-{uuid.uuid4().hex}",  # a wake-up must never be taken for an earlier one that is still being worked off
            )
        except (RedisError, OSError, ValueError) as error:
            # Swallowed here and nowhere else: the row is committed, so the caller's work is done, and the sweeper wakes a worker for it.
            log.warning("queue.wake_up_lost", queue=queue, row=row_id, error=str(error))

    def _announce(self, turn_id: str) -> None:
        with self._redis().pipeline() as pipeline:
            pipeline.rpush(_verdict_key(turn_id), "1")
            pipeline.expire(_verdict_key(turn_id), ANNOUNCED_SECONDS)
            pipeline.execute()

    def _redis(self) -> Redis:
        """Connected on first use, after any fork; raises ``ValueError`` where the URL is none."""
        with self._lock:
            if self._connection is None:
                # RQ needs bytes: never decode_responses. The timeout must outlast a slice of BLPOP. One more try is for a connection that went stale in
                # the pool; more would only keep a request waiting.
                self._connection = Redis.from_url(
                    self.redis_url,
                    socket_connect_timeout=CONNECT_SECONDS,
                    socket_timeout=SLICE_SECONDS + 2,
                    retry=Retry(NoBackoff(), 1),
                )
            return self._connection


class MemoryQueue:
    """Remembers the ids it was woken for, or works them off at once with the functions given; for tests and for one-process use."""

    def __init__(self, judge: Callable[[str], object] | None = None, deliver: Callable[[str], object] | None = None) -> None:
        self.judge = judge
        self.deliver = deliver
        self.turns: list[str] = []
        self.notices: list[str] = []
        self.announced: set[str] = set()
        self._changed = threading.Condition()

    def wake_turn(self, turn_id: str) -> None:
        if self.judge is not None:
            self.judge(turn_id)
        else:
            self.turns.append(turn_id)

    def wake_notice(self, notice_id: str) -> None:
        if self.deliver is not None:
            self.deliver(notice_id)
        else:
            self.notices.append(notice_id)

    def announce_verdict(self, turn_id: str) -> None:
        with self._changed:
            self.announced.add(turn_id)
            self._changed.notify_all()

    def wait_for_verdict(self, turn_id: str, seconds: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: turn_id in self.announced, timeout=seconds)

    def close(self) -> None:
        """Nothing to close."""


def _verdict_key(turn_id: str) -> str:
    return f"overland:verdict:{turn_id}"
