"""What counts as late: what is due, not what waits for its time."""

from __future__ import annotations

from datetime import timedelta

from service.context import Context
from service.store import survey
from tests.service.fakes import Clock, add_notice


def oldest(context: Context) -> float:
    with context.database.read() as connection:
        return survey.backlog(connection, context.clock()).oldest_mail_seconds


def test_a_notice_is_late_from_the_time_that_it_waited_for(context: Context) -> None:
    assert isinstance(context.clock, Clock)
    with context.database.write() as connection:
        later = context.clock() + timedelta(hours=8)
        add_notice(connection, "digest", None, None, {}, context.clock(), "ada@example.org", not_before=later)
    context.clock.advance(hours=8)
    assert oldest(context) == 0
    context.clock.advance(minutes=5)
    assert oldest(context) == 300
    with context.database.write() as connection:
        add_notice(connection, "chat", None, None, {}, context.clock() - timedelta(hours=1), "ada@example.org")
    assert oldest(context) == 3600
