"""The mark beside a database: it shows that the end of a write-ahead log is missing."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from service.store.database import Database
from service.store.files import (
    MODULUS,
    CommitMark,
    FileLost,
    commits_ahead,
    mark_file,
    missing_commits,
    read_mark,
    require_all_commits,
    set_mark,
)
from service.store.schema import migrate
from tests.service.store.killed import add, left_by_a_kill

FRAME = 4096 + 24


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """A database as a killed process leaves it, with commits in its write-ahead log."""
    return left_by_a_kill(tmp_path / "left", "ada", "bela", "cleo")


def write_ahead_log(database: Path) -> Path:
    return database.with_name(f"{database.name}-wal")


def test_what_a_killed_process_leaves_is_complete(killed: Path) -> None:
    require_all_commits(killed)
    assert missing_commits(killed) == 0


@pytest.mark.parametrize("cut", [1, FRAME, 4 * FRAME])
def test_a_truncated_log_is_noticed_and_left_as_it_is(killed: Path, cut: int) -> None:
    log = write_ahead_log(killed)
    with log.open("r+b") as content:
        content.truncate(log.stat().st_size - cut)
    before = log.read_bytes()
    with pytest.raises(FileLost) as lost:
        require_all_commits(killed)
    assert re.sub("lacks (a commit|[0-9] commits)", "lacks commits", str(lost.value)) == (
        f"The database lacks commits that had been made to {killed}: its write-ahead log was truncated, damaged or"
        " deleted, or it was replaced by an older copy. The latest turns, verdicts and notices are missing. Put the"
        " lost file back, or restore a backup: `overland restore FILE --replace`. To lose them expressly and go on"
        " without them: `overland accept-loss`."
    )
    assert log.read_bytes() == before


def test_a_deleted_or_damaged_log_is_noticed(killed: Path) -> None:
    log = write_ahead_log(killed)
    content = bytearray(log.read_bytes())
    content[-2000] ^= 1
    log.write_bytes(content)
    assert missing_commits(killed) == 1
    log.unlink()
    assert missing_commits(killed) > 1 or not read_mark(killed)


def test_a_mark_that_lags_or_is_unreadable_or_missing_is_no_alarm(killed: Path) -> None:
    for content in (b"0000000001\n", b"", b"000", b"not digits\n"):
        mark_file(killed).write_bytes(content)
        require_all_commits(killed)
    mark_file(killed).unlink()
    require_all_commits(killed)


def test_an_accepted_loss_is_no_alarm_any_more(killed: Path) -> None:
    write_ahead_log(killed).unlink()
    set_mark(killed)
    require_all_commits(killed)
    killed.unlink()
    set_mark(killed)
    assert not mark_file(killed).exists()


def test_the_mark_never_goes_back(tmp_path: Path) -> None:
    mark = CommitMark(tmp_path / "overland.sqlite")
    for commits in (7, 9, 8):
        mark.advance(commits)
    mark.close()
    assert read_mark(tmp_path / "overland.sqlite") == 9


@pytest.mark.parametrize(
    ("later", "earlier", "ahead"), [(5, 3, 2), (3, 3, 0), (3, 5, 0), (1, MODULUS - 1, 2), (MODULUS - 1, 1, 0)]
)
def test_numbers_begin_again_at_0(later: int, earlier: int, ahead: int) -> None:
    assert commits_ahead(later, earlier) == ahead


@pytest.mark.parametrize("last", [MODULUS // 2 - 1, MODULUS - 1])
def test_a_database_counts_on_beyond_the_largest_number(tmp_path: Path, last: int) -> None:
    file = tmp_path / "overland.sqlite"
    database = Database(f"sqlite:///{file}")
    migrate(database)
    database.dispose()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(f"PRAGMA user_version={last - MODULUS if last >= MODULUS // 2 else last}")
    set_mark(file)
    add(database, "ada")
    assert read_mark(file) == (last + 1) % MODULUS
    database.dispose()
    require_all_commits(file)
