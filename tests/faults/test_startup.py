"""Starts on a database that cannot be used: newer or older than the code, without some of its
commits, or on a disk that fills up during the migration. Each is one sentence and an exit status.
"""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.cli import main
from service.store.database import Database
from service.store.files import commits_of
from service.store.schema import known_migrations, missing_migrations
from service.store.tables import metadata
from tests.service.store.killed import add, left_by_a_kill
from tools.launch import PYTHON, environment, overland
from tools.waiting import LIMIT_SECONDS

pytestmark = pytest.mark.deep

Alter = Callable[[Path], None]
ROOM = 5000
EVERY = ", ".join(known_migrations())
"""Bytes: one page of a log."""
NO_REDIS = "redis://127.0.0.1:1/0"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A database as it was left by a service that was killed."""
    return left_by_a_kill(tmp_path / "data", "ada", "bela")


def newer(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()


def older(file: Path) -> None:
    """A database of before the first migration."""
    database = Database(f"sqlite:///{file}")
    with database.write() as connection:
        metadata.drop_all(connection)
        connection.exec_driver_sql("DELETE FROM alembic_version")
    database.dispose()


def truncated(file: Path) -> None:
    log = file.with_name(f"{file.name}-wal")
    os.truncate(log, log.stat().st_size - 1)


def settings(file: Path) -> dict[str, str]:
    return {"OVERLAND_DATA_DIR": str(file.parent), "OVERLAND_DATABASE_URL": "", "OVERLAND_REDIS_URL": ""}


def invoked(file: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, env=settings(file))


def started(environ: Mapping[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PYTHON, *words], env=dict(environ), capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False
    )


@pytest.mark.parametrize(
    ("alter", "words", "sentence"),
    [
        (newer, ("service.cli", "run"), "newer version than this code: it has the migration 9999. Install that"),
        (newer, ("workers", "turns"), "newer version than this code"),
        (older, ("service.cli", "api"), "run `overland migrate` first"),
        (truncated, ("service.cli", "run"), "The database lacks a commit that had been made to"),
        (Path.unlink, ("workers", "sweeper"), "The database is missing"),
    ],
)
def test_a_program_that_cannot_use_the_database_says_so_and_ends(
    file: Path, alter: Alter, words: tuple[str, ...], sentence: str
) -> None:
    alter(file)
    environ = environment(file.parent, **settings(file) | {"OVERLAND_REDIS_URL": NO_REDIS, "OVERLAND_PORT": "18999"})
    ended = started(environ, *words)
    assert ended.returncode in (1, 2), ended.stdout + ended.stderr
    assert sentence in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
    assert ended.stdout == ""


@pytest.mark.parametrize(
    ("alter", "sentence", "status"),
    [
        (newer, "The database is of a newer version than this code: it has the migration 9999.", 1),
        (truncated, "The database lacks a commit", 1),
        (Path.unlink, "The database is missing", 1),
        (older, f"The database lacks the migration {EVERY}: run `overland migrate`", 1),
    ],
)
def test_the_check_says_it_too(file: Path, alter: Alter, sentence: str, status: int) -> None:
    alter(file)
    said = invoked(file, "check")
    assert sentence in said.stderr
    assert said.exit_code == status


def test_the_ledger_reports_commits_that_are_missing_until_they_are_accepted(file: Path) -> None:
    truncated(file)
    for _ in range(2):  # a look changes nothing
        said = invoked(file, "ledger")
        assert said.exit_code == 1
        assert "BREACH commits_lost: The database lacks a commit" in said.stdout
    assert "Accepted: commits are missing from the file." in invoked(file, "accept-loss").stdout
    assert "Nothing is missing." in invoked(file, "accept-loss").stdout
    assert invoked(file, "ledger").exit_code == 0


def test_a_restored_backup_is_no_loss_although_it_has_fewer_commits(file: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup.sqlite"
    assert invoked(file, "backup", str(backup)).exit_code == 0
    database = Database(f"sqlite:///{file}")
    add(database, "cleo")
    database.dispose()
    before = commits_of(file)
    file.unlink()
    assert "The database is missing" in invoked(file, "check").stderr
    assert invoked(file, "restore", str(backup)).exit_code == 0
    assert commits_of(file) < before
    assert invoked(file, "ledger").exit_code == 0


def test_a_lost_database_whose_log_was_left_behind_is_restored(file: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup.sqlite"
    assert invoked(file, "backup", str(backup)).exit_code == 0
    log = file.with_name(f"{file.name}-wal")
    assert log.exists()
    file.unlink()
    assert "Use --replace" in invoked(file, "restore", str(backup)).stderr
    assert invoked(file, "restore", str(backup), "--replace").exit_code == 0
    assert len(list(file.parent.glob("*.before-*-wal"))) == 1
    assert invoked(file, "ledger").exit_code == 0


def test_a_disk_that_fills_up_during_a_migration_leaves_the_old_database(file: Path) -> None:
    older(file)
    database = Database(f"sqlite:///{file}")
    missing = missing_migrations(database)  # and its log stays open: it exists, and may not grow
    environ = environment(file.parent, **settings(file))

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, resource.RLIM_INFINITY))

    for words in (("migrate",), ("run",)):
        ended = subprocess.run(
            [*PYTHON, "service.cli", *words],
            env=environ | {"OVERLAND_PORT": "18999", "PYTHONDONTWRITEBYTECODE": "1"},  # a cut-off file would stay
            capture_output=True,
            text=True,
            timeout=LIMIT_SECONDS,
            check=False,
            preexec_fn=limit,
        )
        assert ended.returncode in (1, 2), ended.stdout + ended.stderr
        assert "The disk of the database is full" in ended.stderr
        assert len(ended.stderr.splitlines()) == 1
    assert missing_migrations(database) == missing != ()
    database.dispose()
    assert overland("migrate", environ=environ).returncode == 0


def test_files_are_for_their_owner_alone_and_the_check_reports_others(tmp_path: Path) -> None:
    data = tmp_path / "data"
    environ = environment(tmp_path, OVERLAND_DATA_DIR=str(data))
    assert overland("migrate", environ=environ).returncode == 0
    found = {path.name: path.stat().st_mode & 0o777 for path in (data, *data.iterdir())}
    assert found["overland.sqlite"] == 0o600
    assert not any(mode & 0o077 for mode in found.values()), found
    data.chmod(0o755)
    (data / "overland.sqlite").chmod(0o640)
    said = invoked(data / "overland.sqlite", "check")
    assert said.exit_code == 0
    (caution,) = said.stderr.splitlines()
    assert caution.startswith(f"Caution: other users of this machine can reach {data / 'overland.sqlite'} (mode 640)")
    assert (data / "overland.sqlite").stat().st_mode & 0o777 == 0o640
