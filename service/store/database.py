"""The database, SQLite or PostgreSQL: connections that read a snapshot, or write in one
transaction.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url

from service.store.files import MODULUS, OpenFiles
from service.store.statements import WAITS

if TYPE_CHECKING:
    from service.config import Settings

BUSY_MILLISECONDS: Final = 5000
PAUSE_SECONDS: Final = 0.001
POOL_SIZE: Final = 8
OVERFLOW: Final = 24
_CHANGES: Final = "overland_changes"
_COMMITS: Final = "overland_commits"
"""What a connection of SQLite remembers: its changes before the transaction, and the number of its
commit.
"""


@dataclass(frozen=True, slots=True)
class _Engines:
    """Three views of one pool of connections: for reading in a transaction, for one statement
    ``alone``, and for ``writing``. Of SQLite also its ``files``, and a connection that stays open,
    the ``anchor``, so that these stay the same.
    """

    plain: Engine
    alone: Engine
    writing: Engine
    files: OpenFiles | None = None
    anchor: Connection | None = None

    def dispose(self) -> None:
        """Closes every connection that is not in use."""
        if self.anchor is not None:
            self.anchor.close()
        if self.files is not None:
            self.files.close()
        self.plain.dispose()


@dataclass(frozen=True, slots=True)
class _LockWait:
    """The clock and the sleep of a writer that waits for SQLite's lock."""

    timer: Callable[[], float]
    sleep: Callable[[float], object]


class Database:
    """One database, connected to on first use and again after a fork.

    ``timer`` and ``sleep``, in seconds, are used while a writer waits for SQLite's lock. ``waits``
    is told when a reader begins and ceases to wait for the database. Unless ``prepared``, no
    statement is prepared on PostgreSQL. Everything raises ``FileLost``
    while an SQLite file is not the one that this process has opened, or lacks commits.
    """

    def __init__(
        self,
        url: str,
        timer: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
        waits: Callable[[bool], object] | None = None,
        prepared: bool = True,
    ) -> None:
        self.url, self.prepared = normalised(url), prepared
        self._lock_wait = _LockWait(timer, sleep)
        self._waits = waits
        self._lock = threading.Lock()
        self._opened: _Engines | None = None
        self._pid = 0
        self._joined: Connection | None = None

    def joined(self, connection: Connection) -> Database:
        """This database within a transaction that writes: other transactions become parts of it,
        but not those of other threads (``service.store.batched``).
        """
        joined = copy(self)
        joined._joined = connection
        return joined

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A read-only connection with a snapshot of the database."""
        if self._joined is not None:
            yield self._joined
            return
        waits = self._waits or _told_nobody
        waits(True)
        try:
            with self.engine.connect() as connection:
                if connection.dialect.name == "postgresql":
                    connection = connection.execution_options(
                        isolation_level="REPEATABLE READ", postgresql_readonly=True
                    )
                with connection.begin() as transaction:
                    waits(False)
                    try:
                        yield connection
                    finally:
                        waits(True)
                        transaction.rollback()
        finally:
            waits(False)

    @contextmanager
    def look(self) -> Iterator[Connection]:
        """A connection for one reading statement, without a transaction around it."""
        if self._joined is not None:
            yield self._joined
            return
        with self._engines.alone.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A connection in one write transaction: committed at the end, rolled back on any
        exception. On SQLite it holds the only write lock from the beginning; on PostgreSQL rows are
        locked by ``FOR UPDATE``.
        """
        if self._joined is not None:
            with self._joined.begin_nested():
                yield self._joined
            return
        engines = self._engines
        with engines.writing.connect() as connection:
            with connection.begin():
                yield connection
            if engines.files is not None:
                engines.files.committed(connection.info.pop(_COMMITS, None))

    def check(self) -> None:
        """Raises an error of SQLAlchemy where the database does not answer, or its files were
        replaced.
        """
        engines = self._engines
        if engines.files is not None:
            engines.files.check()
        with self.read() as connection:
            connection.exec_driver_sql("SELECT 1")

    @property
    def file(self) -> Path | None:
        """The file of an SQLite database."""
        return Path(self.url.database) if self.url.get_backend_name() == "sqlite" and self.url.database else None

    @property
    def engine(self) -> Engine:
        """The engine of this process."""
        return self._engines.plain

    def dispose(self) -> None:
        """Closes every connection of this process."""
        with self._lock:
            if self._opened is not None and self._pid == os.getpid():
                self._opened.dispose()
            self._opened = None

    @property
    def _engines(self) -> _Engines:
        if self._opened is not None and self._pid == os.getpid():
            return self._opened
        with self._lock:
            if self._opened is None or self._pid != os.getpid():
                if self._opened is not None:
                    self._opened.plain.dispose(close=False)  # the connections belong to the parent process
                self._opened, self._pid = _engines(self.url, self._lock_wait, self.prepared), os.getpid()
                if self._waits is not None:
                    for engine in (self._opened.plain, self._opened.alone, self._opened.writing):
                        engine.update_execution_options(**{WAITS: self._waits})
                    _tell_statements(self._opened.plain, self._waits)
            return self._opened


def database_of(settings: Settings, **given: Any) -> Database:
    """The database of these settings; ``given`` are further arguments of ``Database``."""
    return Database(settings.database_url, prepared=settings.database_prepared, **given)


def reason_of(error: Exception) -> str:
    """What a database or its driver said of an error, on one line."""
    return str(getattr(error, "orig", None) or error).strip().partition("\n")[0]


