"""The migrations of this code and of a database, by number, without Alembic: every process compares
them when it starts, and Alembic takes longer to load than the rest of a worker's start.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import Connection, column, inspect, select, table

MIGRATIONS: Final = Path(__file__).parent / "migrations"
VERSIONS = MIGRATIONS / "versions"
"""The folder of the migrations; tests name another, with made-up ones."""
VERSION_TABLE: Final = "alembic_version"


def known_migrations() -> tuple[str, ...]:
    """The migrations of this code, oldest first: each follows the one before, and its file is named
    after its number.
    """
    return tuple(sorted(file.name[1:5] for file in VERSIONS.glob("m[0-9][0-9][0-9][0-9]_*.py")))


def current_heads(connection: Connection) -> frozenset[str]:
    """The newest migrations of a database; none where it was never migrated."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return frozenset()
    return frozenset(connection.execute(select(column("version_num")).select_from(table(VERSION_TABLE))).scalars())
