"""Wakes the workers, and the requests that wait for a verdict.

The rows in the database are authoritative; the workers poll them, so a wake-up may be lost.

A wake-up is a note to a worker that attends to the queue (``service.attendance``), or else a job
without arguments. One key per queue suppresses further jobs until a worker acknowledges the first:
the worker deletes the key before it reads any row, so a row that is committed later always causes a
new job.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

import structlog
from redis import Redis
from rq import Queue as RqJobs

from service import rq_keys
from service.attendance import Attendance, Heard, attending, wake, woken
from service.claims import CLAIMS, Claimed, Claims
from service.redis_link import Keys, RedisAway, RedisLink
from service.subscriber import CHANNEL, Subscriber, Waiters, by_match
from service.waits import Signal

TURNS = "turns"
NOTICES = "notices"
MESSAGES = "messages"
BOTS = "bots"
JUDGE_TURNS = "workers.tasks.judge_turns"
DELIVER_NOTICES = "workers.tasks.deliver_notices"
HANDLE_MESSAGES = "workers.tasks.handle_messages"
PLAY_BOTS = "workers.tasks.play_bots"
JOB_SECONDS = 60
FAILED_SECONDS = 24 * 60 * 60
UNACKNOWLEDGED_MILLISECONDS = 1000
"""How long an unacknowledged wake-up suppresses the next: longer than a job takes to begin."""

log = structlog.get_logger(__name__)


class Queue(Protocol):
    """The queue of the use cases. No method raises where Redis is unavailable."""

    def check(self) -> None:
        """Raises ``RedisAway`` where wake-ups would be lost."""

    def wake_turns(self) -> None:
        """Makes a worker look for pending turns soon. Call it after the commit."""

    def wake_notices(self) -> None:
        """Makes a worker look for due notices soon. Call it after the commit."""

    def wake_messages(self) -> None:
        """Makes a worker look for mails that came in soon. Call it after the commit."""

    def wake_bots(self) -> None:
        """Makes a worker play for the bots that are awaited soon. Call it after the commit."""

    def acknowledge(self, queue: str) -> None:
        """Ends the suppression of wake-ups. A worker calls it before it reads any row, so that
        every later wake-up causes a new job.
        """

    def attend(self, queue: str) -> AbstractContextManager[Attendance]:
        """Attends to a queue until the block ends: wake-ups are notes to this worker, not jobs."""
        ...

    def claim(self, turn_ids: Sequence[str]) -> Claimed:
        """Claims turns for this process, so that other workers leave them alone."""
        ...

    def release(self, turn_ids: Collection[str]) -> None:
        """Ends the claims on turns that were not judged."""

    def announce_verdicts(self, judged: Mapping[str, str]) -> None:
        """Wakes the requests that wait for one of these turns, and ends the claims on them;
        ``judged`` gives the match of each turn. Call it after the commit; an announcement may be
        lost, the verdict's row is not.
        """

    def expecting(self, match_id: str, turn_id: str) -> AbstractContextManager[Signal]:
        """Returns a signal that is set when the verdict of a turn is announced, or may have been.
        Enter it before the turn is committed to miss no announcement.
        """
        ...

    def close(self) -> None:
        """Closes the connections of this process."""


class RqQueue:
    """RQ jobs by name, without arguments; ``timer`` gives seconds.

    That Redis is away is logged, not raised: the row is committed and a worker will find it.
    """

    def __init__(self, link: RedisLink, timer: Callable[[], float]) -> None:
        self._link = link
        self._subscriber = Subscriber(link, timer)
        self._claims = Claims(link)

    def check(self) -> None:
        with self._link.connect() as redis:
            rq_keys.require_usable(redis)

    def wake_turns(self) -> None:
        self._wake(TURNS, JUDGE_TURNS)

    def wake_notices(self) -> None:
        self._wake(NOTICES, DELIVER_NOTICES)

    def wake_messages(self) -> None:
        self._wake(MESSAGES, HANDLE_MESSAGES)

    def wake_bots(self) -> None:
        self._wake(BOTS, PLAY_BOTS)

    def acknowledge(self, queue: str) -> None:
        try:
            self._link.ask([woken(queue)], lambda redis, keys: redis.delete(*keys))
        except RedisAway as away:
            log.debug("queue.not_acknowledged", queue=queue, error=str(away))  # the key expires by itself

    def attend(self, queue: str) -> AbstractContextManager[Attendance]:
        return attending(self._link, queue)

    def claim(self, turn_ids: Sequence[str]) -> Claimed:
        return self._claims.claim(turn_ids)

    def release(self, turn_ids: Collection[str]) -> None:
        self._claims.release(turn_ids)

    def announce_verdicts(self, judged: Mapping[str, str]) -> None:
        def announced(redis: Redis, keys: Keys) -> None:
            claims, channel = keys
            with redis.pipeline(transaction=False) as pipeline:
                for match_id, turn_ids in by_match(judged).items():
                    pipeline.publish(channel + match_id, " ".join(turn_ids))
                pipeline.hdel(claims, *judged)
                pipeline.execute()

        try:
            self._link.ask([CLAIMS, CHANNEL], announced)
        except RedisAway as away:
            log.debug("queue.announcement_lost", turns=len(judged), error=str(away))

    def expecting(self, match_id: str, turn_id: str) -> AbstractContextManager[Signal]:
        return self._subscriber.expecting(match_id, turn_id)

    def close(self) -> None:
        """Closes the connections of this process."""
        self._subscriber.close()
        self._link.close()

    def _wake(self, queue: str, task: str) -> None:
        def enqueued(redis: Redis, keys: Keys) -> None:
            (own,) = keys
            RqJobs(own, connection=redis, serializer="json").enqueue_call(
                task,
                timeout=JOB_SECONDS,
                result_ttl=0,
                failure_ttl=FAILED_SECONDS,
                # A unique id, so that RQ never merges it with an earlier job that still runs.
                job_id=f"{own.replace(':', '-')}-{uuid.uuid4().hex}",
            )

        try:
            if wake(self._link, queue, UNACKNOWLEDGED_MILLISECONDS) != "job_wanted":
                return  # an attending worker or a queued job will read the row
            own = self._link.key(queue)
            self._link.ask([queue], enqueued, lambda redis: rq_keys.mend(redis, own))
        except RedisAway as away:
            # Not raised: the row is committed, and a worker finds it when it polls.
            log.debug("queue.wake_up_lost", queue=queue, error=str(away))


class Absent:
    """The attendance of a worker that never waits."""

    def begin(self) -> None:
        """Does nothing."""

    def wait(self, seconds: float) -> Heard:
        return "unavailable"

    def leave(self) -> bool:
        return False


class MemoryQueue:
    """Counts wake-ups, or calls the given functions at once; for tests and single-process use."""

    def __init__(self, judge: Callable[[], object] | None = None, deliver: Callable[[], object] | None = None) -> None:
        self.judge = judge
        self.deliver = deliver
        self.turns = 0
        self.notices = 0
        self.messages = 0
        self.bots = 0
        self.announced: set[str] = set()
        self._waiters = Waiters()

    def check(self) -> None:
        """Does nothing: no wake-up is lost here."""

    def wake_turns(self) -> None:
        self.turns += 1
        if self.judge is not None:
            self.judge()

    def wake_notices(self) -> None:
        self.notices += 1
        if self.deliver is not None:
            self.deliver()

    def wake_messages(self) -> None:
        self.messages += 1

    def wake_bots(self) -> None:
        self.bots += 1

    def acknowledge(self, queue: str) -> None:
        """Does nothing, as nothing is suppressed here."""

    def attend(self, queue: str) -> AbstractContextManager[Attendance]:
        return nullcontext(Absent())

    def claim(self, turn_ids: Sequence[str]) -> Claimed:
        return Claimed(frozenset(turn_ids))

    def release(self, turn_ids: Collection[str]) -> None:
        """Does nothing, as nothing is claimed here."""

    def announce_verdicts(self, judged: Mapping[str, str]) -> None:
        self.announced.update(judged)
        for match_id, turn_ids in by_match(judged).items():
            self._waiters.announce(match_id, turn_ids)

    def expecting(self, match_id: str, turn_id: str) -> AbstractContextManager[Signal]:
        return self._waiters.expecting(match_id, turn_id)

    def close(self) -> None:
        """Does nothing."""
