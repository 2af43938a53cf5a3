"""A worker: it runs the jobs of one queue of RQ in its thread, and polls its rows in the database
while it has no job, never beside one. While Redis is away, or holds what RQ cannot use, the rows
are polled, and Redis is asked again: nothing is lost, as the work is in the database.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final, TypeAlias

import structlog
from redis.exceptions import ConnectionError as Unreachable
from redis.exceptions import RedisError
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer
from rq.timeouts import BaseDeathPenalty
from rq.utils import now
from sqlalchemy.exc import SQLAlchemyError

from service.context import Timer
from service.redis_link import RedisAway, RedisLink, away_for, is_not_ours, mend_queues, require_usable
from service.store.database import reason_of
from service.store.failures import is_outage
from workers.stop import StopRequest
from workers.tasks import ProcessWork

POLL_SECONDS: Final = 2  # from one look for rows to the next, while no job comes
AWAY_SECONDS: Final = 1.0  # from one look for rows, and for Redis, to the next, while Redis is away
WORKER_TTL: Final = 15 + POLL_SECONDS  # seconds; RQ waits 15 s less than this for a job
HEARTBEAT: Final = timedelta(seconds=15)  # from one in Redis to the next; RQ waits ``WORKER_TTL`` and a minute for it
ANSWER_SECONDS: Final = 1.0  # how long Redis may take to connect, and to say whether it can be used
SILENCE_SECONDS: Final = 3  # how long Redis may be silent beyond the wait: a host that is cut off closes no connection
PULSE_SECONDS: Final = 5.0  # from one job for a heartbeat to the next, where that cannot beat, as without a mail server
PATIENCE: Final = timedelta(seconds=2)  # the age from which a turn counts as missed by its own job, while Redis answers
QUIET_SECONDS: Final = 60.0  # the shortest interval at which the same message is logged

Poll: TypeAlias = Callable[[bool], None]
"""Looks for rows once; it is given whether Redis is away."""

_log = structlog.get_logger("workers")


@dataclass(slots=True)
class LogThrottle:
    """Allows a message once per ``QUIET_SECONDS``, so that a long outage does not fill the log."""

    timer: Timer
    _logged: dict[str, float] = field(default_factory=dict)

    def allows(self, message: str) -> bool:
        """Whether the message may be logged now; if so, it counts as logged."""
        at = self.timer()
        if message in self._logged and at - self._logged[message] < QUIET_SECONDS:
            return False
        self._logged[message] = at
        return True

    def reset(self, message: str) -> None:
        """Allows the message at once the next time, because its cause is over."""
        self._logged.pop(message, None)


class ItemsAreBounded(BaseDeathPenalty):
    """RQ's time limit of a job, which needs none: items are bounded (``service.loop``)."""

    def setup_death_penalty(self) -> None:
        """Does nothing."""

    cancel_death_penalty = setup_death_penalty


class PatientWorker(SimpleWorker):
    """RQ's worker without forks, in a thread. What Redis fails with is raised."""

    death_penalty_class = ItemsAreBounded

    @property
    def connection_timeout(self) -> int:
        """The socket timeout of the connection to Redis, in seconds."""
        return int(self.dequeue_timeout) + SILENCE_SECONDS

    def procline(self, message: str) -> None:
        """Leaves the title of the process as it is: it says which part this is."""

    def set_state(self, state: str, pipeline: Any = None) -> None:
        """Tells Redis where the state is another."""
        if state != self.get_state():
            super().set_state(state, pipeline)

    def heartbeat(self, *given: Any, **named: Any) -> None:
        """Beats where it is due: RQ calls for it before and after each wait. Raises ``RedisAway``
        where Redis is away; RQ itself would wait for it.
        """
        beaten = self.last_heartbeat
        if not given and not named and beaten is not None and now() - beaten < HEARTBEAT:
            return
        try:
            super().heartbeat(*given, **named)
        except Unreachable as error:
            raise away_for(error) from error

    def handle_exception(self, job: Any, *exc_info: Any) -> None:
        """Logs the error with the job, and an outage on one line; the rows are polled."""
        error = exc_info[1]
        told = {"error": reason_of(error)} if is_outage(error) else {"exc_info": exc_info[:3]}
        _log.error("worker.job_failed", job=job.id, task=job.func_name, **told)


def listen(queue: str, link: RedisLink, stop: StopRequest, poll: Poll, timer: Timer) -> None:
    """Runs the jobs of one queue, and polls its rows, until the stop is requested."""
    throttle, mend = LogThrottle(timer), False
    poll(True)  # what an earlier process has left
    while not stop:
        try:
            _work(queue, link, stop, poll, mend)
        except (RedisAway, RedisError, OSError, ValueError) as error:
            away = error if isinstance(error, RedisAway) else away_for(error)
            mend = not isinstance(error, RedisAway) and is_not_ours(error)
            if not mend and throttle.allows(away.trouble.value):
                _log.warning("redis.unavailable", queue=queue, reason=away.trouble.value, error=str(away))
            poll(True)
            stop.wait(AWAY_SECONDS)
    _log.info("worker.stopped", queue=queue)


def _work(queue: str, link: RedisLink, stop: StopRequest, poll: Poll, mend: bool) -> None:
    """Works until a stop is requested. Raises what Redis fails with."""
    own = link.key(queue)
    with link.connect(ANSWER_SECONDS) as connection:
        require_usable(connection)
        if mend:
            mend_queues(connection, own)
            _log.warning("redis.mended", queue=queue)
    with link.connect(ANSWER_SECONDS, socket_timeout=POLL_SECONDS + SILENCE_SECONDS, socket_keepalive=True) as redis:
        worker = PatientWorker(
            [Queue(own, connection=redis, serializer=JSONSerializer)],
            connection=redis,
            serializer=JSONSerializer,
            worker_ttl=WORKER_TTL,
            log_job_description=False,
        )
        worker.log_result_lifespan = False
        worker.register_birth()  # type: ignore[no-untyped-call]
        _log.info("worker.listening", queue=queue)
        try:
            while not stop:
                found = worker.dequeue_job_and_maintain_ttl(POLL_SECONDS, POLL_SECONDS)
                if found is None:
                    poll(False)
                else:
                    worker.execute_job(*found)
        finally:
            with suppress(RedisError, OSError):
                worker.register_death()  # type: ignore[no-untyped-call]


class Poller:
    """The polling of one worker."""

    def __init__(self, work: ProcessWork) -> None:
        self.work, self.context = work, work.context
        self._throttle = LogThrottle(self.context.timer)
        self._pulse_at = self.context.timer()

    def poll(self, alone: bool) -> None:
        """Does the job if rows wait for it, or a heartbeat is due; nothing during a maintenance.
        ``alone``: Redis is away, so nobody else is woken for them.
        """
        try:
            if self._is_wanted(timedelta(0) if alone else PATIENCE) and self.context.maintenance() is None:
                self.work.do()
            self.work.save_counts()
        except SQLAlchemyError as error:
            if self._throttle.allows("database"):
                _log.warning("worker.cannot_poll", error=reason_of(error))
        except Exception:
            if self._throttle.allows("failed"):
                _log.exception("worker.poll_failed")
        else:
            self._throttle.reset("database")

    def _is_wanted(self, age: timedelta) -> bool:
        pulse = self.work.pulse
        if pulse is not None and pulse.is_due and self.context.timer() >= self._pulse_at:
            self._pulse_at = self.context.timer() + PULSE_SECONDS
            return True
        with self.context.database.look() as connection:
            return self.work.waits(connection, self.context.clock(), age)
