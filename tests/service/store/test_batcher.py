"""Calls of many threads run in batches: each gets its own result, none is delayed, none is lost."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence

import pytest

from service.store.batched import MAX_BATCH, Batcher
from tools.waiting import LIMIT_SECONDS, until


def in_threads(*tasks: Callable[[], object]) -> list[threading.Thread]:
    threads = [threading.Thread(target=task) for task in tasks]
    for thread in threads:
        thread.start()
    return threads


def ended(threads: Sequence[threading.Thread]) -> None:
    for thread in threads:
        thread.join(LIMIT_SECONDS)
    assert not any(thread.is_alive() for thread in threads)


class Slow:
    """Doubles numbers; the first batch waits until it is let go."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.entered, self.let_go = threading.Event(), threading.Event()

    def __call__(self, asked: Sequence[int]) -> Sequence[int | Exception]:
        self.batches.append(list(asked))
        if len(self.batches) == 1:
            self.entered.set()
            assert self.let_go.wait(LIMIT_SECONDS)
        return [ValueError("thirteen") if number == 13 else number * 2 for number in asked]


def test_a_single_call_is_processed_at_once_by_itself() -> None:
    who: list[int] = []

    def work(asked: Sequence[int]) -> Sequence[int]:
        who.append(threading.get_ident())
        return [number + 1 for number in asked]

    batcher: Batcher[int, int] = Batcher()
    assert [batcher.call(work, number) for number in (1, 2)] == [2, 3]
    assert who == [threading.get_ident()] * 2


def test_calls_that_come_meanwhile_are_processed_in_the_next_batch_and_each_gets_its_own_answer() -> None:
    batcher: Batcher[int, int] = Batcher()
    work, answers = Slow(), dict[int, int | str]()

    def ask(number: int) -> None:
        try:
            answers[number] = batcher.call(work, number)
        except ValueError as error:
            answers[number] = str(error)

    threads = in_threads(lambda: ask(0))
    assert work.entered.wait(LIMIT_SECONDS)
    threads += in_threads(*[lambda number=number: ask(number) for number in range(1, 20)])
    until(lambda: len(batcher._waiting) == 19, "all of them wait")
    work.let_go.set()
    ended(threads)
    assert answers == {number: "thirteen" if number == 13 else number * 2 for number in range(20)}
    assert [len(batch) for batch in work.batches] == [1, 19]


def test_a_call_that_comes_meanwhile_is_processed_next() -> None:
    batcher: Batcher[int, int] = Batcher()
    work, answers = Slow(), list[int]()
    threads = in_threads(lambda: answers.append(batcher.call(work, 1)))
    assert work.entered.wait(LIMIT_SECONDS)
    threads += in_threads(lambda: answers.append(batcher.call(work, 2)))
    until(lambda: len(batcher._waiting) == 1, "one waits")
    work.let_go.set()
    ended(threads)
    assert sorted(answers) == [2, 4]
    assert work.batches == [[1], [2]]


def test_more_calls_than_a_batch_holds_are_processed_in_several() -> None:
    batcher: Batcher[int, int] = Batcher()
    work, answers = Slow(), []
    threads = in_threads(lambda: answers.append(batcher.call(work, 0)))
    assert work.entered.wait(LIMIT_SECONDS)
    many = MAX_BATCH + 5
    threads += in_threads(
        *[lambda number=number: answers.append(batcher.call(work, number + 20)) for number in range(many)]
    )
    until(lambda: len(batcher._waiting) == many, "all of them wait")
    work.let_go.set()
    ended(threads)
    assert sorted(answers) == [0, *(2 * (number + 20) for number in range(many))]
    assert sum(len(batch) for batch in work.batches) == many + 1
    assert max(len(batch) for batch in work.batches) == MAX_BATCH


def test_an_error_reaches_every_call_of_the_batch_and_the_next_batch_goes_on() -> None:
    batcher: Batcher[int, int] = Batcher()

    def broken(asked: Sequence[int]) -> Sequence[int]:
        raise OSError("the database is away")

    with pytest.raises(OSError, match="away"):
        batcher.call(broken, 1)
    assert batcher.call(lambda asked: asked, 2) == 2


def test_work_that_returns_too_few_results_is_detected() -> None:
    batcher: Batcher[int, int] = Batcher()
    with pytest.raises(AssertionError, match="1 requests, but 0 results"):
        batcher.call(lambda asked: [], 1)


def test_a_process_that_was_forked_in_the_middle_of_a_batch_begins_anew() -> None:
    batcher: Batcher[int, int] = Batcher()
    work = Slow()
    threads = in_threads(lambda: batcher.call(work, 1))
    assert work.entered.wait(LIMIT_SECONDS)
    child = os.fork()
    if child == 0:
        os._exit(0 if batcher.call(lambda asked: asked, 7) == 7 else 1)
    work.let_go.set()
    ended(threads)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