def normalised(url: str) -> URL:
    """The URL with our driver: psycopg for PostgreSQL."""
    parsed = make_url(url)
    return parsed.set(drivername="postgresql+psycopg") if parsed.drivername in ("postgres", "postgresql") else parsed


def _engines(url: URL, lock_wait: _LockWait, prepared: bool) -> _Engines:
    if url.get_backend_name() != "sqlite":
        from service.store import postgresql  # here, so that a service on SQLite does not have it in memory

        engine = postgresql.engine(url, prepared, POOL_SIZE, OVERFLOW)
        return _Engines(
            engine,
            engine.execution_options(isolation_level="AUTOCOMMIT"),
            engine.execution_options(overland_write=True),
        )
    files = OpenFiles(Path(url.database)) if url.database else None
    engine = _sqlite(url, lock_wait, files)
    views = engine, engine.execution_options(overland_alone=True), engine.execution_options(overland_write=True)
    if files is None:
        return _Engines(*views)
    files.expect()
    try:
        anchor = engine.connect()
        files.remember()
    except BaseException:
        engine.dispose()
        raise
    return _Engines(*views, files, anchor)


def _sqlite(url: URL, lock_wait: _LockWait, files: OpenFiles | None) -> Engine:
    engine = create_engine(
        url, pool_size=POOL_SIZE + OVERFLOW, max_overflow=OVERFLOW, hide_parameters=True
    )  # open files are cheap to keep and expensive to open
    event.listen(engine, "connect", partial(_prepare_sqlite, lock_wait))
    event.listen(engine, "begin", partial(_begin_sqlite, lock_wait, files))
    event.listen(engine, "commit", _count_commit)
    if files is not None:
        event.listen(engine, "do_connect", partial(_open_existing, files))
        event.listen(engine, "connect", partial(_check_opened, files))
    return engine


def _open_existing(files: OpenFiles, dialect: object, record: object, args: list[Any], options: dict[str, Any]) -> None:
    """Opens the file that this process has opened before, and never makes a new one instead."""
    if files.remembered:
        files.check()
        args[0] = f"{Path(args[0]).absolute().as_uri()}?mode=rw"
        options["uri"] = True


def _check_opened(files: OpenFiles, connection: Any, record: object) -> None:
    if files.remembered:
        files.check()


def _prepare_sqlite(lock_wait: _LockWait, connection: Any, record: object) -> None:
    """Sets what would otherwise depend on SQLite's build."""
    connection.isolation_level = None  # the driver must not begin transactions of its own
    cursor = connection.cursor()
    for setting in (f"busy_timeout={BUSY_MILLISECONDS}", "foreign_keys=ON", "synchronous=FULL"):
        cursor.execute(f"PRAGMA {setting}")
    _when_free(lock_wait, lambda: cursor.execute("PRAGMA journal_mode=WAL"))
    _when_free(lock_wait, lambda: cursor.execute("PRAGMA user_version").fetchone())  # opens the write-ahead log
    cursor.close()


def _when_free(lock_wait: _LockWait, run: Callable[[], object]) -> None:
    """Runs a statement again while another connection holds SQLite's lock, for at most
    ``BUSY_MILLISECONDS``. Raises sqlite3's ``OperationalError`` after that.

    SQLite calls no busy handler where two connections that read want to write: both may have found
    a new file, which each wants to give a write-ahead log.
    """
    deadline = lock_wait.timer() + BUSY_MILLISECONDS / 1000
    while True:
        try:
            run()
            return
        except sqlite3.OperationalError as error:
            is_busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not is_busy or lock_wait.timer() > deadline:
                raise
        lock_wait.sleep(PAUSE_SECONDS)


def _begin_sqlite(lock_wait: _LockWait, files: OpenFiles | None, connection: Connection) -> None:
    """Begins a transaction, if the files are those that were opened. One that writes takes the lock
    at once: a deferred one that reads first may fail at its first write.
    """
    options = connection.get_execution_options()
    if options.get("overland_write", False):
        if files is not None:
            files.check()
        _begin_to_write(lock_wait, connection)
        connection.info[_CHANGES] = _driver(connection).total_changes
        return
    if files is not None:
        files.check_readable()
    if not options.get("overland_alone", False):
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
        try:
            _when_free(lock_wait, lambda: cursor.execute("BEGIN IMMEDIATE"))
        except sqlite3.OperationalError:
            connection.exec_driver_sql("BEGIN IMMEDIATE")  # raises SQLAlchemy's error instead of sqlite3's
    finally:
        cursor.execute(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")
        cursor.close()


def _count_commit(connection: Connection) -> None:
    """Counts the commit in the database itself, if the transaction has changed anything."""
    driver = _driver(connection)
    if driver.total_changes == connection.info.get(_CHANGES):
        return
    commits = (int(driver.execute("PRAGMA user_version").fetchone()[0]) + 1) % MODULUS
    statement = f"PRAGMA user_version={commits if commits < MODULUS // 2 else commits - MODULUS}"
    try:
        driver.execute(statement)
    except sqlite3.Error:
        connection.exec_driver_sql(statement)  # raises SQLAlchemy's error instead of sqlite3's
    connection.info[_COMMITS] = commits


def _told_nobody(waits: bool) -> None:
    pass


def _tell_statements(engine: Engine, waits: Callable[[bool], object]) -> None:
    """Tells when a statement begins and ends; after one that fails, the connection ends next."""
    event.listen(engine, "before_cursor_execute", lambda *_: waits(True))
    event.listen(engine, "after_cursor_execute", lambda *_: waits(False))


def _driver(connection: Connection) -> sqlite3.Connection:
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver
