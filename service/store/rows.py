"""Inserts of rows that may be there already."""

from __future__ import annotations

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_new(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An insert that leaves out the rows whose key is there."""
    return insert_into(connection, table).on_conflict_do_nothing()


def insert_into(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An insert that can say what is done with rows whose key is there."""
    return sqlite.insert(table) if connection.dialect.name == "sqlite" else postgresql.insert(table)
