"""The files of an SQLite database: a file that was deleted or replaced while it is open takes no
commit and no reader any more.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, select
from sqlalchemy.exc import DatabaseError, OperationalError

from service.store import files, players, tables
from service.store.database import Database
from service.store.files import FileLost, commits_of, read_mark, require_all_commits
from service.store.schema import migrate
from tests.service.store.killed import add
from tests.service.store.test_database import somebody


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "overland.sqlite"


@pytest.fixture
def database(file: Path) -> Iterator[Database]:
    database = Database(f"sqlite:///{file}")
    migrate(database)
    yield database
    database.dispose()


def names(database: Database) -> int:
    with database.read() as connection:
        return len(connection.execute(select(tables.players)).all())


def deleted(file: Path) -> None:
    file.unlink()


def moved(file: Path) -> None:
    file.rename(file.with_name("elsewhere"))


def replaced_by_a_copy(file: Path) -> None:
    copy = file.with_name("copy")
    copy.write_bytes(file.read_bytes())
    copy.rename(file)


def moved_with_its_folder(file: Path) -> None:
    file.parent.rename(file.parent.with_name("other-folder"))


LOSSES = (deleted, moved, replaced_by_a_copy, moved_with_its_folder)


@pytest.mark.parametrize("lose", LOSSES)
def test_a_lost_file_takes_no_commit_and_no_reader(
    database: Database, file: Path, lose: Callable[[Path], None]
) -> None:
    add(database, "ada")
    lose(file)
    for use in (lambda: add(database, "bela"), lambda: names(database), database.check):
        with pytest.raises(FileLost, match=r"overland\.sqlite was (deleted or moved|replaced by another)"):
            use()
    with pytest.raises(FileLost), database.look() as connection:
        connection.execute(select(tables.players))


@pytest.mark.parametrize("ending", ["-wal", "-shm"])
@pytest.mark.parametrize("replaced", [False, True])
def test_a_lost_log_or_index_takes_no_commit(database: Database, file: Path, ending: str, replaced: bool) -> None:
    add(database, "ada")
    lost = file.with_name(file.name + ending)
    lost.unlink()
    if replaced:
        lost.touch()
    with pytest.raises(FileLost, match=rf"overland\.sqlite{ending} was") as refused:
        add(database, "bela")
    assert refused.value.reason.startswith(f"the file that ends in {ending} was ")
    with pytest.raises(FileLost):
        database.check()


def test_a_lost_file_is_never_made_anew(database: Database, file: Path) -> None:
    with database.read():
        file.unlink()
        with pytest.raises(FileLost), database.read():  # a second connection
            pass
    assert not file.exists()


def test_a_file_that_comes_back_is_used_again(database: Database, file: Path) -> None:
    add(database, "ada")
    aside = file.with_name("aside")
    file.rename(aside)
    with pytest.raises(FileLost):
        add(database, "bela")
    aside.rename(file)
    add(database, "bela")
    assert names(database) == 2


def test_a_commit_into_a_file_that_vanished_meanwhile_is_reported(database: Database, file: Path) -> None:
    def write(connection: Connection) -> None:
        players.add(connection, somebody("ada@example.org"))
        file.unlink()

    before = read_mark(file)
    with pytest.raises(FileLost), database.write() as connection:
        write(connection)
    assert read_mark(file) == before


def test_links_and_relative_paths_are_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, other = tmp_path / "real", tmp_path / "other"
    for folder in (real, other):
        folder.mkdir()
        migrate(Database(f"sqlite:///{folder}/overland.sqlite"))
    link = tmp_path / "link.sqlite"
    link.symlink_to(real / "overland.sqlite")
    monkeypatch.chdir(tmp_path)
    database = Database("sqlite:///link.sqlite")
    add(database, "ada")
    monkeypatch.chdir(other)
    assert names(database) == 1
    link.unlink()
    link.symlink_to(other / "overland.sqlite")
    with pytest.raises(FileLost):
        add(database, "bela")
    database.dispose()


def test_a_new_process_neither_uses_an_older_copy_nor_makes_an_empty_database(database: Database, file: Path) -> None:
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(file.with_name("older"))) as target:
        source.backup(target)
    add(database, "ada")
    database.dispose()
    os.rename(file.with_name("older"), file)
    later = Database(f"sqlite:///{file}")
    with pytest.raises(FileLost, match="lacks a commit that had been made"):
        names(later)
    file.unlink()
    with pytest.raises(FileLost, match="does not exist, although 2 commits were made to it"):
        names(later)
    assert not file.exists()


def test_an_older_copy_beside_a_newer_log_is_used_by_nobody(database: Database, file: Path) -> None:
    """SQLite adds the pages of the log to it all the same, and the count of commits is right."""
    copy, log = file.with_name("copy"), file.with_name(file.name + "-wal")
    add(database, "ada")
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        shutil.copy(file, copy)
        for name in ("bela", "cleo"):
            add(database, name)
            require_all_commits(file)
        connection.execute("PRAGMA wal_checkpoint(RESTART)")
    for name in ("dora", "emil"):
        add(database, name)
        require_all_commits(file)
    kept = log.read_bytes()  # as a process that is killed leaves it
    database.dispose()
    log.write_bytes(kept)
    require_all_commits(file)
    copy.replace(file)
    log.write_bytes(kept)
    assert commits_of(file) == read_mark(file)
    log.write_bytes(kept)
    with pytest.raises(FileLost, match=r"belongs to a newer copy of .*overland\.sqlite.*--replace"):
        require_all_commits(file)
    log.unlink()
    with pytest.raises(FileLost, match="lacks 4 commits"):
        require_all_commits(file)


def test_every_commit_that_changes_something_is_counted_and_marked(database: Database, file: Path) -> None:
    before = commits_of(file)
    add(database, "ada")
    with database.write():
        pass
    names(database)
    assert commits_of(file) == read_mark(file) == before + 1


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (sqlite3.OperationalError("database is locked"), OperationalError),
        (sqlite3.DatabaseError("malformed"), DatabaseError),
    ],
)
def test_a_file_whose_commits_cannot_be_counted_is_told_as_by_any_statement(
    database: Database, file: Path, monkeypatch: pytest.MonkeyPatch, error: sqlite3.Error, raised: type[Exception]
) -> None:
    add(database, "ada")

    def failing(database: Path) -> int:
        raise error

    monkeypatch.setattr(files, "commits_of", failing)
    with pytest.raises(raised) as found:
        require_all_commits(file)
    assert type(found.value) is raised


@pytest.mark.parametrize("written", [b"", b"0000000003", b"000000003x\n", b"x000000003\n", b"00000000003\n"])
def test_a_mark_that_was_not_written_to_its_end_says_nothing(database: Database, file: Path, written: bytes) -> None:
    mark = file.with_name(f"{file.name}-mark")
    assert mark.read_bytes() == b"%010d\n" % commits_of(file)
    mark.write_bytes(written)
    assert read_mark(file) is None


def test_a_mark_that_cannot_be_written_prevents_no_commit(database: Database, file: Path) -> None:
    database.dispose()
    mark = file.with_name(f"{file.name}-mark")
    mark.unlink()
    mark.mkdir()
    again = Database(f"sqlite:///{file}")
    mark.rmdir()
    names(again)
    mark.mkdir()
    add(again, "ada")
    assert names(again) == 1
    again.dispose()
