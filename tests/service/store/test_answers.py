"""Recording what was answered: many at once, in the background, and never at the cost of a mail."""

from __future__ import annotations

import asyncio

import pytest

from service.context import Context
from service.store import batched
from service.store.batched import Answers
from service.store.covering import AnsweredVerdict, ByAnswer, Reason
from service.waits import Tasks
from tests.service.fakes import add_notice, notices, started
from tests.service.test_waits import in_loop


def test_answers_are_recorded_together_in_the_background(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batched, "SECONDS", 0.01)
    table, answers = started(context, "oregon"), Answers()
    player, match_id = table.players[0].id, table.match.id
    with context.database.write() as connection:
        for number in range(3):
            payload = {"turn_id": f"turn-{number}"}
            add_notice(connection, "verdict", player, match_id, payload, context.clock())

    def written(tasks: Tasks, *numbers: int) -> None:
        for number in numbers:
            answers.add(tasks, context.database, context.clock, AnsweredVerdict(player, match_id, f"turn-{number}"))

    def covered() -> set[Reason | None]:
        return {each.covered_by for each in notices(context, "verdict") if each.status == "covered"}

    async def act(tasks: Tasks) -> None:
        written(tasks, 0, 1)
        while covered() != {ByAnswer("turn-0"), ByAnswer("turn-1")}:
            await asyncio.sleep(0.01)
        written(tasks, 2)
        while len(covered()) < 3:
            await asyncio.sleep(0.01)

    in_loop(act)


def test_what_cannot_be_recorded_is_mailed(context: Context) -> None:
    table, answers = started(context, "oregon"), Answers()
    player, match_id = table.players[0].id, table.match.id
    with context.database.write() as connection:
        add_notice(connection, "verdict", player, match_id, {"turn_id": "turn-0"}, context.clock())
        connection.exec_driver_sql("ALTER TABLE outbox RENAME TO elsewhere")

    async def act(tasks: Tasks) -> None:
        answers.add(tasks, context.database, context.clock, AnsweredVerdict(player, match_id, "turn-0"))
        answers.record(context.database, context.clock)

    in_loop(act)
    with context.database.write() as connection:
        connection.exec_driver_sql("ALTER TABLE elsewhere RENAME TO outbox")
    assert [each.status for each in notices(context, "verdict")] == ["pending"]
