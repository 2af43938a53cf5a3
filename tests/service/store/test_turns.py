"""Turns in the database: how those that are judged are found among many that wait."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Connection, event

from service.context import Context
from service.store import statements
from service.store import turns as rows
from service.store.database import Database
from service.store.schema import migrate
from service.turns.submit import submit
from tests.service.fakes import discovered, started, wired
from tools.postgresql import new_database

WAITING, JUDGED = 5_000, 60_000
_FILL = """
    INSERT INTO turns (id, match_id, seat, player_id, ply, document, fingerprint, status, attempts, kind,
                       submitted_at, judged_at)
    SELECT 't' || n, %(of_match)s, 0, %(player)s, 0, '{{}}', '', '{status}', 0, 'turn',
           now() + n * interval '1 second', {judged}
    FROM generate_series({first}, {last}) AS n
"""


@pytest.fixture(scope="module")
def backlog(tmp_path_factory: pytest.TempPathFactory, postgresql_server: str) -> Iterator[Database]:
    """The database of a service with a backlog, as an outage of the workers leaves it. Its turns
    are named t1 to t65000, of which the last wait.
    """
    with new_database(postgresql_server, "backlog") as url, discovered():
        context = wired(tmp_path_factory.mktemp("backlog"), url)
        migrate(context.database)
        fill(context)
        yield context.database
        context.close()


def fill(context: Context) -> None:
    table = started(context, "pearls")
    of = {"of_match": table.match.id, "player": table.players[0].id}
    judged = _FILL.format(status="accepted", judged="now()", first=1, last=JUDGED)
    waiting = _FILL.format(status="queued", judged="NULL", first=JUDGED + 1, last=JUDGED + WAITING)
    with context.database.write() as connection:
        connection.exec_driver_sql(judged, of)
        connection.exec_driver_sql(waiting, of)
        connection.exec_driver_sql("ANALYZE turns")


@contextmanager
def plans(database: Database) -> Iterator[tuple[Connection, list[str]]]:
    """A connection, and how PostgreSQL executes what is done with it; it is undone in the end."""
    found: list[str] = []

    def explain(connection: Connection, cursor: Any, statement: str, values: Any, *others: object) -> None:
        if not statement.startswith(("EXPLAIN", "ROLLBACK")):
            first = values[0] if isinstance(values, list) else values
            found.append("\n".join(connection.exec_driver_sql(f"EXPLAIN {statement}", first).scalars()))

    def explained(connection: Connection, statement: str, values: Any, many: bool = False) -> Any:
        explain(connection, None, statement, values)
        return run(connection, statement, values, many)

    run = statements._run
    with database.write() as connection, pytest.MonkeyPatch.context() as patched:
        undone = connection.begin_nested()
        event.listen(connection, "before_cursor_execute", explain)
        patched.setattr(statements, "_run", explained)
        yield connection, found
        undone.rollback()


@pytest.mark.parametrize("count", [1, 20, 64])
def test_turns_behind_a_backlog_are_judged_by_their_keys(backlog: Database, count: int) -> None:
    ids = [f"t{JUDGED + number}" for number in range(1, count + 1)]
    with backlog.read() as connection:
        taken = [turn for each in ids if (turn := rows.find(connection, each))]
    with plans(backlog) as (connection, found):
        assert rows.lock_queued(connection, ids) == frozenset(ids)
        rows.count_attempts(connection, ids)
        rows.set_verdicts(connection, [replace(turn, status="accepted") for turn in taken])
    assert len(found) == 4
    for plan in found:
        assert set(re.findall(r" (?:Scan using|Scan on|Index Scan on) (\w+)", plan)) <= {"pk_turns", "turns"}, plan
        assert "pk_turns" in plan, plan


def test_only_turns_that_are_still_queued_are_locked_and_counted(context: Context, pearls: None) -> None:
    waits, judged = (_queued(context, *names) for names in (("Ada", "Bela"), ("Emil", "Fay")))
    with context.database.write() as connection:
        rows.set_verdicts(connection, [replace(judged, status="rejected", verdict={}, judged_at=context.clock())])
    with context.database.write() as connection:
        assert rows.lock_queued(connection, [judged.id, waits.id, "unknown"]) == {waits.id}
        rows.count_attempts(connection, [judged.id, waits.id, "unknown"])
        rows.count_attempts(connection, [judged.id])
    with context.database.read() as connection:
        after = [rows.find(connection, turn.id) for turn in (waits, judged)]
    assert [turn and turn.attempts for turn in after] == [1, 0]


def _queued(context: Context, *names: str) -> rows.StoredTurn:
    """A turn of a new match that waits."""
    table = started(context, "pearls", names=names)
    submitted = submit(context, table.players[0], table.match.id, None, table.match.ply, notation="1")
    with context.database.read() as connection:
        found = rows.find(connection, submitted.id)
    assert found is not None
    return found
