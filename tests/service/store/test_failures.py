"""What errors of the database mean, and that one bad request of a batch fails alone."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Sequence, Set
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DataError, DBAPIError, InternalError, OperationalError

from service.context import Context
from service.guard import Waited
from service.loop import failure_of, together
from service.store import turns as rows
from service.store.batched import Batcher
from service.store.failures import is_full, is_outage
from service.store.turns import StoredTurn
from service.waits import Tasks
from tests.service.fakes import started
from tests.service.store.test_matches import waits_for_a_lock
from tests.service.test_waits import in_loop
from tools.waiting import until

on_postgresql = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)


class OfDriver(Exception):
    """An error of a driver, with an SQLSTATE."""

    def __init__(self, said: str = "", state: str | None = None) -> None:
        super().__init__(said)
        self.sqlstate = state


def of(said: str = "", state: str | None = None) -> OperationalError:
    return OperationalError("INSERT", {}, OfDriver(said, state))


@pytest.mark.parametrize(
    ("error", "full"),
    [
        (of("database or disk is full"), True),
        (of("could not extend file: No space left on device"), True),
        (of("insufficient resources", "53000"), True),
        (of("disk full", "53100"), True),
        (of("too many connections", "53300"), False),
        (of("database is locked"), False),
        (of(), False),
    ],
)
def test_a_full_disk_is_told_apart(error: OperationalError, full: bool) -> None:
    assert is_full(error) == full


@pytest.mark.parametrize(
    ("error", "away"),
    [
        (of("database is locked"), True),
        (of("the server closed the connection", "57P01"), True),
        (InternalError("INSERT", {}, OfDriver("idle-in-transaction timeout", "25P03")), True),
        (InternalError("INSERT", {}, OfDriver("a page is damaged", "XX001")), False),
        (of("deadlock detected", "40P01"), False),
        (of("canceling statement due to lock timeout", "55P03"), False),
        (DataError("INSERT", {}, OfDriver(state="22021")), False),
        (ValueError("no number"), False),
    ],
)
def test_neither_a_deadlock_nor_a_lock_is_an_outage(error: Exception, away: bool) -> None:
    assert is_outage(error) == away


@on_postgresql
@pytest.mark.parametrize("ends", ["SET transaction_read_only = on", "SET idle_in_transaction_session_timeout = 1"])
def test_a_transaction_that_the_server_ends_is_no_fault_of_the_items_in_it(context: Context, ends: str) -> None:
    def write(several: Sequence[str]) -> Sequence[str]:
        with context.database.write() as connection:
            connection.exec_driver_sql(ends)
            while True:  # until it is ended
                connection.execute(text("DELETE FROM heartbeats"))
                time.sleep(0.05)

    with pytest.raises(DBAPIError) as raised:
        together(("one", "another"), write, lambda item, _: pytest.fail(item))
    assert isinstance(failure_of(raised.value), Waited)


def done_together(work: Any, asked: Sequence[Any]) -> list[Any]:
    """What each task is answered whose request is in one batch with the others."""
    batcher: Batcher[Any, Any] = Batcher()

    async def act(tasks: Tasks) -> list[Any]:
        calls = [tasks.start(partial(batcher.call, work, each))[1] for each in asked]
        return await asyncio.gather(*calls, return_exceptions=True)

    return list(in_loop(act))


@pytest.mark.parametrize("error", [ValueError("bad"), DataError("INSERT", {}, OfDriver()), of(state="40P01")])
def test_a_request_that_breaks_its_batch_fails_alone(error: Exception) -> None:
    asked: list[int] = []

    def work(numbers: Sequence[int]) -> Sequence[int]:
        asked.append(len(numbers))
        if 3 in numbers:
            raise error
        return numbers

    assert done_together(work, [1, 2, 3, 4]) == [1, 2, error, 4]
    assert asked == [4, 1, 1, 1, 1]


def test_of_what_somebody_keeps_locked_no_more_than_two_are_waited_for_alone() -> None:
    """So that a locked row delays no other, and a locked table nobody for long."""
    locked, asked = of("canceling statement due to lock timeout", "55P03"), list[Sequence[int]]()

    def work(held: Set[int], numbers: Sequence[int]) -> Sequence[int]:
        asked.append(numbers)
        if held & set(numbers):
            raise locked
        return numbers

    def not_failed(item: int, error: Exception) -> Sequence[int]:
        raise AssertionError(item)

    for held, done in (({2}, [1, 3, 4]), ({1, 2, 3, 4}, [])):
        act = partial(work, held)
        outcomes = done_together(act, [1, 2, 3, 4])
        assert outcomes == [number if number in done else locked for number in (1, 2, 3, 4)]
        assert sorted(together([1, 2, 3, 4], act, not_failed)) == done
    assert [len(numbers) for numbers in asked[-6:]] == [4, 1, 1, 4, 1, 1]


def test_several_locked_items_keep_back_no_other_for_good() -> None:
    """Though after two of them the rest of a batch is left for the next."""
    locked, waiting = of("canceling statement due to lock timeout", "55P03"), list(range(8))

    def work(numbers: Sequence[int]) -> Sequence[int]:
        if {0, 1, 2, 3}.intersection(numbers):
            raise locked
        return numbers

    for _ in range(200):
        done = together(waiting, work, lambda item, error: pytest.fail(f"{item}: {error}"))
        waiting = [each for each in waiting if each not in done]
    assert waiting == [0, 1, 2, 3]


def test_an_outage_is_met_once_for_a_whole_batch() -> None:
    asked: list[int] = []

    def work(numbers: Sequence[int]) -> Sequence[int]:
        asked.append(len(numbers))
        raise of("database is locked")

    outcomes = done_together(work, [1, 2, 3])
    assert [type(outcome) for outcome in outcomes] == [OperationalError] * 3
    assert asked == [3]


def drafts(context: Context) -> list[StoredTurn]:
    """A turn for each seat of a match, all of one player."""
    table = started(context, "pearls", seats=4)
    player_id = table.players[0].id
    return [
        StoredTurn(f"t{seat}", table.match.id, seat, player_id, 0, {"actions": []}, context.clock())
        for seat in range(4)
    ]


def while_another_adds(
    context: Context, first: StoredTurn, second: StoredTurn, batch: Sequence[StoredTurn]
) -> list[Any]:
    """Whether each turn of ``batch`` was added, and last whether ``second`` was. Another
    transaction adds ``first`` before, and ``second`` once the batch waits for it; then it is
    committed.
    """
    outcome: list[Any] = []

    def add(some: Sequence[StoredTurn]) -> Sequence[bool]:
        with context.database.write() as connection:
            refused = rows.add_all(connection, some)
        return [turn.id not in refused for turn in some]

    batcher = threading.Thread(target=lambda: outcome.extend(done_together(add, batch)))
    with context.database.write() as connection:
        connection.execute(text("SET LOCAL deadlock_timeout = '60s'"))  # the batch is the one that gives way
        rows.add_all(connection, [first])
        batcher.start()
        until(lambda: waits_for_a_lock(context), "the batch waits")
        refused = rows.add_all(connection, [second])
    batcher.join()
    return [*outcome, second.id not in refused]


@on_postgresql
@pytest.mark.usefixtures("pearls")
def test_two_transactions_for_the_same_seats_never_deadlock(context: Context) -> None:
    """Whatever the keys: the batch waits for the first seat, and holds none meanwhile."""
    one, two, *_ = drafts(context)
    batch = [replace(two, id="b2", idempotency_key="a"), replace(one, id="b1", idempotency_key="b")]
    before = _deadlocks(context)
    assert while_another_adds(context, one, two, batch) == [False, False, True]
    assert _deadlocks(context) == before


@on_postgresql
@pytest.mark.usefixtures("pearls")
def test_one_key_for_several_seats_breaks_no_others(context: Context) -> None:
    """That is a deadlock with the batch as its victim; each of its turns is then added alone, and
    one of the two with the same key is refused: whichever comes second.
    """
    one, two, three, four = drafts(context)
    first, second = replace(two, id="o2", idempotency_key="late"), replace(three, id="o3", idempotency_key="early")
    batch = [replace(one, id="b1", idempotency_key="early"), replace(four, id="b4", idempotency_key="late")]
    other = replace(one, id="other", match_id=started(context, "pearls", names=("P", "Q")).match.id)
    early, late, others, seconds = while_another_adds(context, first, second, [*batch, other])
    assert (late, others) == (False, True)
    assert early != seconds


def _deadlocks(context: Context) -> int:
    with context.database.look() as connection:
        connection.execute(text("SELECT pg_stat_clear_snapshot()"))
        counted = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
        return int(connection.execute(text(counted)).scalar_one())
