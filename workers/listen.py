"""A worker process: it runs the jobs of one queue in the process itself, and reconnects when Redis
was unavailable.

1. ``listen`` makes an RQ worker and runs it until a stop is requested.
2. When RQ gives up because Redis is unavailable, it waits, longer after each failure, and begins
   again. Nothing is lost, as the work is in the database.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

import structlog
from redis import Redis
from redis.exceptions import RedisError
from rq import Queue, SimpleWorker
from rq.exceptions import StopRequested
from rq.serializers import JSONSerializer
from rq.timeouts import UnixSignalDeathPenalty

from workers.stop import Stop

WORKER_TTL: Final = 20
"""Seconds; RQ waits 15 s less than this for a job, and sends a heartbeat after each wait."""
MAINTENANCE_INTERVAL: Final = 10
JOB_MONITORING_INTERVAL: Final = 5
FIRST_WAIT: Final = 0.5
LONGEST_WAIT: Final = 2.0
"""The most seconds between the return of Redis and the reconnection."""
CONNECT_SECONDS: Final = 2.0
SILENCE_SECONDS: Final = 3
"""Redis counts as unavailable when it is silent for this long beyond the requested wait: a host
that is cut off does not close its connections.
"""

_log = structlog.get_logger("workers")


class JobOutOfTime(BaseException):
    """A job has taken too long. No ``except Exception`` on the way can swallow it."""


class TimeLimit(UnixSignalDeathPenalty):
    """RQ's time limit of a job, with an exception that ends the job for certain."""

    def handle_death_penalty(self, signum: int, frame: FrameType | None) -> None:
        """Ends the job."""
        raise JobOutOfTime(f"The job took longer than {self._timeout} s.")


class PatientWorker(SimpleWorker):
    """RQ's worker without forks, which finishes the current job when a stop is requested, and
    forwards the request to the process's ``stop``.
    """

    max_connection_wait_time = LONGEST_WAIT
    death_penalty_class = TimeLimit
    stop: Stop
    _idle = False

    @property
    def connection_timeout(self) -> int:
        """The socket timeout of the connection to Redis, in seconds."""
        return int(self.dequeue_timeout) + SILENCE_SECONDS

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Requests a warm shutdown: at once while waiting for a job, else after the current job. A
        second signal changes nothing. Raises ``StopRequested`` while waiting.
        """
        already = bool(self.stop)
        self.stop.request()
        if self._idle and not already:
            raise StopRequested

    def dequeue_job_and_maintain_ttl(self, timeout: int | None, max_idle_time: int | None = None) -> Any:
        """Waits for the next job. Raises ``StopRequested``.

        A stop that was requested earlier, even before RQ installed its signal handlers, takes
        effect here.
        """
        self._idle = True
        try:
            if self.stop:
                raise StopRequested
            return super().dequeue_job_and_maintain_ttl(timeout, max_idle_time)
        finally:
            self._idle = False

    def handle_exception(self, job: Any, *exc_info: Any) -> None:
        """Logs the error with the job; the sweeper wakes a worker again."""
        _log.error("worker.job_failed", job=job.id, task=job.func_name, args=job.args, exc_info=exc_info[:3])
        super().handle_exception(job, *exc_info)


def listen(queue: str, redis_url: str, stop: Stop, connect: Callable[[str], Redis] | None = None) -> None:
    """Runs the jobs of one queue until the stop is requested."""
    failures = 0
    while not stop:
        try:
            connection = (connect or _connected)(redis_url)
            worker = _worker(queue, connection, stop)
            _log.info("worker.listening", queue=queue)
            failures = (
                0
                if worker.work(logging_level=logging.getLevelName(logging.getLogger("rq").getEffectiveLevel()))
                else failures
            )
            stop.listen()
        except RedisError as error:
            stop.listen()
            _log.warning("redis.unavailable", queue=queue, error=str(error))
        failures += 1
        stop.wait(min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failures - 1)))
    _log.info("worker.stopped", queue=queue)


def _connected(redis_url: str) -> Redis:
    return Redis.from_url(redis_url, socket_connect_timeout=CONNECT_SECONDS, socket_keepalive=True)


def _worker(queue: str, connection: Redis, stop: Stop) -> PatientWorker:
    worker = PatientWorker(
        [Queue(queue, connection=connection, serializer=JSONSerializer)],
        connection=connection,
        serializer=JSONSerializer,
        worker_ttl=WORKER_TTL,
        maintenance_interval=MAINTENANCE_INTERVAL,
        job_monitoring_interval=JOB_MONITORING_INTERVAL,
        log_job_description=False,
    )
    worker.stop = stop
    worker.log_result_lifespan = False
    return worker
