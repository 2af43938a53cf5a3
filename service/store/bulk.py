"""Writes many rows at once: by COPY on PostgreSQL, by one prepared statement on SQLite."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, Final

from sqlalchemy import JSON, Connection, Table, insert

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
