"""Quotas of a day, and addresses that want no mail."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

from service.context import Context
from service.store import players, quotas

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def take(context: Context, subject: str = "ada@example.org", now: datetime = NOON, number: int = 1) -> bool:
    with context.database.write() as connection:
        return quotas.take(connection, "invited", subject, 3, now, number)


def test_so_many_a_day_and_no_more(context: Context) -> None:
    assert [take(context) for _ in range(5)] == [True, True, True, False, False]
    assert take(context, "bela@example.org"), "another subject has a count of its own"
    assert take(context, now=NOON + timedelta(hours=12)), "the next day begins at midnight UTC"


def test_several_are_counted_together_or_not_at_all(context: Context) -> None:
    assert not take(context, number=4)
    assert take(context, number=2)
    assert not take(context, number=2)
    assert take(context, number=1)


def test_of_many_at_once_no_more_pass(context: Context) -> None:
    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(lambda _: take(context), range(8))) == 3


def test_what_is_rolled_back_is_not_counted(context: Context) -> None:
    for _ in range(5):
        try:
            with context.database.write() as connection:
                assert quotas.take(connection, "invited", "ada@example.org", 3, NOON)
                raise LookupError
        except LookupError:
            pass
    assert take(context, number=3)


def test_counts_of_earlier_days_are_deleted(context: Context) -> None:
    for days in range(4):
        assert take(context, now=NOON - timedelta(days=days))
    with context.database.write() as connection:
        yesterday = quotas.day_of(NOON - timedelta(days=1))
        assert quotas.OLD_DAYS.any(connection, yesterday)
        assert quotas.OLD_DAYS.delete(connection, yesterday, 10) == 2
        assert not quotas.OLD_DAYS.any(connection, yesterday)
    assert not take(context, number=3), "today's count stays"


def test_the_counts_begin_anew_at_midnight() -> None:
    assert quotas.seconds_left(NOON) == 12 * 3600
    assert quotas.seconds_left(NOON.replace(hour=23, minute=59, second=59)) == 1
    assert quotas.seconds_left(NOON.replace(hour=23, minute=59, second=49, microsecond=600_000)) == 11, "not before it"


def test_whoever_is_to_go_on_tomorrow_is_told_whose_day_that_is() -> None:
    service = Path(quotas.__file__).parents[1]
    told = [text for file in service.rglob("*.py") for text in re.findall('"[^"\n]*tomorrow[^"\n]*"', file.read_text())]
    assert len(told) > 5
    assert [text for text in told if "tomorrow (UTC)" not in text] == []


def test_an_address_can_forbid_mail_and_allow_it_again(context: Context) -> None:
    with context.database.write() as connection:
        players.forbid_mail(connection, "ada@example.org", NOON)
        players.forbid_mail(connection, "ada@example.org", NOON)
        assert players.is_mail_forbidden(connection, "ada@example.org")
        assert not players.is_mail_forbidden(connection, "bela@example.org")
        players.allow_mail(connection, "ada@example.org")
        assert not players.is_mail_forbidden(connection, "ada@example.org")
