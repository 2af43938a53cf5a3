"""The files of an SQLite database while a process uses it: whether they are still those that it has
opened; and its mark: how many commits were made to it, in a file beside it.

A deleted or replaced file stays open, and what is committed to it is found by nobody. So the
database, its write-ahead log and the log's index are compared, by device and inode, with those that
this process has opened: while a connection is open, SQLite itself replaces none of them.

The database counts its commits in ``user_version``, and after each the number is written into the
mark, which may lag behind but is never ahead. Where it is ahead, commits are missing: SQLite
ignores the end of a damaged write-ahead log. The numbers have 32 bits and begin again at 0; the
later of two is found by their difference.
"""

from __future__ import annotations

import os
import sqlite3
import struct
import threading
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, TypeAlias

import structlog
from sqlalchemy.exc import DatabaseError, OperationalError, SQLAlchemyError

LOG: Final = "-wal"
INDEX: Final = "-shm"

_Identity: TypeAlias = tuple[int, int] | None
"""Device and inode; ``None`` where there is no such file."""

log = structlog.get_logger(__name__)


class FileLost(SQLAlchemyError):
    """The database is not the one that was used before, so nothing may be stored in it. ``reason``
    names no path, and may be shown to anybody; the message is for the operator.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class OpenFiles:
    """The files of a database as one process has opened them."""

    def __init__(self, database: Path) -> None:
        self._database = os.path.abspath(database)
        self._log = self._index = ""
        self._opened: dict[str, _Identity] = {}
        self._mark = CommitMark(Path(self._database))
        self._warned = False

    def expect(self) -> None:
        """Notes the file that is about to be opened for the first time. Raises as
        ``require_all_commits``.
        """
        require_all_commits(Path(self._database))
        self._opened = {self._database: _identity(self._database)}

    def remember(self) -> None:
        """Notes the files that have been opened; the log and its index are beside the file itself
        where that is a link. Raises ``FileLost`` where the file was replaced meanwhile.
        """
        expected = self._opened[self._database]
        real = os.path.realpath(self._database)
        self._log, self._index = real + LOG, real + INDEX
        self._opened = {path: _identity(path) for path in (self._database, self._log, self._index)}
        if expected is not None:
            self._compare(self._database, expected)

    @property
    def remembered(self) -> bool:
        """Whether the files have been opened."""
        return bool(self._log)

    def check_readable(self) -> None:
        """Raises ``FileLost`` unless the database is at its place."""
        self._compare(self._database, self._opened[self._database])

    def check(self) -> None:
        """Raises ``FileLost`` unless all files are at their places."""
        for path, opened in self._opened.items():
            self._compare(path, opened)

    def committed(self, commits: int | None) -> None:
        """Checks the files again after a commit, and notes its number in the mark. Raises
        ``FileLost`` where it went into a file that is no longer at its place.
        """
        self.check()
        if commits is None:
            return
        try:
            self._mark.advance(commits)
        except OSError as error:  # the mark only detects losses: without it nothing is lost
            if not self._warned:
                self._warned = True
                log.warning("database.mark_not_written", error=error.strerror)

    def close(self) -> None:
        """Closes the mark."""
        self._mark.close()

    def _compare(self, path: str, opened: _Identity) -> None:
        found = _identity(path)
        if found == opened:
            return
        ending = {self._log: LOG, self._index: INDEX}.get(path)
        what = "the file" if ending is None else f"the file that ends in {ending}"
        happened = "deleted or moved" if found is None else "replaced by another"
        raise FileLost(
            f"{what} was {happened} while the service ran",
            f"{path} was {happened} while this process had it open. Nothing more is stored. Stop the service, then put"
            " the file back or restore a backup: `overland restore`.",
        )


def require_all_commits(database: Path) -> None:
    """Raises ``FileLost`` where the database or some of the commits of its mark are missing, and
    SQLAlchemy's errors where it cannot be read.
    """
    if not database.exists():
        if commits := read_mark(database):
            raise FileLost(
                "the file is missing",
                f"The database is missing: {database} does not exist, although {commits} commits were made to it."
                f" {_ADVICE} with an empty database: `overland accept-loss`.",
            )
        return
    try:
        missing = missing_commits(database)
    except sqlite3.OperationalError as error:
        raise OperationalError("reading the number of commits", None, error) from error
    except sqlite3.Error as error:
        raise DatabaseError("reading the number of commits", None, error) from error
    if missing:
        raise FileLost(
            "commits are missing from the file",
            f"The database lacks {'a commit' if missing == 1 else f'{missing} commits'} that had been made to"
            f" {database}: its write-ahead log was truncated, damaged or deleted, or it was replaced by an older copy."
            f" The latest turns, verdicts and notices are missing. {_ADVICE} without them: `overland accept-loss`.",
        )
    if is_older_than_log(database):
        raise FileLost(
            "the file is older than its write-ahead log",
            f"The write-ahead log {database}{LOG} belongs to a newer copy of {database}, by which somebody has replaced"
            " it: together they are no database. Restore the copy by `overland restore FILE --replace`, which moves"
            " the log away, too, or put the newer file back.",
        )


_ADVICE: Final = (
    "Put the lost file back, or restore a backup: `overland restore FILE --replace`. To lose them expressly and go on"
)


def _identity(path: str) -> _Identity:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


MODULUS: Final = 2**32
_LENGTH: Final = 11
"""Ten digits and the end of the line: written in one step, over what was there."""


class CommitMark:
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
    return database.with_name(f"{database.name}-mark")


def read_mark(database: Path) -> int | None:
    """The number in the mark; ``None`` where there is none, or it was not written to its end.
    Raises ``OperationalError`` where it cannot be read.
    """
    try:
        return _parse(mark_file(database).read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise OperationalError("reading the mark", None, error) from error


def set_mark(database: Path) -> None:
    """Makes the mark agree with the database; removes it where there is none. Raises ``OSError``
    and ``sqlite3.Error``.
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

    The mark is read first, as other processes may be writing to the database. A second look
    excludes that it was read while it was being written.
    """
    for _ in range(2):
        noted = read_mark(database)
        if noted is None or not (missing := commits_ahead(noted, commits_of(database))):
            return 0
    return missing


def is_older_than_log(database: Path) -> bool:
    """Whether commits are missing between a database and the first one in its write-ahead log,
    which SQLite would add to any file beside it: all are written by page 1, which counts them. The
    log is read first, as other processes may be writing to both
    (https://www.sqlite.org/fileformat2.html#walformat).
    """
    real = os.path.realpath(database)
    with suppress(FileNotFoundError, struct.error), open(real + LOG, "rb") as log_file:
        size, *salt = _LOG_HEADER.unpack(log_file.read(_LOG_HEADER.size))
        while True:
            page, *own = _FRAME_HEADER.unpack(log_file.read(_FRAME_HEADER.size))
            if own != salt:
                return False
            if page == 1:
                first = _user_version(log_file.read(size))
                with open(real, "rb") as file:
                    return commits_ahead(first, _user_version(file.read(_COUNTED_TO))) > 1
            log_file.seek(size, os.SEEK_CUR)
    return False


_LOG_HEADER: Final = struct.Struct(">8xI4x2I8x")
_FRAME_HEADER: Final = struct.Struct(">I4x2I8x")
_COUNTED_TO: Final = 64
"""Bytes of page 1 up to the end of ``user_version``."""


def _user_version(page: bytes) -> int:
    return int.from_bytes(page[_COUNTED_TO - 4 : _COUNTED_TO])


def commits_ahead(later: int, earlier: int) -> int:
    """By how many commits the first number is ahead of the second; 0 where it is not."""
    difference = (later - earlier) % MODULUS
    return difference if difference < MODULUS // 2 else 0


def _format(commits: int) -> bytes:
    return b"%010d\n" % commits


def _parse(written: bytes) -> int | None:
    return int(written) if len(written) == _LENGTH and written[:-1].isdigit() else None
