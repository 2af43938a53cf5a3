"""How tables are read and written: rows as objects of a dataclass, inserts of rows that may be
there already, the deletion of what is old; and statements that are compiled once.

SQLAlchemy spends more time around a statement that every turn needs than the database spends on it.
So ``Prepared`` has it compile the statement once for each dialect and each length of its lists, and
runs it on the driver's cursor. Connections, transactions and errors stay SQLAlchemy's, without the
values of rows, and a connection that is lost is invalidated.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar

from sqlalchemy import (
    BindParameter,
    Column,
    ColumnElement,
    Connection,
    FromClause,
    Row,
    Select,
    Table,
    bindparam,
    delete,
    exc,
    func,
    insert,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from service.store.failures import hide_values

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Item = TypeVar("Item", bound="DataclassInstance")
Process: TypeAlias = Callable[[Any], Any]

WAITS: Final = "overland_waits"
"""The option of a connection that is told when a statement begins and ends."""


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
        """The one that fulfils the conditions; with ``lock`` it is locked."""
        wanted = self.wanted.where(*where)
        row = connection.execute(wanted.with_for_update() if lock else wanted).one_or_none()
        return None if row is None else self.of(row)

    def by(self, *columns: ColumnElement[Any]) -> Finder[Item]:
        """What finds the one with given values in these columns."""
        return Finder(self, columns)

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
        """Adds objects, with the values of further columns. Raises ``IntegrityError`` where one of
        their unique values is there.
        """
        if items:
            connection.execute(insert(self._table), [self.values(item) | more for item in items])

    def values(self, item: Item) -> dict[str, Any]:
        """The values of the columns of an object."""
        return {name: getattr(item, name) for name in self._own}


@dataclass(frozen=True, slots=True)
class Finder(Generic[Item]):
    """Finds the object whose row has given values in these columns; with ``lock`` it is locked."""

    rows: Rows[Item]
    columns: Sequence[ColumnElement[Any]]

    def __call__(self, connection: Connection, *values: str, lock: bool = False) -> Item | None:
        where = (column == value for column, value in zip(self.columns, values, strict=True))
        return self.rows.find(connection, *where, lock=lock)


def count(connection: Connection, table: FromClause, *where: ColumnElement[bool]) -> int:
    """How many rows fulfil the conditions."""
    return connection.execute(select(func.count()).select_from(table).where(*where)).scalar_one()


def any_row(connection: Connection, column: Column[Any], *where: ColumnElement[bool]) -> bool:
    """Whether any row of the column's table fulfils the conditions."""
    return connection.execute(select(column).where(*where).limit(1)).first() is not None


