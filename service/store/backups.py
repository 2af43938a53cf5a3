"""Backups of an SQLite database: taken while it is in use, complete or not at all, never over an
existing file. A file gets its final name only when all of it is on disk.
"""

from __future__ import annotations

import fcntl
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy.engine import URL

from service.store.database import Database
from service.store.files import mark_file, set_mark
from service.store.schema import migrate, newer

DRAFT: Final = re.compile(r"(\..+\.\d+\.unfinished)(-\w+)?")
LEFT_BEHIND: Final = ("-wal", "-shm", "-journal")
BUSY_SECONDS: Final = 2.0


class BackupError(Exception):
    """The backup or restore failed; the message says why, and nothing has been changed."""


@dataclass(frozen=True, slots=True)
class Backup:
    file: Path
    size: int
    matches: int
    turns: int


def back_up(database: Path, file: Path) -> Backup:
    """Copies the database, as of this moment, into a new file, which is one file and is checked.
    Writers are not blocked. Raises ``BackupError``.
    """
    if not database.is_file():
        raise BackupError(f"There is no database: {database} does not exist.")
    _refuse_existing(file)
    try:
        with _draft(file) as draft:
            _copy(database, draft)
            kept = _checked(draft)
            _name(draft, file)
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"The backup could not be written: {error}.") from error
    return Backup(file, file.stat().st_size, *kept)


def restore(file: Path, database: Path, aside: Path | None = None) -> Backup:
    """Replaces the database by a backup, migrated to the newest version, and sets its mark. An
    existing one, which no process may have open, is renamed to ``aside``; without that there must
    be none. Raises ``BackupError``.
    """
    for there in (database, *_left_behind(database)) if aside is None else ():
        if there.exists():
            raise BackupError(f"There is a database already: {there}. Use --replace to move it aside.")
    if not file.is_file():
        raise BackupError(f"{file} is no ordinary file, so it is no backup.")
    try:
        with _draft(database) as draft:
            _copy(file, draft)
            _checked(draft)
            _migrate(draft)
            kept = _checked(draft)
            if aside is not None:
                _put_aside(database, aside)
            _name(draft, database)
            set_mark(database)
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"The backup could not be restored: {error}.") from error
    return Backup(database, database.stat().st_size, *kept)


def _copy(source: Path, target: Path) -> None:
    """Copies as of one moment, into a single file that is synced to disk; readers and writers of
    the source are not blocked.
    """
    with (
        closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as reading,
        closing(sqlite3.connect(target)) as writing,
    ):
        reading.execute("BEGIN")
        try:
            reading.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.OperationalError:  # it is locked, or cannot be opened, which says nothing of what is in it
            raise
        except sqlite3.DatabaseError as error:
            raise BackupError(f"{source} is not a sound database of SQLite: {error}.") from error
        reading.backup(writing)
        writing.execute("PRAGMA journal_mode=DELETE")
    _sync(target)


def _checked(file: Path) -> tuple[int, int]:
    """The numbers of matches and turns in a database. Raises ``BackupError`` where it is damaged or
    not one of Overland.
    """
    with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        broken = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)") if row[0] != "ok"]
        broken += [
            f"a row of {row[0]} refers to nothing in {row[2]}"
            for row in connection.execute("PRAGMA foreign_key_check").fetchmany(5)
        ]
        if broken:
            raise BackupError(f"The database is damaged: {'; '.join(broken)}.")
        tables = {str(row[0]) for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        if not {"alembic_version", "matches", "turns", "outbox"} <= tables:
            raise BackupError("The file is not a backup of Overland: its tables are missing.")
        matches, turns = (
            int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]) for table in ("matches", "turns")
        )
        return matches, turns


def _migrate(file: Path) -> None:
    database = Database(URL.create("sqlite", database=str(file)).render_as_string())
    try:
        if sentence := newer(database, "The backup"):
            raise BackupError(sentence)
        migrate(database)
    finally:
        database.dispose()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")  # a single file again, to be renamed
    _sync(file)


def _put_aside(database: Path, aside: Path) -> None:
    """Renames a database that no process has open: only then can it be made a single file. Of a
    database that is missing, what it has left behind is renamed.
    """
    _refuse_existing(aside)
    if database.exists():
        _make_single(database)
        os.rename(database, aside)
    for leftover in _left_behind(database):
        if leftover.exists():
            os.rename(leftover, aside.with_name(aside.name + leftover.name.removeprefix(database.name)))


def _left_behind(database: Path) -> tuple[Path, ...]:
    return tuple(database.with_name(database.name + ending) for ending in LEFT_BEHIND)


def _make_single(database: Path) -> None:
    with closing(sqlite3.connect(database, timeout=BUSY_SECONDS)) as connection:
        try:
            connection.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.OperationalError as error:
            raise BackupError(
                f"A program has {database} open ({error}). Stop every program of the service first."
            ) from error
        except sqlite3.DatabaseError:
            pass  # it is damaged: a reason to restore, and it is kept as it is


def _name(draft: Path, file: Path) -> None:
    """Renames a finished file, by a link, which fails where a rename would overwrite."""
    try:
        os.link(draft, file)
    except FileExistsError:
        _refuse_existing(file)
        raise
    except OSError:  # a file system without links
        _refuse_existing(file)
        os.rename(draft, file)
    _sync(file.parent)


def _refuse_existing(file: Path) -> None:
    if os.path.lexists(file):
        raise BackupError(f"{file} exists already, and a backup never overwrites anything.")


@contextmanager
def _draft(file: Path) -> Iterator[Path]:
    """Where to write a file that is not finished; it is removed in the end. It is locked meanwhile:
    what nobody locks was left by a process that was killed, and is removed before.
    """
    near = file.parent.glob(".*.unfinished*")
    for left in {path.with_name(found[1]) for path in near if (found := DRAFT.fullmatch(path.name))}:
        with suppress(OSError), left.open("ab") as other:
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(left)
    draft = file.with_name(f".{file.name}.{os.getpid()}.unfinished")
    handle = os.open(draft, os.O_RDWR | os.O_CREAT, 0o600)  # secrets of matches are in it
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield draft
    finally:
        os.close(handle)
        _remove(draft)


def _remove(draft: Path) -> None:
    """Removes an unfinished file where it can be: what failed before is what is told."""
    for file in (draft, *_left_behind(draft), mark_file(draft)):
        with suppress(OSError):
            file.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
