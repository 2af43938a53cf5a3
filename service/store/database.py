"""The database: connections that read a snapshot, or write in one transaction. SQLite or
PostgreSQL, by URL.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url

BUSY_MILLISECONDS: Final = 5000
PAUSE_SECONDS: Final = 0.001
POOL_SIZE: Final = 8
OVERFLOW: Final = 24
MIGRATIONS: Final = Path(__file__).parent / "migrations"
CLIENT_TIMEOUTS: Final = MappingProxyType(
    {
        "connect_timeout": 5,
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 3,
        "tcp_user_timeout": 10_000,
    }
)
"""When the client detects that the PostgreSQL server is unreachable (in seconds, the last in
milliseconds).
"""
SERVER_TIMEOUTS: Final = MappingProxyType(
    {
        "idle_in_transaction_session_timeout": 10_000,
        "tcp_keepalives_idle": 5,
        "tcp_keepalives_interval": 2,
        "tcp_keepalives_count": 3,
        "tcp_user_timeout": 10_000,
    }
)
"""When the PostgreSQL server detects that the client is unreachable (in seconds, the first and the
last in milliseconds).
"""
_MIGRATION_LOCK: Final = 0x6F7665726C616E64 >> 1
"""The advisory lock that is held on PostgreSQL while migrations run."""


@dataclass(frozen=True, slots=True)
class _Engines:
    """Three views of one pool of connections: for reading in a transaction, for one statement
    ``alone``, and for ``writing``.
    """

    plain: Engine
    alone: Engine
    writing: Engine


@dataclass(frozen=True, slots=True)
class _LockWait:
    """The clock and the sleep of a writer that waits for SQLite's lock."""

    timer: Callable[[], float]
    sleep: Callable[[float], object]


class Database:
    """One database, connected to on first use and again after a fork.

    ``timer`` and ``sleep``, in seconds, are used while a writer waits for SQLite's lock.
    """

    def __init__(
        self, url: str, timer: Callable[[], float] = time.monotonic, sleep: Callable[[float], object] = time.sleep
    ) -> None:
        self.url = normalised(url)
        self._lock_wait = _LockWait(timer, sleep)
        self._lock = threading.Lock()
        self._opened: _Engines | None = None
        self._pid = 0

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A read-only connection with a snapshot of the database."""
        with self.engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                connection = connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            with connection.begin() as transaction:
                try:
                    yield connection
                finally:
                    transaction.rollback()

    @contextmanager
    def look(self) -> Iterator[Connection]:
        """A connection for one reading statement, without a transaction around it."""
        with self._engines.alone.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A connection in one write transaction: committed at the end, rolled back on any
        exception.

        On SQLite it holds the only write lock from the beginning; on PostgreSQL the repositories
        lock rows by ``FOR UPDATE``.
        """
        with self._engines.writing.connect() as connection, connection.begin():
            yield connection

    @property
    def engine(self) -> Engine:
        """The engine of this process."""
        return self._engines.plain

    def dispose(self) -> None:
        """Closes every connection of this process."""
        with self._lock:
            if self._opened is not None and self._pid == os.getpid():
                self._opened.plain.dispose()
            self._opened = None

    @property
    def _engines(self) -> _Engines:
        if self._opened is not None and self._pid == os.getpid():
            return self._opened
        with self._lock:
            if self._opened is None or self._pid != os.getpid():
                if self._opened is not None:
                    self._opened.plain.dispose(close=False)  # the connections belong to the parent process
                self._opened, self._pid = _engines(self.url, self._lock_wait), os.getpid()
            return self._opened


def normalised(url: str) -> URL:
    """The URL with our driver: psycopg for PostgreSQL."""
    parsed = make_url(url)
    return parsed.set(drivername="postgresql+psycopg") if parsed.drivername in ("postgres", "postgresql") else parsed


