"""Tasks: they wait without blocking the loop, and each thread of a pool answers its own."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from service.errors import Overloaded
from service.store.batched import MAX_BATCH, Batcher
from service.waits import Tasks, apart, current, signal
from tools.waiting import LIMIT_SECONDS


class Threads:
    """A pool that counts, and may be full."""

    def __init__(self, full: bool = False) -> None:
        self.full = full
        self.executor = ThreadPoolExecutor(2)

    def submit(self, work: Callable[[], object]) -> None:
        if self.full:
            raise Overloaded(3)
        self.executor.submit(work)


def in_loop(act: Callable[[Tasks], Any], pool: Threads | None = None) -> Any:
    """The result of a coroutine function of the tasks of a loop."""

    async def main() -> Any:
        with ThreadPoolExecutor(2) as helpers:
            return await asyncio.wait_for(
                act(Tasks(asyncio.get_running_loop(), helpers, (pool or Threads()).submit)), LIMIT_SECONDS
            )

    return asyncio.run(main())


def test_outside_of_a_task_a_signal_is_that_of_threads_and_work_is_done_at_once() -> None:
    assert isinstance(signal(), threading.Event)
    assert current() is None
    assert apart(threading.get_ident) == threading.get_ident()


def test_a_task_that_waits_leaves_the_loop_to_others_until_another_thread_wakes_it() -> None:
    async def act(tasks: Tasks) -> list[str]:
        said: list[str] = []
        waited = list[Any]()

        def first() -> None:
            waited.append(signal())
            said.append("waits")
            assert waited[0].wait()
            said.append("woken")

        _, one = tasks.start(first)
        _, two = tasks.start(lambda: said.append("another"))
        await two
        await asyncio.get_running_loop().run_in_executor(None, waited[0].set)
        await one
        return said

    assert in_loop(act) == ["waits", "another", "woken"]


def test_a_signal_that_was_set_before_is_not_waited_for_and_one_that_is_not_set_runs_out() -> None:
    async def act(tasks: Tasks) -> tuple[bool, bool, bool]:
        def work() -> tuple[bool, bool, bool]:
            waited = signal()
            waited.set()
            before = waited.wait()
            waited.clear()
            return before, waited.wait(0.001), signal().wait(0)

        found: tuple[bool, bool, bool] = await tasks.start(work)[1]
        return found

    assert in_loop(act) == (True, False, False)


def test_a_task_may_wake_another() -> None:
    async def act(tasks: Tasks) -> list[str]:
        said: list[str] = []
        waited = list[Any]()

        def first() -> None:
            waited.append(signal())
            waited[0].wait()
            said.append("first")

        def second() -> None:
            waited[0].set()
            said.append("second")

        _, one = tasks.start(first)
        _, two = tasks.start(second)
        await asyncio.gather(one, two)
        return said

    assert in_loop(act) == ["second", "first"]


def test_work_apart_runs_in_a_thread_with_the_variables_of_its_task() -> None:
    variable = contextvars.ContextVar("variable", default="nothing")

    async def act(tasks: Tasks) -> tuple[str, bool, str]:
        def work() -> tuple[str, bool]:
            variable.set("of the task")
            return apart(lambda: (variable.get(), threading.get_ident() != mine))

        mine = threading.get_ident()
        return (*await tasks.start(work)[1], variable.get())

    assert in_loop(act) == ("of the task", True, "nothing")


def test_an_error_apart_and_a_full_pool_are_raised_in_the_task() -> None:
    def fails() -> None:
        raise ValueError("thirteen")

    async def act(tasks: Tasks) -> None:
        await tasks.start(lambda: apart(fails))[1]

    with pytest.raises(ValueError, match="thirteen"):
        in_loop(act)
    with pytest.raises(Overloaded, match="in 3 seconds"):
        in_loop(act, Threads(full=True))


def test_an_abandoned_task_ends_where_it_waits_for_an_event_from_outside() -> None:
    async def act(tasks: Tasks) -> tuple[bool, bool, list[str]]:
        ended: list[str] = []

        def work() -> None:
            try:
                signal().wait(LIMIT_SECONDS)
            finally:
                ended.append("unwound")

        task, outcome = tasks.start(work)
        tasks.abandon(task)
        return task.dead, outcome.cancelled(), ended

    assert in_loop(act) == (True, True, ["unwound"])


def test_a_task_says_when_it_first_waits_for_an_event_from_outside() -> None:
    async def act(tasks: Tasks) -> list[str]:
        said: list[str] = []

        def work() -> None:
            apart(lambda: None)
            said.append("stored")
            signal().wait(0.001)

        await tasks.start(work, lambda: said.append("parked"))[1]
        return said

    assert in_loop(act) == ["stored", "parked"]


def test_calls_of_tasks_are_gathered_until_none_can_go_on_and_run_in_a_helper_thread() -> None:
    batches: list[Sequence[int]] = []
    threads = set[int]()

    def work(asked: Sequence[int]) -> Sequence[int | Exception]:
        batches.append(list(asked))
        threads.add(threading.get_ident())
        return [ValueError("thirteen") if number == 13 else number * 2 for number in asked]

    async def act(tasks: Tasks) -> list[Any]:
        batcher: Batcher[int, int] = Batcher()
        many = [tasks.start(partial(batcher.call, work, number))[1] for number in range(MAX_BATCH + 20)]
        return await asyncio.gather(*many, return_exceptions=True)

    answers = in_loop(act)
    assert [str(answer) for answer in answers] == [
        "thirteen" if number == 13 else str(number * 2) for number in range(MAX_BATCH + 20)
    ]
    assert [len(batch) for batch in batches] == [MAX_BATCH, 20]
    assert threading.get_ident() not in threads


def test_a_batch_of_tasks_that_fails_fails_for_each_and_the_next_goes_on() -> None:
    def broken(asked: Sequence[int]) -> Sequence[int]:
        raise OSError("the database is away")

    async def act(tasks: Tasks) -> tuple[list[Any], int]:
        batcher: Batcher[int, int] = Batcher()
        failed = [tasks.start(lambda: batcher.call(broken, 1))[1] for _ in range(2)]
        errors = await asyncio.gather(*failed, return_exceptions=True)

        def seven() -> int:
            return batcher.call(lambda asked: asked, 7)

        return errors, await tasks.start(seven)[1]

    errors, seven = in_loop(act)
    assert [str(error) for error in errors] == ["the database is away"] * 2
    assert seven == 7
