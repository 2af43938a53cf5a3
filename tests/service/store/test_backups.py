"""The file of a backup: one file that holds everything, on the disk before it gets its name."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select

from service.store import players, tables
from service.store.backups import BackupError, back_up, restore
from service.store.database import Database
from service.store.players import Player
from service.store.schema import migrate
from tests.service.fakes import Clock

WRITE_AHEAD_LOG = 2
"""Bytes 18 and 19 of a database that is read with a log beside it; 1 where the file is all."""


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """A database in use, with a player who is in its write-ahead log only."""
    found = Database(f"sqlite:///{tmp_path}/overland.sqlite")
    migrate(found)
    with found.write() as connection:
        players.add(connection, Player("ada", "Ada", "ada@example.org", None, Clock().now))
    yield found
    found.dispose()


def names(file: Path) -> list[str]:
    """The players of a database that is opened as it lies there, without any file beside it."""
    with closing(sqlite3.connect(f"{file.as_uri()}?immutable=1", uri=True)) as connection:
        return [str(row[0]) for row in connection.execute("SELECT name FROM players")]


def test_a_backup_needs_no_file_beside_it_and_holds_what_was_in_the_log(database: Database, tmp_path: Path) -> None:
    assert (tmp_path / "overland.sqlite-wal").stat().st_size > 0
    folder = tmp_path / "backups"
    folder.mkdir()
    kept = back_up(tmp_path / "overland.sqlite", folder / "one.sqlite")
    assert (kept.file, kept.size) == (folder / "one.sqlite", (folder / "one.sqlite").stat().st_size)
    assert WRITE_AHEAD_LOG not in (folder / "one.sqlite").read_bytes()[18:20]
    assert names(folder / "one.sqlite") == ["Ada"]
    assert os.listdir(folder) == ["one.sqlite"]


def test_a_restored_database_is_one_file_that_the_service_opens(database: Database, tmp_path: Path) -> None:
    back_up(tmp_path / "overland.sqlite", tmp_path / "one.sqlite")
    place = tmp_path / "elsewhere" / "overland.sqlite"
    place.parent.mkdir()
    restore(tmp_path / "one.sqlite", place)
    assert sorted(os.listdir(place.parent)) == ["overland.sqlite", "overland.sqlite-mark"]
    assert WRITE_AHEAD_LOG not in place.read_bytes()[18:20]
    restored = Database(f"sqlite:///{place}")
    with restored.read() as connection:
        assert connection.execute(select(tables.players.c.name)).scalars().all() == ["Ada"]
    restored.dispose()


def test_a_database_that_is_put_aside_is_one_file_too(database: Database, tmp_path: Path) -> None:
    back_up(tmp_path / "overland.sqlite", tmp_path / "one.sqlite")
    database.dispose()
    aside = tmp_path / "aside.sqlite"
    restore(tmp_path / "one.sqlite", tmp_path / "overland.sqlite", aside)
    assert WRITE_AHEAD_LOG not in aside.read_bytes()[18:20]
    assert names(aside) == ["Ada"]


def test_where_there_is_no_database_none_is_put_aside(database: Database, tmp_path: Path) -> None:
    back_up(tmp_path / "overland.sqlite", tmp_path / "one.sqlite")
    place = tmp_path / "elsewhere" / "overland.sqlite"
    place.parent.mkdir()
    restore(tmp_path / "one.sqlite", place, place.with_name("aside.sqlite"))
    assert sorted(os.listdir(place.parent)) == ["overland.sqlite", "overland.sqlite-mark"]


def test_what_a_damaged_database_lacks_is_named_up_to_five_times(database: Database, tmp_path: Path) -> None:
    database.dispose()
    with closing(sqlite3.connect(tmp_path / "overland.sqlite")) as connection:
        connection.execute("DELETE FROM tokens")
        connection.executemany(
            "INSERT INTO tokens (id, player_id, token_hash, label, scopes, created_at) VALUES (?, ?, ?, '', '', '')",
            [(str(number), "nobody", str(number)) for number in range(7)],
        )
        connection.commit()
    with pytest.raises(BackupError) as refused:
        back_up(tmp_path / "overland.sqlite", tmp_path / "one.sqlite")
    lacking = "; ".join(["a row of tokens refers to nothing in players"] * 5)
    assert str(refused.value) == f"The database is damaged: {lacking}."
    assert not (tmp_path / "one.sqlite").exists()


@pytest.mark.parametrize("link_fails", [False, True])
def test_a_backup_is_on_the_disk_before_it_gets_its_name_and_the_name_after(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, link_fails: bool
) -> None:
    file = tmp_path / "backups" / "one.sqlite"
    file.parent.mkdir()
    events: list[str] = []
    link, rename = os.link, os.rename

    def synced(handle: int) -> None:
        events.append("folder" if os.path.samestat(os.fstat(handle), file.parent.stat()) else "file")

    def linked(source: Path, target: Path) -> None:
        if link_fails:
            raise OSError(errno.EPERM, "no links here")
        events.append("name")
        link(source, target)

    def renamed(source: Path, target: Path) -> None:
        events.append("name")
        rename(source, target)

    for name, fake in (("fsync", synced), ("link", linked), ("rename", renamed)):
        monkeypatch.setattr(os, name, fake)
    back_up(tmp_path / "overland.sqlite", file)
    assert events == ["file", "name", "folder"]
    assert names(file) == ["Ada"]
    assert os.listdir(file.parent) == ["one.sqlite"]


@pytest.mark.parametrize("link_fails", [False, True])
def test_a_file_that_appears_meanwhile_is_not_overwritten(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, link_fails: bool
) -> None:
    file = tmp_path / "backups" / "one.sqlite"
    file.parent.mkdir()
    link = os.link

    def late(source: Path, target: Path) -> None:
        file.write_text("of somebody else")
        if link_fails:
            raise OSError(errno.EPERM, "no links here")
        link(source, target)

    monkeypatch.setattr(os, "link", late)
    with pytest.raises(BackupError, match="exists already"):
        back_up(tmp_path / "overland.sqlite", file)
    assert file.read_text() == "of somebody else"
    assert os.listdir(file.parent) == ["one.sqlite"]
