"""Counts what may be done only so often a day, in the transaction that does it.

A count is one row, for what is counted, of whom, and on which day (UTC). It is locked from the
moment it is increased until the transaction ends: of two requests at once the second sees the count
of the first.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, delete, select

from service.store.rows import insert_into
from service.store.tables import quotas


def take(connection: Connection, what: str, subject: str, most: int, now: datetime, number: int = 1) -> bool:
    """Counts ``number`` more of ``what`` of the ``subject`` today. Returns ``False``, and counts
    nothing, where there would be more than ``most``.

    Take several in one order (by what, then subject), so that two transactions cannot deadlock.
    """
    if number > most:
        return False
    row = insert_into(connection, quotas).values(what=what, subject=subject, day=day_of(now), number=number)
    counted = row.on_conflict_do_update(
        index_elements=["what", "subject", "day"],
        set_={"number": quotas.c.number + number},
        where=quotas.c.number + number <= most,
    ).returning(quotas.c.number)
    return connection.execute(counted).one_or_none() is not None


def lock(connection: Connection, what: str, subject: str, now: datetime) -> None:
    """Locks the count of ``what`` of the ``subject`` today, where nothing but rows is counted.

    Lock several in one order, as they are taken.
    """
    row = insert_into(connection, quotas).values(what=what, subject=subject, day=day_of(now), number=0)
    same = {"number": quotas.c.number}
    connection.execute(row.on_conflict_do_update(index_elements=["what", "subject", "day"], set_=same))


def day_of(now: datetime) -> str:
    """The day that a moment belongs to, in UTC."""
    return now.date().isoformat()


def seconds_left(now: datetime) -> int:
    """The seconds from now until the counts begin anew."""
    return max(1, round((day_after(now) - now).total_seconds()))


def day_begin(now: datetime) -> datetime:
    """The moment at which the counts of today began."""
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def day_after(now: datetime) -> datetime:
    """The moment at which the counts begin anew."""
    return day_begin(now) + timedelta(days=1)


def any_old(connection: Connection, now: datetime) -> bool:
    """Whether there are counts of the days before yesterday."""
    return connection.execute(select(quotas.c.day).where(_is_old(now)).limit(1)).first() is not None


def forget(connection: Connection, now: datetime) -> int:
    """Deletes the counts of the days before yesterday. Returns their number."""
    return connection.execute(delete(quotas).where(_is_old(now))).rowcount


def _is_old(now: datetime) -> ColumnElement[bool]:
    return quotas.c.day < day_of(now - timedelta(days=1))
