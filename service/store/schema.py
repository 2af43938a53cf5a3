"""The version of a database, by the numbers of its migrations, and its migration to that of this
code. Versions are compared without Alembic, which takes longer to load than the rest of a worker's
start.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, column, inspect, select, table

from service.store.database import Database
from service.store.files import require_all_commits

MIGRATIONS: Final = Path(__file__).parent / "migrations"
VERSIONS = MIGRATIONS / "versions"
"""The folder of the migrations; tests name another, with made-up ones."""
VERSION_TABLE: Final = "alembic_version"
_MIGRATION_LOCK: Final = 0x6F7665726C616E64 >> 1
"""The advisory lock that is held on PostgreSQL while migrations run."""


def migrate(database: Database) -> None:
    """Migrates the database to the newest version, in one transaction, also where several processes
    start at once.
    """
    if database.file is not None:
        database.file.parent.mkdir(parents=True, exist_ok=True)
    with database.write() as connection:
        if connection.dialect.name == "postgresql":
            unbind(connection)
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")
        if current_heads(connection) == {known_migrations()[-1]}:
            return
        from alembic import command
        from alembic.config import Config

        config = Config()
        for option, folder in (("script_location", MIGRATIONS), ("version_locations", VERSIONS)):
            config.set_main_option(option, str(folder).replace("%", "%%"))
        config.set_main_option("path_separator", "newline")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def unbind(connection: Connection) -> None:
    """Lets this transaction of PostgreSQL take any time, also where a host bounds all others."""
    for bound in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
        connection.exec_driver_sql(f"SET LOCAL {bound} = 0")


def known_migrations() -> tuple[str, ...]:
    """The migrations of this code by number, after which each file is named, oldest first."""
    return tuple(sorted(file.name[1:5] for file in VERSIONS.glob("m[0-9][0-9][0-9][0-9]_*.py")))


def current_heads(connection: Connection) -> frozenset[str]:
    """The newest migrations of a database; none where it was never migrated."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return frozenset()
    return frozenset(connection.scalars(select(column("version_num")).select_from(table(VERSION_TABLE))))


def missing_migrations(database: Database) -> tuple[str, ...]:
    """The migrations that are not applied to this database yet, oldest first."""
    with database.read() as connection:
        newest = max(current_heads(connection), default="")
    return tuple(number for number in known_migrations() if number > newest)


def unknown_migrations(database: Database) -> tuple[str, ...]:
    """The migrations of a database that this code does not have: a newer version migrated it."""
    with database.read() as connection:
        return unknown_heads(current_heads(connection))


def unknown_heads(heads: Collection[str]) -> tuple[str, ...]:
    """Those of these migrations that this code does not have."""
    return tuple(sorted(set(heads).difference(known_migrations())))


def newer(database: Database, what: str = "The database") -> str | None:
    """A sentence where the database is of a newer version than this code, or ``ill_encoded``."""
    with database.read() as connection:
        if sentence := ill_encoded(connection):
            return sentence
        unknown = unknown_heads(current_heads(connection))
    return (
        f"{what} is of a newer version than this code: it has the migration {', '.join(unknown)}. Install that version."
        if unknown
        else None
    )


def ill_encoded(connection: Connection) -> str | None:
    """A sentence where the database cannot hold every text, as one of PostgreSQL may."""
    if connection.dialect.name != "postgresql":
        return None
    encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
    return (
        f"The database has the encoding {encoding}, and needs UTF8: make another one with"
        " `createdb --encoding=UTF8 --template=template0`."
        if encoding != "UTF8"
        else None
    )


def unusable(database: Database) -> str | None:
    """A sentence that says why programs of this version cannot work on the database; ``None`` where
    they can. A file of SQLite is not created. Raises SQLAlchemy's errors where the database does
    not answer, and ``FileLost``.
    """
    if database.file is not None and not database.file.exists():
        require_all_commits(database.file)
        return f"There is no database: {database.file} does not exist. `overland run` makes it, or `overland migrate`."
    if sentence := newer(database):
        return sentence
    missing = missing_migrations(database)
    return f"The database lacks the migration {', '.join(missing)}: run `overland migrate` first." if missing else None
