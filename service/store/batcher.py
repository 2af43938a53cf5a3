"""Batches calls that are made at the same time: a process queries the database once for the
requests that its threads, or the tasks of its loop, make at once.

Threads: a call while no batch is running runs at once, alone, without delay. Threads that call
meanwhile wait, and when the batch is done one of them runs the next batch for all of them.

Tasks: calls are gathered until no task can go on; then a helper thread runs the batch.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, TypeVar

from service.waits import Tasks, current, signal

Request = TypeVar("Request")
Result = TypeVar("Result")

MAX_BATCH: Final = 64


class _Call(Generic[Request, Result]):
    """The call of a thread or task that waits: its request, its result or error, and whether the
    thread is to run the next batch.
    """

    __slots__ = ("done", "leads", "request", "result")

    def __init__(self, request: Request) -> None:
        self.request = request
        self.result: Result | BaseException | None = None
        self.leads = False
        self.done = signal()


class Batcher(Generic[Request, Result]):
    """Runs a function of many requests for callers that have one each. Emptied after a fork."""

    def __init__(self) -> None:
        self._empty()

    def _empty(self) -> None:
        self._waiting: list[_Call[Request, Result]] = []
        self._running = False
        self._lock = threading.Lock()
        self._pid = os.getpid()
        self._gathered: list[_Call[Request, Result]] = []
        self._busy = False

    def call(self, work: Callable[[Sequence[Request]], Sequence[Result | Exception]], request: Request) -> Result:
        """The result of ``work`` for this request.

        ``work`` is given all requests that wait, at most ``MAX_BATCH``, and gives as many results
        in the same order. An exception among the results is raised in the caller whose request it
        answers; one that ``work`` raises is raised in every caller of the batch.
        """
        if self._pid != os.getpid():
            self._empty()  # those that waited belong to the parent process
        own: _Call[Request, Result] = _Call(request)
        task = current()
        if task is None:
            self._call_in_thread(work, own)
        else:
            self._call_in_task(task.tasks, work, own)
        if isinstance(own.result, BaseException):
            raise own.result
        return own.result  # type: ignore[return-value]

    def _call_in_thread(
        self, work: Callable[[Sequence[Request]], Sequence[Result | Exception]], own: _Call[Request, Result]
    ) -> None:
        with self._lock:
            self._waiting.append(own)
            leads = not self._running
            self._running = True
        if not leads:
            own.done.wait()
        if leads or own.leads:
            self._run(work)

    def _run(self, work: Callable[[Sequence[Request]], Sequence[Result | Exception]]) -> None:
        """Runs one batch, which contains the call of this thread, and makes the first thread that
        waits then run the next.
        """
        with self._lock:
            batch, self._waiting = self._waiting[:MAX_BATCH], self._waiting[MAX_BATCH:]
        _answer(work, batch)
        with self._lock:
            following = self._waiting[0] if self._waiting else None
            self._running = following is not None
        if following is not None:
            following.leads = True
            following.done.set()
        for call in batch:
            if not call.leads:
                call.done.set()

    def _call_in_task(
        self,
        tasks: Tasks,
        work: Callable[[Sequence[Request]], Sequence[Result | Exception]],
        own: _Call[Request, Result],
    ) -> None:
        self._gathered.append(own)
        if not self._busy:
            self._busy = True
            tasks.when_quiet(lambda: self._begin(tasks, work))
        own.done.wait()

    def _begin(self, tasks: Tasks, work: Callable[[Sequence[Request]], Sequence[Result | Exception]]) -> None:
        batch, self._gathered = self._gathered[:MAX_BATCH], self._gathered[MAX_BATCH:]
        tasks.help(lambda: _answer(work, batch), lambda: self._end(tasks, work, batch))

    def _end(
        self,
        tasks: Tasks,
        work: Callable[[Sequence[Request]], Sequence[Result | Exception]],
        batch: Sequence[_Call[Request, Result]],
    ) -> None:
        """Begins the next batch where calls were gathered meanwhile, and wakes the tasks of this
        one.
        """
        self._busy = bool(self._gathered)
        if self._busy:
            tasks.when_quiet(lambda: self._begin(tasks, work))
        for call in batch:
            call.done.set()


def _answer(
    work: Callable[[Sequence[Request]], Sequence[Result | Exception]], batch: Sequence[_Call[Request, Result]]
) -> None:
    """Runs a batch, and gives each of its calls the result or the error."""
    try:
        results: Sequence[Any] = work([call.request for call in batch])
        if len(results) != len(batch):
            raise AssertionError(f"{len(batch)} requests, but {len(results)} results")
    except BaseException as error:
        results = [error] * len(batch)
    for call, result in zip(batch, results, strict=True):
        call.result = result
