"""Counts what may be done only so often a day, in the transaction that does it.

A count is one row, for what is counted, of whom, and on which day (UTC). It is locked when it is
increased: of two requests at once the second sees the count of the first.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection

from service.errors import TooMany
from service.store.statements import Old, insert_into
from service.store.tables import quotas

OLD_DAYS: Final = Old(quotas.c.day)
"""The counts of days before one (``day_of``)."""


def take(connection: Connection, what: str, subject: str, most: int, now: datetime, number: int = 1) -> bool:
    """Counts ``number`` more of ``what`` of the ``subject`` today. Returns ``False``, and counts
    nothing, where there would be more than ``most``. Take several in one order (by what, then
    subject), so that two transactions cannot deadlock.
    """
    if number > most:
        return False
    counted = _counting(connection, what, subject, now, number, most)
    return connection.scalar(counted.returning(quotas.c.number)) is not None


def spend(connection: Connection, what: str, subject: str, most: int, now: datetime, sentence: str) -> None:
    """Counts one more as ``take`` does. Raises ``TooMany`` with the sentence, filled with ``most``,
    where there would be more.
    """
    if not take(connection, what, subject, most, now):
        raise TooMany(sentence.format(most=most), seconds_left(now))


def lock(connection: Connection, what: str, subject: str, now: datetime) -> None:
    """Locks the count of ``what`` of the ``subject`` today, in the order of ``take``, where rows
    alone are counted.
    """
    connection.execute(_counting(connection, what, subject, now, 0))


def _counting(
    connection: Connection, what: str, subject: str, now: datetime, number: int, most: int | None = None
) -> Any:
    row = insert_into(connection, quotas).values(what=what, subject=subject, day=day_of(now), number=number)
    more = quotas.c.number + number
    fits = None if most is None else more <= most
    return row.on_conflict_do_update(index_elements=list(quotas.primary_key), set_={"number": more}, where=fits)


def day_of(now: datetime) -> str:
    """The day that a moment belongs to, in UTC."""
    return now.date().isoformat()


def seconds_left(now: datetime) -> int:
    """The seconds from now until the counts begin anew."""
    return max(1, math.ceil((day_after(now) - now).total_seconds()))


def day_begin(now: datetime) -> datetime:
    """The moment at which the counts of today began."""
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def day_after(now: datetime) -> datetime:
    """The moment at which the counts begin anew."""
    return day_begin(now) + timedelta(days=1)
