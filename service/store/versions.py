"""Compares the version of a database with that of this code, for the programs that are started on
it.
"""

from __future__ import annotations

from collections.abc import Collection

from service.store.database import Database, missing_migrations
from service.store.files import require_all_commits
from service.store.revisions import current_heads, known_migrations


def unknown_migrations(database: Database) -> tuple[str, ...]:
    """The migrations of a database that this code does not have: it was migrated by a newer
    version.
    """
    with database.read() as connection:
        return unknown_heads(current_heads(connection))


def unknown_heads(heads: Collection[str]) -> tuple[str, ...]:
    """Those of these migrations that this code does not have."""
    return tuple(sorted(set(heads).difference(known_migrations())))


def newer(database: Database) -> str | None:
    """A sentence where the database is of a newer version than this code."""
    unknown = unknown_migrations(database)
    return (
        f"The database is of a newer version than this code: it has the migration {', '.join(unknown)}."
        " Install that version."
        if unknown
        else None
    )


def unusable(database: Database) -> str | None:
    """A sentence that says why programs of this version cannot work on the database; ``None`` where
    they can.

    A file of SQLite that does not exist is not created. Raises SQLAlchemy's errors where the
    database does not answer, and ``FileLost``.
    """
    if database.file is not None and not database.file.exists():
        require_all_commits(database.file)
        return f"There is no database: {database.file} does not exist. `overland run` makes it, or `overland migrate`."
    if sentence := newer(database):
        return sentence
    missing = missing_migrations(database)
    return f"The database lacks the migration {', '.join(missing)}: run `overland migrate` first." if missing else None
