"""Batches the calls of concurrent threads: a process queries the database once for the requests
that its threads make at the same time.

A call while no batch is running runs at once, alone, without delay. Threads that call meanwhile
wait, and when the batch is done one of them runs the next batch for all of them.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, TypeVar

Request = TypeVar("Request")
Result = TypeVar("Result")

MAX_BATCH: Final = 64


class _Call(Generic[Request, Result]):
    """The call of a waiting thread: its request, its result or error, and whether the thread is to
    run the next batch.
    """

    __slots__ = ("done", "leads", "request", "result")

    def __init__(self, request: Request) -> None:
        self.request = request
        self.result: Result | BaseException | None = None
        self.leads = False
        self.done = threading.Event()


class Batcher(Generic[Request, Result]):
    """Runs a function of many requests for threads that have one each. Emptied after a fork."""

    def __init__(self) -> None:
        self._waiting: list[_Call[Request, Result]] = []
        self._running = False
        self._lock = threading.Lock()
        self._pid = os.getpid()

    def call(self, work: Callable[[Sequence[Request]], Sequence[Result | Exception]], request: Request) -> Result:
        """The result of ``work`` for this request.

        ``work`` is given all requests that wait, at most ``MAX_BATCH``, and gives as many results
        in the same order. An exception among the results is raised in the thread whose request it
        answers; one that ``work`` raises is raised in every thread of the batch.
        """
        if self._pid != os.getpid():
            self.__init__()  # type: ignore[misc]  # the threads that waited belong to the parent process
        own: _Call[Request, Result] = _Call(request)
        with self._lock:
            self._waiting.append(own)
            leads = not self._running
            self._running = True
        if not leads:
            own.done.wait()
        if leads or own.leads:
            self._run(work)
        if isinstance(own.result, BaseException):
            raise own.result
        return own.result  # type: ignore[return-value]

    def _run(self, work: Callable[[Sequence[Request]], Sequence[Result | Exception]]) -> None:
        """Runs one batch, which contains the call of this thread, and makes the first thread that
        waits then run the next.
        """
        with self._lock:
            batch, self._waiting = self._waiting[:MAX_BATCH], self._waiting[MAX_BATCH:]
        try:
            results: Sequence[Any] = work([call.request for call in batch])
            if len(results) != len(batch):
                raise AssertionError(f"{len(batch)} requests, but {len(results)} results")
        except BaseException as error:
            results = [error] * len(batch)
        with self._lock:
            following = self._waiting[0] if self._waiting else None
            self._running = following is not None
        if following is not None:
            following.leads = True
            following.done.set()
        for call, result in zip(batch, results, strict=True):
            call.result = result
            if not call.leads:
                call.done.set()
