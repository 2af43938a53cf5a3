"""What a thread asks a batch for is done at once; calls of tasks are tested in ``test_waits``."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from service.store.batched import Batcher


def test_the_call_of_a_thread_is_processed_at_once_by_itself() -> None:
    who: list[int] = []

    def work(asked: Sequence[int]) -> Sequence[int]:
        who.append(threading.get_ident())
        return [number + 1 for number in asked]

    batcher: Batcher[int, int] = Batcher()
    assert [batcher.call(work, number) for number in (1, 2)] == [2, 3]
    assert who == [threading.get_ident()] * 2


def test_an_error_reaches_the_caller_and_the_next_call_goes_on() -> None:
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
