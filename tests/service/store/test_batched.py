"""Batched inserts: turns committed together, and each task answered for its own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection, event
from sqlalchemy.exc import OperationalError

from service.context import Context
from service.store import batched, statements
from service.store import matches as match_rows
from service.store import turns as rows
from service.store.batched import BatchedStore
from service.store.database import Database
from service.store.matches import StoredMatch
from service.store.turns import StoredTurn, VerdictRow
from service.turns.submit import looked_up, submit
from service.waits import Tasks
from tests.service.fakes import Round, judge_one, started
from tests.service.test_waits import in_loop

pytestmark = pytest.mark.usefixtures("pearls")


@pytest.fixture
def table(context: Context) -> Round:
    return started(context, "pearls")


def drafts(context: Context, table: Round, *keys: str | None) -> list[StoredTurn]:
    """Turns that are not stored yet, with these idempotency keys."""
    submitted = submit(context, table.players[0], table.match.id, None, 0, notation="dive")
    with context.database.read() as connection:
        stored = rows.find(connection, submitted.id)
    assert stored is not None
    # Each in a match of its own, in the same seat: one of them may wait in each.
    seats = [started(context, "pearls", names=(f"P{number}", f"Q{number}")) for number in range(len(keys))]
    return [
        replace(stored, id=f"turn{number}", idempotency_key=key, match_id=table.match.id)
        for number, (key, table) in enumerate(zip(keys, seats, strict=True))
    ]


def added_together(context: Context, drafted: Sequence[StoredTurn]) -> list[Any]:
    """What the task of each turn is answered when all of them are committed in one batch."""
    store, commits = BatchedStore(), list[int]()

    async def act(tasks: Tasks) -> list[Any]:
        adding = (partial(store.add, context.database, turn, lambda: commits.append(1)) for turn in drafted)
        return await asyncio.gather(*[tasks.start(add)[1] for add in adding], return_exceptions=True)

    outcomes = in_loop(act)
    assert len(commits) <= 1
    return list(outcomes)


def itself(connection: Connection, row: VerdictRow | None) -> VerdictRow | None:
    return row


def stored(context: Context, turn: StoredTurn) -> bool:
    with context.database.read() as connection:
        return rows.find(connection, turn.id) is not None


def test_turns_that_are_added_together_are_all_there(context: Context, table: Round) -> None:
    drafted = drafts(context, table, "a", "b", None, "c", None)
    assert added_together(context, drafted) == [True] * 5
    assert all(stored(context, turn) for turn in drafted)


def test_a_key_that_clashes_is_told_to_its_own_task_and_to_no_other(context: Context, table: Round) -> None:
    drafted = drafts(context, table, "first", "taken", "free", "taken", None)
    with context.database.write() as connection:
        rows.add_all(connection, [replace(drafted[1], id="earlier")])
    outcomes = added_together(context, drafted)
    assert outcomes == [True, False, True, False, True]
    assert [stored(context, turn) for turn in drafted] == [True, False, True, False, True]


def test_of_two_with_the_same_key_in_one_round_one_is_stored(context: Context, table: Round) -> None:
    drafted = drafts(context, table, None, "same", "same")
    outcomes = added_together(context, drafted)
    assert sorted(outcomes) == [False, True, True]
    assert sum(stored(context, turn) for turn in drafted[1:]) == 1


def test_a_database_that_cannot_commit_is_told_to_everybody(
    context: Context, table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    drafted = drafts(context, table, "a", "b", "c")

    def locked(connection: object, submitted: object) -> None:
        raise OperationalError("COMMIT", {}, Exception("the database is locked"))

    with monkeypatch.context() as broken:
        broken.setattr(rows, "add_all", locked)
        outcomes = added_together(context, drafted)
    assert [type(outcome) for outcome in outcomes] == [OperationalError] * 3
    assert not any(stored(context, turn) for turn in drafted)


def test_what_is_to_follow_a_commit_follows_once_and_only_a_commit(context: Context, table: Round) -> None:
    followed: list[bool] = []
    first, second = drafts(context, table, "key", "key")
    BatchedStore().add(context.database, first, lambda: followed.append(stored(context, first)))
    assert followed == [True]
    assert not BatchedStore().add(context.database, second, lambda: followed.append(True))
    assert followed == [True]


def test_a_verdict_is_answered_with_whether_the_seat_is_awaited(context: Context, table: Round) -> None:
    turn = submit(context, table.players[0], table.match.id, None, 0, notation="dive")
    queued = context.batched.verdict(context.database, turn.id, itself)
    assert queued is not None
    assert (queued.status, queued.verdict, queued.judged_at, queued.awaited) == ("queued", None, None, True)
    judge_one(context, turn.id)
    judged = context.batched.verdict(context.database, turn.id, itself)
    assert judged is not None
    assert (judged.status, judged.awaited) == ("accepted", False)
    assert context.batched.verdict(context.database, "nowhere", itself) is None


def test_the_entries_of_all_verdicts_of_a_batch_are_read_by_one_statement(context: Context) -> None:
    tables = [started(context, "pearls", names=(f"P{number}", f"Q{number}")) for number in range(3)]
    turns = [submit(context, table.players[0], table.match.id, None, 0, notation="dive") for table in tables]
    told = [judge_one(context, turn.id).verdict for turn in turns]
    stored_turns = [stored_turn(context, turn.id) for turn in turns]
    found = [match(context, table) for table in tables]
    shows: list[tuple[str, batched.ShowVerdict]] = []

    class Kept(BatchedStore):
        def verdict(self, database: Database, turn_id: str, show: batched.ShowVerdict) -> Any:
            shows.append((turn_id, show))
            return turns[0]

    kept = replace(context, batched=Kept())
    for one, turn in zip(found, stored_turns, strict=True):
        looked_up(kept, one, turn)
    with statements_of(context.database) as made:
        answered = batched._shown(context.database, shows)
    assert [turn.verdict for turn in answered] == told
    assert all(verdict is not None and verdict.entries for verdict in told)
    assert len(made) == 2


def stored_turn(context: Context, turn_id: str) -> StoredTurn:
    with context.database.read() as connection:
        found = rows.find(connection, turn_id)
    assert found is not None
    return found


def match(context: Context, table: Round) -> StoredMatch:
    with context.database.read() as connection:
        found = match_rows.find(connection, table.match.id)
    assert found is not None
    return found


@contextmanager
def statements_of(database: Database) -> Iterator[list[str]]:
    """The statements that are made in the block."""
    made: list[str] = []

    def note(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        made.append(statement)

    def noted(connection: Any, statement: str, *rest: Any) -> Any:
        made.append(statement)
        return run(connection, statement, *rest)

    run = statements._run
    event.listen(database.engine, "before_cursor_execute", note)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(statements, "_run", noted)
        try:
            yield made
        finally:
            event.remove(database.engine, "before_cursor_execute", note)
