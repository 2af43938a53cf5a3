"""A worker process: it runs the jobs of one queue in the process itself, and polls its rows while
it has no job.

1. ``listen`` makes an RQ worker and runs it until a stop is requested.
2. While Redis is away, or holds what RQ cannot use, the rows are polled, and Redis is asked again.
   Keys of our queue that are not as RQ needs them are deleted. Nothing is lost, as the work is in
   the database.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

import structlog
from redis import Redis
from redis.exceptions import RedisError
from rq import Queue, SimpleWorker
from rq.exceptions import StopRequested
from rq.serializers import JSONSerializer

from service import rq_keys
from service.context import Timer
from service.redis_link import RedisAway, RedisLink, away_for, is_not_ours
from workers.stop import Stop
from workers.throttle import LogThrottle
from workers.time_limit import TimeLimit

POLL_SECONDS: Final = 2
"""From one look for rows to the next, while no job comes."""
AWAY_SECONDS: Final = 1.0
"""From one look for rows, and for Redis, to the next, while Redis is away."""
WORKER_TTL: Final = 15 + POLL_SECONDS
"""Seconds; RQ waits 15 s less than this for a job, and sends a heartbeat after each wait."""
MAINTENANCE_INTERVAL: Final = 10
JOB_MONITORING_INTERVAL: Final = 5
ANSWER_SECONDS: Final = 1.0
"""How long Redis may take to connect, and to say whether it can be used."""
SILENCE_SECONDS: Final = 3
"""Redis counts as unavailable when it is silent for this long beyond the requested wait: a host
that is cut off does not close its connections.
"""

Poll: TypeAlias = Callable[[bool], None]
"""Looks for rows once; it is given whether Redis is away."""

_log = structlog.get_logger("workers")


class PatientWorker(SimpleWorker):
    """RQ's worker without forks, which finishes the current job when a stop is requested, forwards
    the request to the process's ``stop``, and polls while it has no job.

    It ends when Redis fails: ``error`` says why.
    """

    death_penalty_class = TimeLimit
    stop: Stop
    poll: Poll
    error: Exception | None = None
    _idle = False

    @property
    def connection_timeout(self) -> int:
        """The socket timeout of the connection to Redis, in seconds."""
        return int(self.dequeue_timeout) + SILENCE_SECONDS

    def request_stop(self, signum: int, frame: Any) -> None:
        """Requests a warm shutdown: at once while waiting for a job, else after the current job. A
        second signal changes nothing. Raises ``StopRequested`` while waiting.
        """
        already = bool(self.stop)
        self.stop.request()
        if self._idle and not already:
            raise StopRequested

    def procline(self, message: str) -> None:
        """Leaves the title of the process as it is: it says which part this is."""

    def check_for_suspension(self, burst: bool) -> None:
        """Works on: ``rq suspend`` is of a whole database of Redis, and means other programs."""

    def dequeue_job_and_maintain_ttl(self, timeout: int | None, max_idle_time: int | None = None) -> Any:
        """Waits for the next job, and polls meanwhile. Raises ``StopRequested``.

        A stop that was requested earlier, even before RQ installed its signal handlers, takes
        effect here.
        """
        while True:
            self._idle = True
            try:
                if self.stop:
                    raise StopRequested
                with self._ending_at_errors():
                    found = super().dequeue_job_and_maintain_ttl(POLL_SECONDS, POLL_SECONDS)
            finally:
                self._idle = False
            if found is not None:
                return found
            self.poll(False)

    def heartbeat(self, *given: Any, **named: Any) -> None:
        with self._ending_at_errors():
            super().heartbeat(*given, **named)

    def run_maintenance_tasks(self) -> None:
        with self._ending_at_errors():
            super().run_maintenance_tasks()  # type: ignore[no-untyped-call]

    def execute_job(self, job: Any, queue: Any) -> None:
        with self._ending_at_errors():
            super().execute_job(job, queue)

    def handle_exception(self, job: Any, *exc_info: Any) -> None:
        """Logs the error with the job; the rows are polled."""
        _log.error("worker.job_failed", job=job.id, task=job.func_name, args=job.args, exc_info=exc_info[:3])
        super().handle_exception(job, *exc_info)

    @contextmanager
    def _ending_at_errors(self) -> Iterator[None]:
        """Ends the worker where Redis fails, or has what RQ cannot use; RQ itself would wait."""
        try:
            yield
        except (RedisError, OSError, ValueError) as error:
            self.error = error
            raise StopRequested from error


def listen(queue: str, link: RedisLink, stop: Stop, poll: Poll, timer: Timer) -> None:
    """Runs the jobs of one queue, and polls its rows, until the stop is requested."""
    throttle, mend = LogThrottle(timer), False
    poll(True)  # what an earlier process has left
    while not stop:
        error = _error_of_work(queue, link, stop, poll, mend)
        stop.listen()
        if stop:
            break
        away = error if isinstance(error, RedisAway) else away_for(error)
        mend = not isinstance(error, RedisAway) and is_not_ours(error)
        if not mend and throttle.allows(away.trouble.value):
            _log.warning("redis.unavailable", queue=queue, reason=away.trouble.value, error=str(away))
        poll(True)
        stop.wait(AWAY_SECONDS)
    _log.info("worker.stopped", queue=queue)


def _error_of_work(queue: str, link: RedisLink, stop: Stop, poll: Poll, mend: bool) -> Exception:
    """Works until a stop is requested, or Redis fails. Returns what it failed with."""
    try:
        own = link.key(queue)
        with link.connect(ANSWER_SECONDS) as connection:
            rq_keys.require_usable(connection)
            if mend:
                rq_keys.mend(connection, own)
                _log.warning("redis.mended", queue=queue)
        with link.connect(
            ANSWER_SECONDS, socket_timeout=POLL_SECONDS + SILENCE_SECONDS, socket_keepalive=True
        ) as redis:
            worker = _worker(own, redis, stop, poll)
            _log.info("worker.listening", queue=queue)
            worker.work(logging_level=logging.getLevelName(logging.getLogger("rq").getEffectiveLevel()))
            return worker.error or ValueError("the worker of RQ has ended at something that it could not use")
    except (RedisAway, RedisError, OSError, ValueError) as error:
        return error


def _worker(queue: str, connection: Redis, stop: Stop, poll: Poll) -> PatientWorker:
    worker = PatientWorker(
        [Queue(queue, connection=connection, serializer=JSONSerializer)],
        connection=connection,
        serializer=JSONSerializer,
        worker_ttl=WORKER_TTL,
        maintenance_interval=MAINTENANCE_INTERVAL,
        job_monitoring_interval=JOB_MONITORING_INTERVAL,
        log_job_description=False,
    )
    worker.stop, worker.poll = stop, poll
    worker.log_result_lifespan = False
    return worker
