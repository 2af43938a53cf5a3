"""Copies a whole database into an empty one of either kind, and compares the two, row by row."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

from sqlalchemy import JSON, Connection, NullPool, Table, create_engine, exists, insert, inspect, select

from service.setting_values import hidden
from service.store.database import Database
from service.store.files import open_to_read
from service.store.schema import VERSION_TABLE, current_heads, ill_encoded, unbind, unknown_heads
from service.store.tables import metadata

AT_ONCE: Final = 1000
_OURS: Final = frozenset({VERSION_TABLE, "matches", "turns", "outbox"})
_MODULUS: Final = 1 << 256
_OTHERS: Final = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
)

Progress = Callable[[str, int], object]
"""Is called with a table and the number of its rows so far, after ``AT_ONCE`` rows each."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The rows of a table: their number, and a digest that does not depend on their order."""

    rows: int
    digest: str


class InUse(Exception):
    """Another program has the database open; the message says so."""


def check_unused(database: Database) -> None:
    """Closes our connections. Raises ``InUse`` where another program has the database open."""
    database.dispose()
    if database.url.get_backend_name() == "sqlite":
        file = Path(database.url.database or "")
        with closing(sqlite3.connect(file, timeout=0)) as opened:
            try:  # fails while another program has the file open, and is undone by the next that opens it
                opened.execute("PRAGMA journal_mode=DELETE")
            except sqlite3.OperationalError as error:
                raise InUse(f"A program has {file} open ({error}).") from error
        return
    with database.look() as connection:
        others = connection.exec_driver_sql(_OTHERS).scalar_one()
    if others:
        raise InUse(f"{others} other connections to {hidden(database.url.render_as_string())} are open.")


def unfit(target: Database) -> str | None:
    """A sentence that says why nothing can be moved into a database; ``None`` where it has no
    tables, or those of this or an earlier version without rows. Changes nothing. Raises
    SQLAlchemy's errors.
    """
    if target.file is None:
        with target.read() as connection:
            return _unfit(connection)
    if not target.file.exists():
        return None
    engine = create_engine("sqlite://", creator=partial(open_to_read, target.file), poolclass=NullPool)
    with engine.connect() as connection:
        return _unfit(connection)


def _unfit(connection: Connection) -> str | None:
    tables, heads = set(inspect(connection).get_table_names()), current_heads(connection)
    unknown = unknown_heads(heads)
    if unknown and tables.issuperset(_OURS):
        return (
            f"The database at --to is of a newer version than this code: it has the migration {', '.join(unknown)}."
            " Install that version, or name an empty database."
        )
    known = set() if unknown else {VERSION_TABLE, *metadata.tables} if heads else {VERSION_TABLE}
    if others := sorted(tables - known):
        return f"The database at --to belongs to another program: it has {', '.join(others)}. Name an empty database."
    if sentence := ill_encoded(connection):
        return sentence
    if rows := filled(connection, tables):
        return f"The database at --to is not empty: it has rows in {', '.join(rows)}. Name an empty database."
    return None


def hold(connection: Connection) -> None:
    """Keeps others from writing until the end of this write transaction, which may take long; on
    SQLite every one does.
    """
    if connection.dialect.name == "postgresql":
        unbind(connection)
        tables = ", ".join(f'"{table.name}"' for table in metadata.sorted_tables)
        connection.exec_driver_sql(f"LOCK TABLE {tables} IN EXCLUSIVE MODE")


def filled(connection: Connection, there: Collection[str] = tuple(metadata.tables)) -> tuple[str, ...]:
    """The names of the tables that have rows, of those that are there."""
    return tuple(
        table.name
        for table in metadata.sorted_tables
        if table.name in there and connection.execute(select(exists().select_from(table))).scalar_one()
    )


def copy(source: Connection, target: Connection, progress: Progress) -> dict[str, Contents]:
    """Copies all tables, those first that others refer to. Returns the contents of the source."""
    copied = {}
    for table in metadata.sorted_tables:
        seen = _Sum(table, progress)
        write_rows(target, table, seen.noting(_rows(source, table)))
        copied[table.name] = seen.contents
    return copied


def contents(connection: Connection, progress: Progress) -> dict[str, Contents]:
    """The contents of all tables."""
    found = {}
    for table in metadata.sorted_tables:
        seen = _Sum(table, progress)
        for _ in seen.noting(_rows(connection, table)):
            pass
        found[table.name] = seen.contents
    return found


class _Sum:
    """Adds up the digests of rows: the sum is the same in any order, and differs where a row is
    missing, changed or there twice.
    """

    def __init__(self, table: Table, progress: Progress) -> None:
        self._table, self._progress = table, progress
        self._rows = self._total = 0

    def noting(self, rows: Iterator[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
        for row in rows:
            self._total = (self._total + _digest(row)) % _MODULUS
            self._rows += 1
            if self._rows % AT_ONCE == 0:
                self._progress(self._table.name, self._rows)
            yield row

    @property
    def contents(self) -> Contents:
        return Contents(self._rows, f"{self._total:064x}")


def _rows(connection: Connection, table: Table) -> Iterator[Mapping[str, Any]]:
    for row in connection.execute(select(table).execution_options(yield_per=AT_ONCE)):
        yield row._asdict()


def _digest(row: Mapping[str, Any]) -> int:
    written = json.dumps(dict(row), sort_keys=True, separators=(",", ":"), default=_written)
    return int.from_bytes(hashlib.sha256(written.encode()).digest())


def _written(value: Any) -> Any:
    match value:
        case datetime():
            return value.isoformat()
        case bytes() | memoryview():
            return {"bytes": bytes(value).hex()}
        case _:
            raise TypeError(f"{type(value).__name__} cannot be written")


def write_rows(connection: Connection, table: Table, rows: Iterable[Mapping[str, Any]]) -> None:
    """Writes rows, by column; a column that a row lacks is NULL. Reads ``rows`` as it writes."""
    if connection.dialect.name == "postgresql":
        _copy(connection, table, rows)
        return
    remaining, names = iter(rows), [column.name for column in table.c]
    while part := [{name: row.get(name) for name in names} for row in islice(remaining, AT_ONCE)]:
        connection.execute(insert(table), part)


def _copy(connection: Connection, table: Table, rows: Iterable[Mapping[str, Any]]) -> None:
    driver: Any = connection.connection.driver_connection
    names = [column.name for column in table.c]
    documents = [place for place, column in enumerate(table.c) if isinstance(column.type, JSON)]
    listed = ", ".join(f'"{name}"' for name in names)
    with driver.cursor() as cursor, cursor.copy(f'COPY "{table.name}" ({listed}) FROM STDIN') as copy:
        for row in rows:
            values = [row.get(name) for name in names]
            for place in documents:
                if values[place] is not None:
                    values[place] = json.dumps(values[place])
            copy.write_row(values)
