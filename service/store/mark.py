"""The mark of an SQLite database: how many commits were made to it, in a file beside it.

The database counts its own commits in ``user_version``. After each commit the number is also
written into the mark, so the mark may lag behind the database (after a power failure, or where a
process was killed between the two), but is never ahead of it. A mark that is ahead means that
commits are missing: SQLite silently ignores the end of a damaged write-ahead log.

The numbers have 32 bits and begin again at 0; the later of two is found by their difference.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

MODULUS: Final = 2**32
_LENGTH: Final = 11
"""Ten digits and the end of the line: written in one step, over what was there."""


class Mark:
    """The mark of one database, for one process. Nothing is opened before the first commit."""

    def __init__(self, database: Path) -> None:
        self._file = mark_file(database)
        self._lock = threading.Lock()
        self._handle: int | None = None

    def advance(self, commits: int) -> None:
        """Notes a commit that has just been made. Raises ``OSError``."""
        with self._lock:
            if self._handle is None:
                self._handle = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            noted = _parse(os.pread(self._handle, _LENGTH, 0))
            if noted is None or commits_ahead(commits, noted):
                os.pwrite(self._handle, _format(commits), 0)

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            if self._handle is not None:
                os.close(self._handle)
                self._handle = None


def mark_file(database: Path) -> Path:
    """The file of the mark of a database."""
    return database.with_name(f"{database.name}-mark")


def read_mark(database: Path) -> int | None:
    """The number in the mark; ``None`` where there is none, or it was not written to its end."""
    try:
        return _parse(mark_file(database).read_bytes())
    except FileNotFoundError:
        return None


def set_mark(database: Path) -> None:
    """Makes the mark agree with the database, whatever it was; removes it where there is no
    database. Raises ``OSError`` and ``sqlite3.Error``.
    """
    if not database.exists():
        with suppress(FileNotFoundError):
            mark_file(database).unlink()
        return
    handle = os.open(mark_file(database), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        os.pwrite(handle, _format(commits_of(database)), 0)
        os.fsync(handle)
    finally:
        os.close(handle)


def commits_of(database: Path) -> int:
    """How many commits a database holds. Raises ``sqlite3.Error``."""
    with closing(open_to_read(database)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0]) % MODULUS


def open_to_read(database: Path) -> sqlite3.Connection:
    """A connection for reading only, so that a damaged write-ahead log is left as it is; where
    there is no log, none is made. Raises ``sqlite3.Error``.
    """
    log = database.resolve().with_name(f"{database.resolve().name}-wal")
    options = "mode=ro" if log.exists() and log.stat().st_size else "mode=ro&immutable=1"
    return sqlite3.connect(f"{database.resolve().as_uri()}?{options}", uri=True)


def missing_commits(database: Path) -> int:
    """How many commits the mark has and the database lacks. Raises ``sqlite3.Error``.

    The mark is read before the database, which other processes may be writing. A second look
    excludes that the mark was read while it was being written.
    """
    for _ in range(2):
        noted = read_mark(database)
        if noted is None or not (missing := commits_ahead(noted, commits_of(database))):
            return 0
    return missing


def commits_ahead(later: int, earlier: int) -> int:
    """By how many commits the first number is ahead of the second; 0 where it is not."""
    difference = (later - earlier) % MODULUS
    return difference if difference < MODULUS // 2 else 0


def _format(commits: int) -> bytes:
    return b"%010d\n" % commits


def _parse(written: bytes) -> int | None:
    return int(written) if len(written) == _LENGTH and written[:-1].isdigit() else None
