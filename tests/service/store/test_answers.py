"""Recording what was answered: many at once, in the background, and never at the cost of a mail."""

from __future__ import annotations

from service.context import Context
from service.store.batched import Answers
from service.store.covering import AnsweredVerdict, ByAnswer, Reason
from tests.service.fakes import add_notice, notices, started
from tools.waiting import until


def test_answers_are_recorded_together_in_the_background(context: Context) -> None:
    table, answers = started(context, "oregon"), Answers(0.01)
    player, match_id = table.players[0].id, table.match.id
    with context.database.write() as connection:
        for number in range(3):
            payload = {"turn_id": f"turn-{number}"}
            add_notice(connection, "verdict", player, match_id, payload, context.clock())
    for number in range(2):
        answers.add(context.database, context.clock, AnsweredVerdict(player, match_id, f"turn-{number}"))

    def covered() -> set[Reason | None]:
        return {each.covered_by for each in notices(context, "verdict") if each.status == "covered"}

    until(lambda: covered() == {ByAnswer("turn-0"), ByAnswer("turn-1")}, "two are covered")
    answers.add(context.database, context.clock, AnsweredVerdict(player, match_id, "turn-2"))
    until(lambda: len(covered()) == 3, "the third is covered")


def test_what_cannot_be_recorded_is_mailed(context: Context) -> None:
    table, answers = started(context, "oregon"), Answers(60)
    player, match_id = table.players[0].id, table.match.id
    with context.database.write() as connection:
        add_notice(connection, "verdict", player, match_id, {"turn_id": "turn-0"}, context.clock())
        connection.exec_driver_sql("ALTER TABLE outbox RENAME TO elsewhere")
    answers.add(context.database, context.clock, AnsweredVerdict(player, match_id, "turn-0"))
    answers.record(context.database, context.clock)
    with context.database.write() as connection:
        connection.exec_driver_sql("ALTER TABLE elsewhere RENAME TO outbox")
    assert [each.status for each in notices(context, "verdict")] == ["pending"]