def migrate(database: Database) -> None:
    """Migrates the database to the newest version, in one transaction.

    If several processes start at once, one does it.
    """
    if database.url.drivername.startswith("sqlite") and database.url.database:
        Path(database.url.database).parent.mkdir(parents=True, exist_ok=True)
    with database.write() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def missing_migrations(database: Database) -> tuple[str, ...]:
    """The migrations that are not applied to this database yet, oldest first."""
    scripts = ScriptDirectory.from_config(_config())
    with database.read() as connection:
        heads = MigrationContext.configure(connection).get_current_heads()
    done = {script.revision for head in heads for script in scripts.iterate_revisions(head, "base")}
    return tuple(reversed([script.revision for script in scripts.walk_revisions() if script.revision not in done]))


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config


def _engines(url: URL, lock_wait: _LockWait) -> _Engines:
    engine = _engine(url, lock_wait)
    alone: dict[str, Any] = (
        {"isolation_level": "AUTOCOMMIT"} if engine.dialect.name == "postgresql" else {"overland_alone": True}
    )
    return _Engines(engine, engine.execution_options(**alone), engine.execution_options(overland_write=True))


def _engine(url: URL, lock_wait: _LockWait) -> Engine:
    if url.get_backend_name() != "sqlite":
        engine = create_engine(
            url, pool_size=POOL_SIZE, max_overflow=OVERFLOW, pool_pre_ping=True, connect_args=CLIENT_TIMEOUTS
        )
        event.listen(engine, "connect", _prepare_postgresql)
        return engine
    engine = create_engine(
        url, pool_size=POOL_SIZE + OVERFLOW, max_overflow=OVERFLOW
    )  # open files are cheap to keep and expensive to open
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", partial(_begin_sqlite, lock_wait))
    return engine


def _prepare_postgresql(connection: Any, record: object) -> None:
    """Sets timeouts of the server, so that it ends the transaction of a client that is cut off,
    which would otherwise keep rows locked.
    """
    autocommit, connection.autocommit = connection.autocommit, True
    with connection.cursor() as cursor:
        for name, value in SERVER_TIMEOUTS.items():
            cursor.execute(f"SET {name} = {value}")
    connection.autocommit = autocommit


def _prepare_sqlite(connection: Any, record: object) -> None:
    """Sets what would otherwise depend on SQLite's build."""
    connection.isolation_level = None  # the driver must not begin transactions of its own
    cursor = connection.cursor()
    for setting in (f"busy_timeout={BUSY_MILLISECONDS}", "journal_mode=WAL", "foreign_keys=ON", "synchronous=FULL"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _begin_sqlite(lock_wait: _LockWait, connection: Connection) -> None:
    """Begins a transaction. One that writes takes the lock at once: a deferred one that reads first
    may fail at its first write.
    """
    options = connection.get_execution_options()
    if options.get("overland_write", False):
        _begin_to_write(lock_wait, connection)
    elif not options.get("overland_alone", False):
        connection.exec_driver_sql("BEGIN")


def _begin_to_write(lock_wait: _LockWait, connection: Connection) -> None:
    """Takes the only write lock as soon as it is free.

    SQLite's own busy handler sleeps longer after every attempt, up to 100 ms, and is overtaken by
    later writers. Transactions here are short, so it is retried every millisecond. Raises
    SQLAlchemy's ``OperationalError`` after ``BUSY_MILLISECONDS``.
    """
    cursor = connection.connection.cursor()
    try:
        cursor.execute("PRAGMA busy_timeout=0")
        deadline = lock_wait.timer() + BUSY_MILLISECONDS / 1000
        while True:
            try:
                cursor.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or lock_wait.timer() > deadline:
                    break
            lock_wait.sleep(PAUSE_SECONDS)
        connection.exec_driver_sql("BEGIN IMMEDIATE")  # raises SQLAlchemy's error instead of sqlite3's
    finally:
        cursor.execute(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")
        cursor.close()
