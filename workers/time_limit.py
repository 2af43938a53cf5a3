"""The time limit of a job, whoever begins it."""

from __future__ import annotations

from types import FrameType
from typing import Any

from rq.timeouts import JobTimeoutException, UnixSignalDeathPenalty


class JobOutOfTime(BaseException):
    """A job has taken too long. No ``except Exception`` on the way can swallow it."""


class TimeLimit(UnixSignalDeathPenalty):
    """RQ's time limit of a job, with an exception that ends the job for certain."""

    def __init__(self, timeout: int, exception: type[Exception] = JobTimeoutException, **given: Any) -> None:
        super().__init__(timeout, exception, **given)  # type: ignore[no-untyped-call]

    def handle_death_penalty(self, signum: int, frame: FrameType | None) -> None:
        """Ends the job."""
        raise JobOutOfTime(f"The job took longer than {self._timeout} s.")
