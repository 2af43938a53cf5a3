"""Every order of what can happen around a deadline: receiving, sweeping, judging, processes that
are killed before they commit, and time that passes. What a turn comes to depends on its receipt
alone.

Orders that lead to the same rows go on together, so that all of them are walked: each state of the
database is left by each operation once. Every operation is done by a process that has just started
(``test_interleavings`` has processes that live on).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import Connection

from service.clocks.spans import instant
from service.context import Context
from service.errors import Conflict, StalePly
from service.ledger.check import check_ledger
from service.store.database import Database
from service.turns.batch import judge_oldest
from service.turns.judge import OwnRulings
from service.turns.submit import submit
from tests.service.fakes import Round, restarted, started, wired_in
from tests.service.swept import act_on_due
from tests.service.turns.clocks import due, now_is, steps

pytestmark = [pytest.mark.deep, pytest.mark.usefixtures("pearls")]
OPERATIONS: Final = ("receive", "sweep", "killed sweep", "judge", "killed judge", "wait")
LENGTH: Final = 9
WAIT: Final = timedelta(seconds=8)
ROWS: Final = {
    "turns": "seat, ply, status, submitted_at, attempts, kind, slot IS NULL",
    "entries": "ply, seat, action",
    "clock_steps": "number, kind, seat, ply, counts_at, at, stops",
    "seat_clocks": "seat, document, due_at",
    "seats": "seat, to_act, held_at, resigned_at",
    "matches": "ply, status, events",
    "outbox": "kind, status, created_at, not_before",
    "events": "number, kind, at",
}
"""What of the rows decides what happens next, and what is told: all but ids made by lot."""


class Killed(BaseException):
    """The process is killed before it commits."""


@contextmanager
def killed_at_commit(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Ends the process at its first commit."""
    write = Database.write

    @contextmanager
    def dying(database: Database) -> Iterator[Connection]:
        with write(database) as connection:
            yield connection
            raise Killed

    with monkeypatch.context() as patched, suppress(Killed):
        patched.setattr(Database, "write", dying)
        yield


@dataclass(frozen=True)
class State:
    """The database as a whole, the time, and when the turn was received."""

    rows: sqlite3.Connection = field(repr=False, compare=False)
    content: tuple[Any, ...] = field(repr=False)
    now: datetime
    received: int | None


class World:
    """One match, and a database that can be put back."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch
        self.context: Context = wired_in(folder)
        self.rows = sqlite3.connect(folder / "overland.sqlite", isolation_level=None)
        self.table: Round = started(self.context, "pearls", clock="brisk")
        self.before = len(steps(self.context, self.table))
        self.due = due(self.context, self.table)
        now_is(self.context, self.due - timedelta(seconds=15))

    def state(self, received: int | None) -> State:
        content = tuple(
            tuple(sorted(map(repr, self.rows.execute(f"SELECT {columns} FROM {table}"))))
            for table, columns in ROWS.items()
        )
        kept = sqlite3.connect(":memory:")
        self.rows.backup(kept)
        return State(kept, content, self.context.clock(), received)

    def put_back(self, state: State) -> None:
        state.rows.backup(self.rows)
        now_is(self.context, state.now)

    def after(self, state: State, operation: str) -> State:
        """The state after an operation by a process that has just started."""
        self.put_back(state)
        return self.state(self.do(operation, state.received))

    def do(self, operation: str, received: int | None) -> int | None:
        context = restarted(self.context)
        match operation:
            case "receive" if received is None:
                return self.receive(context)
            case "sweep":
                act_on_due(context)
            case "killed sweep":
                with killed_at_commit(self.monkeypatch):
                    act_on_due(context)
            case "judge":
                judge_oldest(context, OwnRulings(context.database, context.states), 8)
            case "killed judge":
                with killed_at_commit(self.monkeypatch):
                    judge_oldest(context, OwnRulings(context.database, context.states), 8)
            case "wait":
                now_is(context, context.clock() + WAIT)
        return received

    def receive(self, context: Context) -> int | None:
        ply = steps(context, self.table)[-1].ply
        try:
            submit(context, self.table.players[0], self.table.match.id, None, ply, notation="dive")
        except (Conflict, StalePly):
            assert context.clock() > self.due, "what was in time is never refused"
            return None
        return instant(context.clock())

    def outcome(self, state: State) -> list[str]:
        """What the turn comes to, when everything that waits is done."""
        self.put_back(state)
        now_is(self.context, max(state.now, self.due + timedelta(seconds=30)))
        for _ in range(3):
            self.do("sweep", state.received)
            self.do("judge", state.received)
        assert check_ledger(self.context.database).breaches == []
        return [step.kind for step in steps(self.context, self.table)[self.before :] if step.seat == 0]


def test_all_orders_have_the_outcome_that_the_receipt_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(tmp_path, monkeypatch)
    begin = world.state(None)
    orders = {begin: 1}
    known: dict[tuple[State, str], State] = {}
    for _ in range(LENGTH):
        following: dict[State, int] = {}
        for state, number in orders.items():
            for operation in OPERATIONS:
                if (state, operation) not in known:
                    known[state, operation] = world.after(state, operation)
                reached = known[state, operation]
                following[reached] = following.get(reached, 0) + number
        orders = following
    assert sum(orders.values()) == len(OPERATIONS) ** LENGTH >= 10_000
    outcomes = {True: set[str](), False: set[str](), None: set[str]()}
    for state in orders:
        (kind,) = world.outcome(state)
        outcomes[None if state.received is None else state.received <= instant(world.due)].add(kind)
    assert outcomes[True] == {"turn"}
    assert outcomes[None] == {"time_up_bot_turn"}
    assert outcomes[False] <= {"turn", "time_up_bot_turn"}  # late, and nothing had been done about it, or something
    assert len(orders) > 20
