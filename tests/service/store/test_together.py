"""Calls of many threads worked off together: each answered for itself, nobody delayed, nobody
forgotten.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence

import pytest

from service.store.together import MOST_AT_ONCE, Together
from tests.workers.waiting import LIMIT_SECONDS


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
    """Doubles numbers; the first round waits until it is let go."""

    def __init__(self) -> None:
        self.rounds: list[list[int]] = []
        self.entered, self.let_go = threading.Event(), threading.Event()

    def __call__(self, asked: Sequence[int]) -> Sequence[int | Exception]:
        self.rounds.append(list(asked))
        if len(self.rounds) == 1:
            self.entered.set()
            assert self.let_go.wait(LIMIT_SECONDS)
        return [ValueError("thirteen") if number == 13 else number * 2 for number in asked]


def test_one_alone_is_worked_off_at_once_by_itself() -> None:
    who: list[int] = []

    def work(asked: Sequence[int]) -> Sequence[int]:
        who.append(threading.get_ident())
        return [number + 1 for number in asked]

    together: Together[int, int] = Together()
    assert [together.call(work, number) for number in (1, 2)] == [2, 3]
    assert who == [threading.get_ident()] * 2


def test_those_who_come_meanwhile_are_worked_off_in_the_next_round_and_each_gets_its_own_answer() -> None:
    together: Together[int, int] = Together()
    work, answers = Slow(), {}

    def ask(number: int) -> None:
        try:
            answers[number] = together.call(work, number)
        except ValueError as error:
            answers[number] = str(error)

    threads = in_threads(lambda: ask(0))
    assert work.entered.wait(LIMIT_SECONDS)
    threads += in_threads(*[lambda number=number: ask(number) for number in range(1, 20)])
    while len(together._waiting) < 19:
        pass
    work.let_go.set()
    ended(threads)
    assert answers == {number: "thirteen" if number == 13 else number * 2 for number in range(20)}
    assert [len(round_) for round_ in work.rounds] == [1, 19]


def test_more_than_a_round_holds_are_worked_off_in_several() -> None:
    together: Together[int, int] = Together()
    work, answers = Slow(), []
    threads = in_threads(lambda: answers.append(together.call(work, 0)))
    assert work.entered.wait(LIMIT_SECONDS)
    many = MOST_AT_ONCE + 5
    threads += in_threads(
        *[lambda number=number: answers.append(together.call(work, number + 20)) for number in range(many)]
    )
    while len(together._waiting) < many:
        pass
    work.let_go.set()
    ended(threads)
    assert sorted(answers) == [0, *(2 * (number + 20) for number in range(many))]
    assert sum(len(round_) for round_ in work.rounds) == many + 1
    assert max(len(round_) for round_ in work.rounds) == MOST_AT_ONCE


def test_an_error_of_the_work_reaches_everybody_of_the_round_and_the_next_round_goes_on() -> None:
    together: Together[int, int] = Together()

    def broken(asked: Sequence[int]) -> Sequence[int]:
        raise OSError("the database is away")

    with pytest.raises(OSError, match="away"):
        together.call(broken, 1)
    assert together.call(lambda asked: asked, 2) == 2


def test_work_that_answers_too_few_is_found_out() -> None:
    together: Together[int, int] = Together()
    with pytest.raises(AssertionError, match="1 asked, and 0 were answered"):
        together.call(lambda asked: [], 1)


def test_a_process_that_was_forked_in_the_middle_of_a_round_begins_anew() -> None:
    together: Together[int, int] = Together()
    work = Slow()
    threads = in_threads(lambda: together.call(work, 1))
    assert work.entered.wait(LIMIT_SECONDS)
    child = os.fork()
    if child == 0:
        os._exit(0 if together.call(lambda asked: asked, 7) == 7 else 1)
    work.let_go.set()
    ended(threads)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