def insert_into(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An insert that can say what is done with rows whose key is there."""
    return sqlite.insert(table) if connection.dialect.name == "sqlite" else postgresql.insert(table)


def insert_new(connection: Connection, table: Table, *rows: Mapping[str, Any]) -> None:
    """Adds rows, but those whose key is there."""
    if rows:
        connection.execute(insert_into(connection, table).on_conflict_do_nothing(), rows)


def replace_row(connection: Connection, table: Table, values: Mapping[str, Any]) -> None:
    """Adds a row, or changes that which has its key."""
    changed = {name: value for name, value in values.items() if not table.c[name].primary_key}
    new = insert_into(connection, table).values(values)
    connection.execute(new.on_conflict_do_update(index_elements=list(table.primary_key), set_=changed))


def add_numbers(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Adds rows, or their ``number`` to that of the row which has their key. Call it with rows in
    one order, so that two transactions cannot deadlock.
    """
    new = insert_into(connection, table)
    total = {"number": table.c.number + new.excluded.number}
    connection.execute(new.on_conflict_do_update(index_elements=list(table.primary_key), set_=total), rows)


@dataclass(frozen=True, slots=True)
class Old:
    """The rows of a table whose column ``at`` is before a time."""

    at: Column[Any]

    def any(self, connection: Connection, before: datetime | str) -> bool:
        """Whether there are any."""
        return any_row(connection, self.at, self.at < before)

    def delete(self, connection: Connection, before: datetime | str, limit: int) -> int:
        """Deletes at most ``limit`` of them. Returns their number."""
        key = tuple(self.at.table.primary_key)
        old = select(*key).where(self.at < before).limit(limit)
        return connection.execute(delete(self.at.table).where(tuple_(*key).in_(old))).rowcount


@dataclass(frozen=True, slots=True)
class _Value:
    """Stands for a parameter while a statement is compiled, or for one at ``index`` of a list."""

    name: str
    index: int | None

    def of(self, given: Mapping[str, Any]) -> Any:
        return given[self.name] if self.index is None else given[self.name][self.index]


@dataclass(frozen=True, slots=True)
class _Compiled:
    """The text of a statement for one driver. ``places`` are its parameters in the order of the
    text: the name, the value or what stands for it, and what converts it.
    """

    text: str
    named: bool
    places: tuple[tuple[str, Any, Process | None], ...]

    def arguments(self, given: Mapping[str, Any]) -> Any:
        values = []
        for _, value, process in self.places:
            if isinstance(value, _Value):
                value = value.of(given)
            values.append(value if process is None else process(value))
        return dict(zip((name for name, _, _ in self.places), values, strict=True)) if self.named else values


class Prepared:
    """A statement, or one for each dialect by its name; ``lists`` names the parameters that are
    lists. A table that it inserts into has no defaults of Python.
    """

    def __init__(self, statement: Any, *lists: str) -> None:
        self.statement, self._lists = statement, lists
        self._compiled: dict[tuple[Any, ...], _Compiled] = {}
        self._rows: dict[str, Callable[[Sequence[Any]], Any]] = {}

    def all(self, connection: Connection, given: Mapping[str, Any]) -> list[Any]:
        """The rows, as named tuples. Raises as SQLAlchemy does."""
        compiled = self._for(connection, given)
        found = _run(connection, compiled.text, compiled.arguments(given))
        dialect = connection.dialect.name
        row = self._rows.get(dialect) or self._rows.setdefault(dialect, _row_of(connection, self._of(dialect)))
        return [row(values) for values in found]

    def many(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> int:
        """Runs the statement for each of the rows, which have the same names. Returns how many rows
        of the database were written. Raises as SQLAlchemy does.
        """
        compiled = self._for(connection, rows[0])
        written: int = _run(connection, compiled.text, [compiled.arguments(row) for row in rows], many=True)
        return written

    def _of(self, dialect: str) -> Any:
        return self.statement[dialect] if isinstance(self.statement, Mapping) else self.statement

    def _for(self, connection: Connection, given: Mapping[str, Any]) -> _Compiled:
        key = (connection.dialect.name, *[len(given[name]) for name in self._lists])
        return self._compiled.get(key) or self._compiled.setdefault(key, self._compile(connection, given))

    def _compile(self, connection: Connection, given: Mapping[str, Any]) -> _Compiled:
        dialect = connection.dialect
        statement = self._of(dialect.name)
        compiled = statement.compile(dialect=dialect, column_keys=None if self._lists else list(given))
        stand_ins: dict[str, Any] = {
            name: [_Value(name, index) for index in range(len(value))] if name in self._lists else _Value(name, None)
            for name, value in given.items()
        }
        state = compiled.construct_expanded_state(stand_ins)
        names = list(state.parameters) if state.positiontup is None else state.positiontup
        kinds = {name: bound.type.dialect_impl(dialect) for bound, name in compiled.bind_names.items()}
        for name, expanded in state.parameter_expansion.items():
            kinds |= dict.fromkeys(expanded, kinds[name])
        places = tuple((name, state.parameters[name], kinds[name].bind_processor(dialect)) for name in names)
        return _Compiled(state.statement, state.positiontup is None, places)


class Changes:
    """Changes the columns ``names`` of rows by their key, and sets others to the ``same`` value."""

    def __init__(self, table: Table, *names: str, **same: Any) -> None:
        given = {column.name: bindparam(f"its_{column.name}", type_=column.type) for column in table.c}
        its = (column == given[column.name] for column in table.primary_key)
        self._prepared = Prepared(update(table).where(*its).values({name: given[name] for name in names} | same))

    def make(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Makes changes: each row has the key and the new values. Raises as SQLAlchemy does."""
        if rows:
            self._prepared.many(connection, [{f"its_{name}": row[name] for name in row} for row in rows])


class Timed:
    """A prepared statement with conditions on the present time. ``build`` makes it of what stands
    for that, to which spans may be added.
    """

    def __init__(self, build: Callable[[Any], Any]) -> None:
        self._times = _Times()
        self._prepared = Prepared(build(self._times))

    def all(self, connection: Connection, now: datetime) -> list[Any]:
        """The rows, as named tuples. Raises as SQLAlchemy does."""
        return self._prepared.all(connection, {name: now + span for name, span in self._times.spans.items()})


class _Times:
    """Stands for the present time while a statement is built."""

    def __init__(self) -> None:
        self.spans: dict[str, timedelta] = {}

    def __add__(self, span: timedelta) -> BindParameter[datetime]:
        name = f"now_{span.total_seconds():.0f}"
        self.spans[name] = span
        return bindparam(name)

    def __clause_element__(self) -> BindParameter[datetime]:
        return self + timedelta(0)


def _row_of(connection: Connection, statement: Any) -> Callable[[Sequence[Any]], Any]:
    """Makes what makes a named tuple of the values of a row."""
    dialect, columns = connection.dialect, statement.exported_columns
    row: Any = namedtuple("row", columns.keys())  # type: ignore[misc]
    by_place = [(place, column.type.dialect_impl(dialect)) for place, column in enumerate(columns)]
    converted = [
        (place, process) for place, kind in by_place if (process := kind.result_processor(dialect, None)) is not None
    ]

    def made(values: Sequence[Any]) -> Any:
        read = list(values)
        for place, process in converted:
            read[place] = process(read[place])
        return row._make(read)

    return made


def _run(connection: Connection, text: str, arguments: Any, many: bool = False) -> Any:
    """The rows that are found; of ``many`` the number of those that were written."""
    if not connection.in_transaction():
        connection.begin()
    waits = connection.get_execution_options().get(WAITS)
    if waits is not None:
        waits(True)
    try:
        with closing(connection.connection.cursor()) as cursor:
            if many:
                cursor.executemany(text, arguments)
                return cursor.rowcount
            cursor.execute(text, arguments)
            return cursor.fetchall()
    except connection.dialect.loaded_dbapi.Error as error:
        raise _raised(connection, text, error) from error
    finally:
        if waits is not None:
            waits(False)


def _raised(connection: Connection, text: str, error: Any) -> exc.DBAPIError:
    """SQLAlchemy's error for that of the driver."""
    lost = connection.dialect.is_disconnect(error, connection.connection.driver_connection, None)
    if lost:
        connection.invalidate(error)
    hide_values(error)
    names: Iterable[str] = (kind.__name__ for kind in type(error).__mro__)
    kinds = (getattr(exc, name, None) for name in names)
    kind = next((each for each in kinds if isinstance(each, type) and issubclass(each, exc.DBAPIError)), exc.DBAPIError)
    return kind(text, None, error, hide_parameters=True, connection_invalidated=lost)
