"""Leases on the rows of a table that says what waits: mails that came in, notices to be sent.

A row is leased for a short time to one holder, with its attempt counted in the same transaction: so
the rows at which a process ended are known. Those are the slow lane: they are leased one at a time,
over all processes, so that they keep the others waiting in one place at most.

Items of loops that have no rows of their own, such as the matches of a sweep, have one here while
they are at work or set aside: until its ``not_before`` nobody takes one; one that is ``kept`` waits
for the operator.

Times are of the wall clock, which may be changed: an end of a lease further ahead than any possible
one counts as past.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Select,
    Table,
    case,
    delete,
    exists,
    func,
    or_,
    select,
    update,
)

from service.store.database import Database
from service.store.statements import Rows, Timed, insert_into, replace_row
from service.store.tables import set_aside as rows

LONGEST_LEASE: Final = timedelta(seconds=30)
"""The longest time for which a lease is taken or extended."""
ERROR_LENGTH: Final = 500
FREE: Final = {"leased_by": None, "leased_until": None}
"""The columns of a row that nobody holds."""


@dataclass(frozen=True, slots=True)
class Charged:
    """A leased row: ``attempts`` have begun, the latest ``crashes`` of them ended or stopped a
    process; both with the present one, which may be one of them.
    """

    id: str
    attempts: int
    crashes: int


@dataclass(frozen=True, slots=True, eq=False)
class Leasing:
    """The leases on a table with the columns ``id``, ``attempts``, ``crashes``,
    ``next_attempt_at``, ``leased_by`` and ``leased_until``, and one for the latest ``error``.
    ``waiting`` says which rows are to be leased, ``due`` which of them now, which is a time or
    stands for one. Rows with the same text in the column ``line`` are leased one at a time, except
    those with an empty one.
    """

    table: Table
    error: str
    waiting: ColumnElement[bool]
    due: Callable[[Any], ColumnElement[bool]]
    order: Sequence[ColumnElement[object]]
    line: Column[Any] | None = None

    def lease_due(
        self, database: Database, holder: str, now: datetime, until: datetime, limit: int, slow: bool
    ) -> tuple[Charged, ...]:
        """Leases in a transaction of its own, as ``lease`` does, where any row is due."""
        with database.look() as connection:
            if not self.any_due(connection, now, slow):
                return ()
        with database.write() as connection:
            return self.lease(connection, holder, now, until, limit, slow)

    def lease(
        self, connection: Connection, holder: str, now: datetime, until: datetime, limit: int, slow: bool
    ) -> tuple[Charged, ...]:
        """Leases up to ``limit`` rows that are due, and counts an attempt of each; of the ``slow``
        lane at most one, of those that ended the fewest processes, and none while another is
        leased. Rows that others have leased, or are leasing, are skipped.
        """
        rows = self.table
        if (slow or self.line is not None) and connection.dialect.name == "postgresql":
            # What others lease meanwhile could not be seen.
            connection.execute(select(func.pg_advisory_xact_lock(func.hashtext(f"leases of {rows.name}"))))
        if slow and connection.execute(_one(self, ~self.free(now), rows.c.crashes > 1)).first() is not None:
            return ()
        found = _next_due(self, 1 if slow else limit, slow).all(connection, now)
        if found:
            ids = [row.id for row in found]
            connection.execute(update(rows).where(rows.c.id.in_(ids)).values(leased_by=holder, leased_until=until))
            self.charge(connection, holder, ids)
        return tuple(Charged(row.id, row.attempts + 1, row.crashes + 1) for row in found)

    def charge(self, connection: Connection, holder: str, ids: Collection[str], number: int = 1) -> None:
        """Counts an attempt of each row; with the number -1 takes it back, as it did not begin."""
        counts = {name: self.table.c[name] + number for name in ("attempts", "crashes")}
        connection.execute(update(self.table).where(self.table.c.id.in_(ids), self.held_by(holder)).values(counts))

    def forgive(self, connection: Connection, holder: str, ids: Collection[str]) -> None:
        """Records that attempts have ended no process, whatever else becomes of them."""
        connection.execute(update(self.table).where(self.table.c.id.in_(ids), self.held_by(holder)).values(crashes=0))

    def extend(self, connection: Connection, holder: str, ids: Collection[str], until: datetime) -> frozenset[str]:
        """Extends leases until ``until``. Returns the ids that the holder still holds."""
        mine = self.table.c.id.in_(ids) & self.held_by(holder)
        connection.execute(update(self.table).where(mine).values(leased_until=until))
        return frozenset(connection.scalars(select(self.table.c.id).where(mine)))

    def release(self, connection: Connection, holder: str, ids: Collection[str]) -> None:
        """Ends leases: the rows are due as before."""
        connection.execute(update(self.table).where(self.table.c.id.in_(ids), self.held_by(holder)).values(FREE))

    def settle(self, connection: Connection, holder: str, row_id: str, **values: object) -> bool:
        """Ends a lease and sets these columns. Returns ``False`` where the holder has lost it."""
        mine = update(self.table).where(self.table.c.id == row_id, self.held_by(holder))
        return connection.execute(mine.values(FREE | values)).rowcount == 1

    def postpone(
        self,
        connection: Connection,
        holder: str,
        row_id: str,
        error: str,
        until: datetime,
        counted: bool = True,
        crashed: bool = False,
    ) -> bool:
        """Records why an attempt failed, and when the next is due. Returns ``False`` where the
        holder has lost the lease. Unless ``counted``, the number of attempts is that before this
        one. ``crashed``: it ended or stopped a process.
        """
        columns = self.table.c
        values = {
            self.error: error[:ERROR_LENGTH],
            "next_attempt_at": until,
            "attempts": columns.attempts if counted else case((columns.attempts > 0, columns.attempts - 1), else_=0),
            "crashes": columns.crashes if crashed else 0,
        }
        return self.settle(connection, holder, row_id, **values)

    def any_due(self, connection: Connection, now: datetime, slow: bool | None = None) -> bool:
        """Whether a row is due and not leased, in that lane where one is given."""
        return bool(_one_due(self, slow).all(connection, now))

    def any_leased(self, connection: Connection, now: datetime) -> bool:
        """Whether a process holds a lease on any row."""
        return connection.execute(_one(self, ~self.free(now))).first() is not None

    def held_by(self, holder: str) -> ColumnElement[bool]:
        """Whether a row waits and is leased to the holder."""
        return self.waiting & (self.table.c.leased_by == holder)

    def free(self, now: Any) -> ColumnElement[bool]:
        """Whether a row has no lease, an expired one, or one longer than any possible lease."""
        until = self.table.c.leased_until
        return or_(until.is_(None), until <= now, until > now + LONGEST_LEASE)


def _one(leasing: Leasing, *conditions: ColumnElement[bool]) -> Select[tuple[str]]:
    return select(leasing.table.c.id).where(leasing.waiting, *conditions).limit(1)


def _ready(leasing: Leasing, now: Any, slow: bool | None) -> list[ColumnElement[bool]]:
    """Whether a row is due and not leased, and no other row of its line is, in that lane."""
    columns, ready = leasing.table.c, [leasing.due(now), leasing.free(now)]
    if leasing.line is not None:
        leased = leasing.table.alias()
        held = (leased.c.leased_until > now) & (leased.c.leased_until <= now + LONGEST_LEASE)
        others = select(leased.c.id).where(leased.c[leasing.line.key] == leasing.line, held)
        ready.append(or_(leasing.line == "", ~exists(others.correlate(leasing.table))))
    if slow is not None:
        ready.append(columns.crashes > 0 if slow else columns.crashes == 0)
    return ready


@cache
def _one_due(leasing: Leasing, slow: bool | None) -> Timed:
    """Finds a row that is due and not leased."""
    return Timed(lambda now: _one(leasing, *_ready(leasing, now, slow)))


@cache
def _next_due(leasing: Leasing, limit: int, slow: bool) -> Timed:
    """Finds, and locks, the rows that are leased next."""
    columns = leasing.table.c
    wanted = select(columns.id, columns.attempts, columns.crashes).where(leasing.waiting)
    wanted = wanted.order_by(*((columns.crashes, *leasing.order) if slow else leasing.order)).limit(limit)
    return Timed(lambda now: wanted.where(*_ready(leasing, now, slow)).with_for_update(skip_locked=True))


_FAILED: Final = (rows.c.attempts > 1) | (rows.c.error != "") | rows.c.kept


@dataclass(frozen=True, slots=True)
class Aside:
    """An item of a loop; its counts are those of ``Charged``."""

    loop: str
    item: str
    attempts: int
    crashes: int
    not_before: datetime
    error: str
    kept: bool


_ASIDE: Final = Rows(Aside, rows)


def charge_items(connection: Connection, loop: str, items: Collection[str], until: datetime) -> tuple[Charged, ...]:
    """Counts an attempt of each item, which nobody else takes before ``until``."""
    new = [
        {"loop": loop, "item": item, "attempts": 1, "crashes": 1, "not_before": until, "error": "", "kept": False}
        for item in sorted(items)
    ]
    counted = {"attempts": rows.c.attempts + 1, "crashes": rows.c.crashes + 1, "not_before": until}
    added = insert_into(connection, rows).values(new)
    connection.execute(added.on_conflict_do_update(index_elements=list(rows.primary_key), set_=counted))
    found = select(rows.c.item, rows.c.attempts, rows.c.crashes).where(rows.c.loop == loop, rows.c.item.in_(items))
    charged = {row.item: Charged(row.item, row.attempts, row.crashes) for row in connection.execute(found)}
    return tuple(charged[item] for item in items)


def uncharge_items(connection: Connection, loop: str, items: Collection[str], now: datetime) -> None:
    """Takes back an attempt of each item, which is due again; one without others is forgotten."""
    mine = (rows.c.loop == loop) & rows.c.item.in_(items) & ~rows.c.kept
    counts = {"attempts": rows.c.attempts - 1, "crashes": rows.c.crashes - 1, "not_before": now}
    connection.execute(update(rows).where(mine, rows.c.attempts > 0).values(counts))
    connection.execute(delete(rows).where(mine, rows.c.attempts == 0))


def clear_items(connection: Connection, loop: str, items: Collection[str]) -> None:
    if items:
        connection.execute(delete(rows).where(rows.c.loop == loop, rows.c.item.in_(items)))


def forget_items(connection: Connection, loop: str, before: datetime) -> None:
    """Forgets the items of a loop that were to be tried again before a time."""
    connection.execute(delete(rows).where(rows.c.loop == loop, rows.c.not_before < before))


def set_aside(connection: Connection, failed: Aside) -> None:
    """Records that an item has failed."""
    replace_row(connection, rows, _ASIDE.values(failed) | {"error": failed.error[:ERROR_LENGTH]})


def items_of(connection: Connection, loop: str) -> frozenset[str]:
    """The items of a loop that are at work or set aside."""
    return frozenset(connection.scalars(select(rows.c.item).where(rows.c.loop == loop)))


def next_item(connection: Connection, loop: str, now: datetime) -> str | None:
    """The item of a loop that is due again: that which ended the fewest processes, due longest."""
    due = select(rows.c.item).where(rows.c.loop == loop, ~rows.c.kept, rows.c.not_before <= now)
    return connection.scalar(due.order_by(rows.c.crashes, rows.c.not_before, rows.c.item).limit(1))


def loops_due_again(connection: Connection, now: datetime) -> frozenset[str]:
    return frozenset(connection.scalars(select(rows.c.loop).where(~rows.c.kept, rows.c.not_before <= now).distinct()))


def items_set_aside(connection: Connection) -> tuple[Aside, ...]:
    """All items that have failed, by loop and item."""
    return _ASIDE.all(connection, _FAILED, order=(rows.c.loop, rows.c.item))


def items_waiting(connection: Connection, loop: str, now: datetime) -> tuple[Aside, ...]:
    """The items of a loop that wait to be tried again."""
    return _ASIDE.all(connection, rows.c.loop == loop, rows.c.not_before > now, order=(rows.c.item,))


def item_numbers(connection: Connection) -> dict[tuple[str, bool], int]:
    """How many items of each loop have failed, by loop and whether they are kept."""
    # Both values of ``kept`` are named so that the index is searched.
    failed = select(rows.c.loop, rows.c.kept, func.count()).where(_FAILED, rows.c.kept.in_((False, True)))
    return {(row[0], row[1]): row[2] for row in connection.execute(failed.group_by(rows.c.kept, rows.c.loop))}


def retry_item(connection: Connection, loop: str, item: str, now: datetime) -> bool:
    """Makes an item due again, with no attempts. Returns whether there is one."""
    again = {"attempts": 0, "crashes": 0, "not_before": now, "kept": False}
    return connection.execute(update(rows).where(rows.c.loop == loop, rows.c.item == item).values(again)).rowcount == 1
