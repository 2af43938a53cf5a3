"""Leases on the rows of a table that says what waits: mails that came in, notices to be sent.

A row is leased for a short time to one holder, with its attempt counted in the same transaction: so
the rows at which a process ended are known. Those are the slow lane: they are leased one at a time,
over all processes, so that whatever they do again keeps the others waiting in one place at most.

Times are of the wall clock, which may be changed: an end of a lease further ahead than any possible
one counts as past.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, Connection, Select, Table, case, exists, func, or_, select, true, update

LONGEST_LEASE: Final = timedelta(seconds=30)
"""The longest time for which a lease is taken or extended."""
ERROR_LENGTH: Final = 500
_FREE: Final = {"leased_by": None, "leased_until": None}


@dataclass(frozen=True, slots=True)
class Charged:
    """A leased row: ``attempts`` have begun, ``crashes`` is the number of the latest in a row that
    ended or stopped a process; both with the present one, which may be one of them.
    """

    id: str
    attempts: int
    crashes: int


@dataclass(frozen=True, slots=True)
class Leasing:
    """The leases on a table with the columns ``id``, ``attempts``, ``crashes``,
    ``next_attempt_at``, ``leased_by`` and ``leased_until``, and one for the latest ``error``.

    ``waiting`` says which rows are to be leased, ``due`` which of them now, ``order`` in which
    order. Rows that have the same text in the column ``line`` are leased one at a time, except
    those with an empty one.
    """

    table: Table
    error: str
    waiting: ColumnElement[bool]
    due: Callable[[datetime], ColumnElement[bool]]
    order: Sequence[ColumnElement[object]]
    line: Column[Any] | None = None

    def lease(
        self, connection: Connection, holder: str, now: datetime, until: datetime, limit: int, slow: bool
    ) -> tuple[Charged, ...]:
        """Leases up to ``limit`` rows that are due, and counts an attempt of each; of the ``slow``
        lane at most one, of those that ended the fewest processes, and none while another is
        leased. Rows that others have leased, or are leasing, are skipped.
        """
        columns, rows = self.table.c, self.table
        if (slow or self.line is not None) and connection.dialect.name == "postgresql":
            # What others lease meanwhile could not be seen.
            connection.execute(select(func.pg_advisory_xact_lock(func.hashtext(f"leases of {rows.name}"))))
        if slow and connection.execute(self._one(~self.free(now), columns.crashes > 1)).first() is not None:
            return ()
        wanted = select(columns.id, columns.attempts, columns.crashes)
        ready = (self.waiting, self.due(now), self.free(now), self._first_in_line(now), self._lane(slow))
        wanted = wanted.where(*ready).order_by(*((columns.crashes, *self.order) if slow else self.order))
        found = connection.execute(wanted.limit(1 if slow else limit).with_for_update(skip_locked=True)).all()
        if found:
            ids = [row.id for row in found]
            connection.execute(update(rows).where(columns.id.in_(ids)).values(leased_by=holder, leased_until=until))
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
        return frozenset(connection.execute(select(self.table.c.id).where(mine)).scalars())

    def release(self, connection: Connection, holder: str, ids: Collection[str]) -> None:
        """Ends leases: the rows are due as before."""
        connection.execute(update(self.table).where(self.table.c.id.in_(ids), self.held_by(holder)).values(_FREE))

    def settle(self, connection: Connection, holder: str, row_id: str, **values: object) -> bool:
        """Ends a lease and sets these columns. Returns ``False`` where the holder has lost it."""
        mine = update(self.table).where(self.table.c.id == row_id, self.held_by(holder))
        return connection.execute(mine.values(_FREE | values)).rowcount == 1

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
        holder has lost the lease.

        Unless ``counted``, the number of attempts is that before this one. ``crashed``: it ended or
        stopped a process.
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
        lane = () if slow is None else (self._lane(slow),)
        ready = (self.due(now), self.free(now), self._first_in_line(now), *lane)
        return connection.execute(self._one(*ready)).first() is not None

    def any_leased(self, connection: Connection, now: datetime) -> bool:
        """Whether a process holds a lease on any row."""
        return connection.execute(self._one(~self.free(now))).first() is not None

    def held_by(self, holder: str) -> ColumnElement[bool]:
        """Whether a row waits and is leased to the holder."""
        return self.waiting & (self.table.c.leased_by == holder)

    def free(self, now: datetime) -> ColumnElement[bool]:
        """Whether a row has no lease, an expired one, or one longer than any possible lease."""
        until = self.table.c.leased_until
        return or_(until.is_(None), until <= now, until > now + LONGEST_LEASE)

    def _first_in_line(self, now: datetime) -> ColumnElement[bool]:
        """Whether no other row of the line is leased."""
        if self.line is None:
            return true()
        leased = self.table.alias()
        held = (leased.c.leased_until > now) & (leased.c.leased_until <= now + LONGEST_LEASE)
        others = select(leased.c.id).where(leased.c[self.line.key] == self.line, held)
        return or_(self.line == "", ~exists(others.correlate(self.table)))

    def _lane(self, slow: bool) -> ColumnElement[bool]:
        return self.table.c.crashes > 0 if slow else self.table.c.crashes == 0

    def _one(self, *conditions: ColumnElement[bool]) -> Select[tuple[str]]:
        return select(self.table.c.id).where(self.waiting, *conditions).limit(1)
