"""How code waits: a thread blocks, a task yields to the loop of its process.

A task is a greenlet in which an event loop runs a request (``service.serving``). Code that is run
by both asks here for a ``signal`` to wait for, and has work done ``apart`` that may take long. A
task that blocks by other means blocks the loop.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, Protocol, TypeAlias, TypeVar

from greenlet import GreenletExit, getcurrent, greenlet  # type: ignore[import-untyped]

Result = TypeVar("Result")
Submit: TypeAlias = Callable[[Callable[[], object]], object]
"""Runs work that may take long in a thread. Raises ``Overloaded`` where it would wait too long."""

MOST_PASSES: Final = 4  # passes of the loop for which gathered work waits: a request takes three until its task runs


class Signal(Protocol):
    """What a thread or a task waits for; the methods are those of ``threading.Event``."""

    def set(self) -> None: ...

    def clear(self) -> None: ...

    def is_set(self) -> bool: ...

    def wait(self, timeout: float | None = None) -> bool: ...


class Task(greenlet):  # type: ignore[misc]  # greenlet has no types
    """A greenlet of a loop. ``parked`` is called when it first waits with a time limit, that is for
    an event outside of the process.
    """

    def __init__(self, tasks: Tasks, run: Callable[[], None], parked: Callable[[], None]) -> None:
        super().__init__(run)
        self.tasks = tasks
        self.parked = parked
        self.abandoned = False
        self.awaited: _TaskSignal | None = None


def current() -> Task | None:
    """The task that calls this; ``None`` in a thread outside of any task."""
    running = getcurrent()
    return running if isinstance(running, Task) else None


def signal() -> Signal:
    """A signal for the calling thread or task to wait for; any thread may set it."""
    task = current()
    return threading.Event() if task is None else _TaskSignal(task)


def ending() -> bool:
    """Whether the calling task is to wait no longer for an event outside of the process, which is
    about to stop. A thread waits as long as it has said.
    """
    task = current()
    return task is not None and task.tasks.ending


def apart(work: Callable[[], Result]) -> Result:
    """The result of work that may take long, and which a thread of the pool does for a task. Raises
    ``Overloaded`` where the pool is.
    """
    task = current()
    return work() if task is None else task.tasks.apart(work)


class Tasks:
    """The tasks of one event loop, in whose thread every method but ``post`` is called."""

    def __init__(self, loop: asyncio.AbstractEventLoop, helpers: ThreadPoolExecutor, in_pool: Submit) -> None:
        self.loop = loop
        self.steps = 0
        self.ending = False
        self.waiting = set[Task]()
        self._helpers, self._in_pool = helpers, in_pool
        self._thread = threading.get_ident()
        self._lock = threading.Lock()
        self._inbox: deque[Callable[[], object]] = deque()
        self._quiet: list[Callable[[], object]] = []

    def start(
        self, work: Callable[[], Result], parked: Callable[[], None] = lambda: None
    ) -> tuple[Task, asyncio.Future[Result]]:
        """Runs work as a task; returns when it first waits, or has ended."""
        outcome: asyncio.Future[Result] = self.loop.create_future()

        def run() -> None:
            try:
                result = work()
            except GreenletExit:
                outcome.cancel()
            except BaseException as error:
                if not outcome.done():
                    outcome.set_exception(error)
            else:
                if not outcome.done():
                    outcome.set_result(result)

        task = Task(self, run, parked)
        self.resume(task)
        return task, outcome

    def resume(self, task: Task) -> None:
        """Lets the task go on until it waits again, or ends."""
        self.steps += 1
        task.switch()

    def abandon(self, task: Task) -> None:
        """Ends a task as soon as it waits for an event outside of the process."""
        task.abandoned = True
        if task.awaited is not None:
            task.awaited.wake()

    def end_waits(self) -> None:
        """Has no task wait any longer for an event outside of the process."""
        self.ending = True
        for task in tuple(self.waiting):
            if task.awaited is not None:
                task.awaited.wake()

    def apart(self, work: Callable[[], Result]) -> Result:
        """``apart`` for the calling task."""
        done, outcome = signal(), Future[Result]()
        within = contextvars.copy_context()

        def run() -> None:
            try:
                outcome.set_result(within.run(work))
            except BaseException as error:
                outcome.set_exception(error)
            done.set()

        self._in_pool(run)
        done.wait()
        return outcome.result()

    def help(self, work: Callable[[], object], then: Callable[[], object] = lambda: None) -> None:
        """Has a helper thread do work, which must not raise; afterwards calls ``then``."""

        def run() -> None:
            work()
            self.post(then)

        self._helpers.submit(run)

    def when_quiet(self, act: Callable[[], object]) -> None:
        """Calls ``act`` as soon as no task can go on, or after a few passes of the loop."""
        self._quiet.append(act)
        if len(self._quiet) == 1:
            self.loop.call_soon(self._look, -1, MOST_PASSES)

    def post(self, act: Callable[[], object]) -> None:
        """Has the loop call ``act``; for any thread."""
        with self._lock:
            self._inbox.append(act)
            if len(self._inbox) > 1:
                return
        self.loop.call_soon_threadsafe(self._read)

    def is_outside(self) -> bool:
        """Whether the caller is the loop itself, which may switch to a task, and no other task."""
        return threading.get_ident() == self._thread and current() is None

    def _read(self) -> None:
        with self._lock:
            inbox, self._inbox = self._inbox, deque()
        for act in inbox:
            act()

    def _look(self, steps: int, passes: int) -> None:
        if steps != self.steps and passes:
            self.loop.call_soon(self._look, self.steps, passes - 1)
            return
        quiet, self._quiet = self._quiet, []
        for act in quiet:
            act()


class _TaskSignal:
    __slots__ = ("_set", "_task", "_waits")

    def __init__(self, task: Task) -> None:
        self._task = task
        self._set = self._waits = False

    def set(self) -> None:
        self._set = True
        tasks = self._task.tasks
        if tasks.is_outside():
            self.wake()
        else:
            tasks.post(self.wake)

    def clear(self) -> None:
        self._set = False

    def is_set(self) -> bool:
        return self._set

    def wait(self, timeout: float | None = None) -> bool:
        """As that of ``threading.Event``. With a timeout it ends an abandoned task, and does not
        wait where nothing is waited for any more (``ending``).
        """
        task = self._task
        if timeout is not None:
            task.parked()
            self._end_if_abandoned()
        if self._set or (timeout is not None and task.tasks.ending):
            return self._set
        self._waits = True
        if timeout is None:
            task.parent.switch()  # to the loop, which comes back by ``wake``
            return self._set
        timer = task.tasks.loop.call_later(timeout, self.wake)
        task.awaited = self
        task.tasks.waiting.add(task)
        task.parent.switch()
        task.tasks.waiting.discard(task)
        task.awaited = None
        timer.cancel()
        self._end_if_abandoned()
        return self._set

    def wake(self) -> None:
        """Lets the task go on where it waits; called by the loop."""
        if self._waits:
            self._waits = False
            self._task.tasks.resume(self._task)

    def _end_if_abandoned(self) -> None:
        if self._task.abandoned:
            raise GreenletExit
