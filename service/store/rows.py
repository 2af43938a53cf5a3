"""The rows of a table as objects of a dataclass, whose fields are columns; inserts of rows that may
be there already; and the deletion of what is old.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sqlalchemy import Column, ColumnElement, Connection, Row, Select, Table, delete, insert, select, tuple_
from sqlalchemy.dialects import postgresql, sqlite

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Item = TypeVar("Item", bound="DataclassInstance")


class Rows(Generic[Item]):
    """Reads and adds objects of the class ``kind``. A field is the column of that name, unless
    ``others`` names another expression, for which ``wanted`` is to be joined. ``read`` makes the
    values of fields of those of their columns.
    """

    def __init__(
        self,
        kind: type[Item],
        table: Table,
        others: Mapping[str, ColumnElement[Any]] | None = None,
        read: Mapping[str, Callable[[Any], Any]] | None = None,
    ) -> None:
        names, others, read = [field.name for field in fields(kind)], others or {}, read or {}
        self._kind, self._table, self._count = kind, table, len(names)
        self._own = [name for name in names if name not in others]
        self._read = [(names.index(name), made) for name, made in read.items()]
        self.columns: tuple[ColumnElement[Any], ...] = tuple(
            others[name].label(name) if name in others else table.c[name] for name in names
        )
        self.wanted: Select[Any] = select(*self.columns)

    def find(self, connection: Connection, *where: ColumnElement[bool], lock: bool = False) -> Item | None:
        """The one that fulfils the conditions; with ``lock`` it is locked until the end of the
        transaction.
        """
        wanted = self.wanted.where(*where)
        row = connection.execute(wanted.with_for_update() if lock else wanted).one_or_none()
        return None if row is None else self.of(row)

    def all(
        self, connection: Connection, *where: ColumnElement[bool], order: Sequence[Any], limit: int | None = None
    ) -> tuple[Item, ...]:
        """Those that fulfil the conditions, in that order, at most ``limit``."""
        return self.every(connection, self.wanted.where(*where).order_by(*order).limit(limit))

    def every(self, connection: Connection, wanted: Select[Any]) -> tuple[Item, ...]:
        """Those that a statement finds which was made of ``wanted``."""
        return tuple(map(self.of, connection.execute(wanted)))

    def of(self, row: Row[Any] | Sequence[Any]) -> Item:
        """The object of a row that begins with ``columns``."""
        if not self._read:
            return self._kind(*row[: self._count])
        values = list(row[: self._count])
        for place, made in self._read:
            values[place] = made(values[place])
        return self._kind(*values)

    def labelled(self, prefix: str) -> list[ColumnElement[Any]]:
        """The columns, with names that differ from those of other tables in a statement."""
        return [column.label(f"{prefix}_{column.name}") for column in self.columns]

    def add(self, connection: Connection, *items: Item, **more: Any) -> None:
        """Adds objects, with the values of further columns. Raises ``IntegrityError`` where one is
        there.
        """
        if items:
            connection.execute(insert(self._table), [self.values(item) | more for item in items])

    def values(self, item: Item) -> dict[str, Any]:
        """The values of the columns of an object."""
        return {name: getattr(item, name) for name in self._own}


def insert_into(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An insert that can say what is done with rows whose key is there."""
    return sqlite.insert(table) if connection.dialect.name == "sqlite" else postgresql.insert(table)


def insert_new(connection: Connection, table: Table, *rows: Mapping[str, Any]) -> None:
    """Adds rows, but those whose key is there."""
    if rows:
        connection.execute(insert_into(connection, table).on_conflict_do_nothing(), rows)


def replace_row(connection: Connection, table: Table, values: Mapping[str, Any]) -> None:
    """Adds a row, or changes that which has its key."""
    key = [column.name for column in table.primary_key]
    changed = {name: value for name, value in values.items() if name not in key}
    connection.execute(
        insert_into(connection, table).values(values).on_conflict_do_update(index_elements=key, set_=changed)
    )


@dataclass(frozen=True, slots=True)
class Old:
    """The rows of a table whose column ``at`` is before a time."""

    at: Column[Any]

    def any(self, connection: Connection, before: datetime | str) -> bool:
        """Whether there are any."""
        return connection.execute(select(self.at).where(self.at < before).limit(1)).first() is not None

    def delete(self, connection: Connection, before: datetime | str, limit: int) -> int:
        """Deletes at most ``limit`` of them. Returns their number."""
        key = tuple(self.at.table.primary_key)
        old = select(*key).where(self.at < before).limit(limit)
        return connection.execute(delete(self.at.table).where(tuple_(*key).in_(old))).rowcount
