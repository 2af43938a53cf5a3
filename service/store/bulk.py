"""Writes many rows at once: by COPY on PostgreSQL, by one prepared statement on SQLite."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, Final

from sqlalchemy import JSON, Column, Connection, Table, insert

AT_ONCE: Final = 1000


def write(connection: Connection, table: Table, rows: Iterable[Mapping[str, Any]]) -> None:
    """Writes rows, by column; a column that a row lacks is NULL. Reads ``rows`` as it writes."""
    if connection.dialect.name == "postgresql":
        _copy(connection, table, rows)
        return
    remaining, names = iter(rows), [column.name for column in table.c]
    while part := [{name: row.get(name) for name in names} for row in islice(remaining, AT_ONCE)]:
        connection.execute(insert(table), part)


def _copy(connection: Connection, table: Table, rows: Iterable[Mapping[str, Any]]) -> None:
    driver: Any = connection.connection.driver_connection
    columns = list(table.c)
    names = ", ".join(f'"{column.name}"' for column in columns)
    with driver.cursor() as cursor, cursor.copy(f'COPY "{table.name}" ({names}) FROM STDIN') as copy:
        for row in rows:
            copy.write_row([_sent(column, row.get(column.name)) for column in columns])


def _sent(column: Column[Any], value: Any) -> Any:
    return json.dumps(value) if isinstance(column.type, JSON) and value is not None else value
