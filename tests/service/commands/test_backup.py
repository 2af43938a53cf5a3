"""``overland backup`` and ``overland restore``: taken under writes, restored elsewhere, played
on.
"""

from __future__ import annotations

import os
import random
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.record import verify
from service.cli import main
from service.commands.databases import exclusive
from service.context import Context
from service.matches import lobby
from service.matches.check import check
from service.notices.delivery import deliver_due
from service.store import backups
from service.store.backups import back_up, restore
from service.store.schema import migrate, missing_migrations
from service.store.survey import match_ids
from service.turns import lookup
from service.turns.pending import judge_pending
from service.turns.submit import submit
from service.views.record import match_record
from tests.service.fakes import (
    Postbag,
    Round,
    discovered,
    notices,
    past_the_delay,
    played,
    played_on,
    restarted,
    started,
    wired,
)
from tests.service.store.killed import left_by_a_kill
from tests.service.store.made_up import later_schema
from tools.waiting import LIMIT_SECONDS

STATUSES = ("open", "running", "finished", "cancelled")


@pytest.fixture
def context(tmp_path: Path, pearls: None) -> Iterator[Context]:
    """The service on SQLite, where ``overland`` would have it."""
    (tmp_path / "var").mkdir()
    service = wired(tmp_path / "var", f"sqlite:///{tmp_path}/var/overland.sqlite")
    migrate(service.database)
    yield service
    service.close()


def invoked(data_dir: Path, *arguments: str, url: str = "") -> Result:
    return CliRunner().invoke(main, arguments, env={"OVERLAND_DATA_DIR": str(data_dir), "OVERLAND_DATABASE_URL": url})


def service_of(data_dir: Path) -> Context:
    return wired(data_dir, f"sqlite:///{data_dir}/overland.sqlite")


def test_a_backup_taken_under_writes_is_restored_elsewhere_checked_and_played_to_the_end(
    context: Context, tmp_path: Path
) -> None:
    tables = [started(context, "pearls", names=(f"Ada{number}", f"Bela{number}")) for number in range(3)]
    stop, failures = threading.Event(), list[BaseException]()

    def play(table: Round, luck: random.Random) -> None:
        """Turns of one table until it is over; then it is another's."""
        mine = restarted(context)
        try:
            while (
                not stop.is_set()
                and played_on(mine, table, luck, plies=lobby.find(mine, None, table.match.id).ply + 1).status
                == "running"
            ):
                pass
            stop.wait(LIMIT_SECONDS)
        except BaseException as error:
            failures.append(error)

    players = [
        threading.Thread(target=play, args=(table, random.Random(number))) for number, table in enumerate(tables)
    ]
    for player in players:
        player.start()
    made = [invoked(tmp_path / "var", "backup", str(tmp_path / f"backup-{number}.sqlite")) for number in range(4)]
    stop.set()
    for player in players:
        player.join(LIMIT_SECONDS)
    assert failures == []
    for number, result in enumerate(made):
        assert result.exit_code == 0, result.output
        assert f"backup-{number}.sqlite: 3 matches, " in result.stdout
        elsewhere = tmp_path / f"elsewhere-{number}"
        assert invoked(elsewhere, "restore", str(tmp_path / f"backup-{number}.sqlite")).exit_code == 0
        restored = service_of(elsewhere)
        assert [
            found.differences
            for match in match_ids(restored.database, STATUSES)
            if (found := check(restored.database, match))
        ] == [()] * 3
        judge_pending(restored)
        for table in tables:
            assert played_on(restored, table, random.Random(number)).status == "finished"
            record = match_record(restored, None, table.match.id)
            assert verify(record).plies == len(record.log)
        restored.close()


def test_a_turn_that_waited_and_the_notices_owed_are_in_the_backup(context: Context, tmp_path: Path) -> None:
    table = started(context, "pearls")
    turn = submit(context, table.players[0], table.match.id, None, 0, notation="dive")
    assert invoked(tmp_path / "var", "backup", str(tmp_path / "backup.sqlite")).exit_code == 0
    assert invoked(tmp_path / "elsewhere", "restore", str(tmp_path / "backup.sqlite")).exit_code == 0
    restored = service_of(tmp_path / "elsewhere")
    assert judge_pending(restored) == 1
    assert lookup.find(restored, table.players[0], table.match.id, turn.id).status == "accepted"
    past_the_delay(restored)
    deliver_due(restored)
    assert isinstance(restored.transport, Postbag)
    assert {notice.id for notice in notices(restored) if notice.status != "covered"} == {
        str(message["X-Overland-Notice"]) for message in restored.transport.messages
    }
    assert {notice.id for notice in notices(context)} <= {notice.id for notice in notices(restored)}
    restored.close()


def test_a_backup_is_one_file_for_its_owner_alone_and_overwrites_nothing(context: Context, tmp_path: Path) -> None:
    started(context, "pearls")
    folder = tmp_path / "backups"
    folder.mkdir()
    assert invoked(tmp_path / "var", "backup", str(folder / "one.sqlite")).exit_code == 0
    assert [path.name for path in folder.iterdir()] == ["one.sqlite"]
    assert stat.S_IMODE((folder / "one.sqlite").stat().st_mode) == 0o600
    before = (folder / "one.sqlite").read_bytes()
    again = invoked(tmp_path / "var", "backup", str(folder / "one.sqlite"))
    assert again.exit_code == 2
    assert "exists already, and a backup never overwrites anything." in again.stderr
    assert (folder / "one.sqlite").read_bytes() == before
    assert [path.name for path in folder.iterdir()] == ["one.sqlite"]


def test_a_backup_of_nothing_or_to_nowhere_is_refused(context: Context, tmp_path: Path) -> None:
    assert "There is no database" in invoked(tmp_path / "empty", "backup", str(tmp_path / "b.sqlite")).stderr
    nowhere = invoked(tmp_path / "var", "backup", str(tmp_path / "missing" / "b.sqlite"))
    assert nowhere.exit_code == 2
    assert nowhere.stderr.startswith("The backup could not be written: [Errno 2] No such file or directory: ")
    assert f"{tmp_path}/missing/" in nowhere.stderr


def test_a_database_that_is_locked_is_not_called_unsound(context: Context, tmp_path: Path) -> None:
    assert invoked(tmp_path / "var", "backup", str(tmp_path / "one.sqlite")).exit_code == 0
    assert invoked(tmp_path / "other", "restore", str(tmp_path / "one.sqlite")).exit_code == 0
    with closing(sqlite3.connect(tmp_path / "other" / "overland.sqlite")) as writing:
        writing.execute("BEGIN EXCLUSIVE")
        said = invoked(tmp_path / "other", "backup", str(tmp_path / "two.sqlite"))
    assert (said.exit_code, said.stderr) == (2, "The backup could not be written: database is locked.\n")
    assert not (tmp_path / "two.sqlite").exists()


def test_a_database_that_lacks_commits_is_not_backed_up_until_the_loss_is_accepted(tmp_path: Path) -> None:
    killed = left_by_a_kill(tmp_path / "var", "ada", "bela")
    with (killed.parent / "overland.sqlite-wal").open("r+b") as log:
        log.truncate(log.seek(0, 2) - 1)
    refused = invoked(tmp_path / "var", "backup", str(tmp_path / "backup.sqlite"))
    assert refused.exit_code == 2
    assert refused.stderr.startswith("The database lacks a commit that had been made to ")
    assert "overland accept-loss" in refused.stderr
    assert not (tmp_path / "backup.sqlite").exists()
    assert invoked(tmp_path / "var", "accept-loss").exit_code == 0
    assert invoked(tmp_path / "var", "backup", str(tmp_path / "backup.sqlite")).exit_code == 0


def test_nothing_is_restored_over_a_database_unless_it_is_put_aside(context: Context, tmp_path: Path) -> None:
    table = started(context, "pearls")
    invoked(tmp_path / "var", "backup", str(tmp_path / "backup.sqlite"))
    played(context, table.players[0], table.match.id, "dive")
    refused = invoked(tmp_path / "var", "restore", str(tmp_path / "backup.sqlite"))
    assert refused.exit_code == 2
    assert "There is a database already" in refused.stderr
    context.close()
    restored = invoked(tmp_path / "var", "restore", str(tmp_path / "backup.sqlite"), "--replace")
    assert restored.exit_code == 0, restored.output
    (aside,) = (tmp_path / "var").glob("overland.sqlite.before-*Z")
    assert restored.stdout.splitlines()[-1] == f"The database that was there is now {aside}."
    assert lobby.find(context, None, table.match.id).ply == 0
    was = wired(tmp_path, f"sqlite:///{aside}")
    assert lobby.find(was, None, table.match.id).ply == 2
    was.close()


def test_what_a_killed_one_left_behind_is_never_written_to(
    context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is killed tidies nothing up. In containers the next has the same process id."""
    table, database = started(context, "pearls"), tmp_path / "var" / "overland.sqlite"
    latest, monday, aside = (tmp_path / name for name in ("latest.sqlite", "monday.sqlite", "aside.sqlite"))
    with monkeypatch.context() as killed:
        killed.setattr(backups, "_remove", lambda draft: None)
        back_up(database, latest)
    latest.rename(monday)
    kept = monday.read_bytes()
    played(context, table.players[0], table.match.id, "dive")
    back_up(database, latest)
    assert monday.read_bytes() == kept
    context.close()
    with monkeypatch.context() as killed:
        killed.setattr(backups, "_remove", lambda draft: None)
        restore(latest, database, tmp_path / "first.sqlite")
    running = service_of(tmp_path / "var")
    ply = played_on(running, table, random.Random(1), plies=6).ply
    running.close()
    restore(monday, database, aside)
    was = wired(tmp_path, f"sqlite:///{aside}")
    assert lobby.find(was, None, table.match.id).ply == ply
    was.close()


def test_what_a_killed_one_left_behind_is_removed_by_the_next_and_what_another_writes_is_not(
    context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, kept = tmp_path / "var" / "overland.sqlite", tmp_path / "backups"
    kept.mkdir()
    ends = "from pathlib import Path; from service.store import backups\n"
    ends += "backups._sync = lambda path: os.kill(os.getpid(), 9)\n"
    child = f"import os\n{ends}backups.back_up(Path({str(database)!r}), Path({str(kept / 'monday.sqlite')!r}))"
    assert subprocess.run([sys.executable, "-c", child], check=False).returncode == -9
    (left,) = kept.iterdir()
    mine = {".mine.unfinished", ".mine.sqlite.1.unfinished.txt"}
    for name in (*mine, f"{left.name}-journal", ".sunday.sqlite.1.unfinished-journal"):
        (kept / name).touch()

    def meanwhile(source: Path, target: Path) -> None:
        monkeypatch.undo()
        back_up(database, kept / "other.sqlite")
        backups._copy(source, target)

    monkeypatch.setattr(backups, "_copy", meanwhile)
    back_up(database, kept / "wednesday.sqlite")
    assert {path.name for path in kept.iterdir()} == {"other.sqlite", "wednesday.sqlite", *mine}


def test_nothing_is_restored_while_a_service_holds_the_data_folder(context: Context, tmp_path: Path) -> None:
    invoked(tmp_path / "var", "backup", str(tmp_path / "backup.sqlite"))
    context.close()
    with exclusive(tmp_path / "var"):
        refused = invoked(tmp_path / "var", "restore", str(tmp_path / "backup.sqlite"), "--replace")
    assert refused.exit_code == 2
    assert "Overland is already running on" in refused.stderr
    assert refused.stderr.endswith("Stop it first.\n")
    assert list((tmp_path / "var").glob("*.before-*")) == []


def test_nothing_is_restored_while_a_program_has_the_database_open(context: Context, tmp_path: Path) -> None:
    table = started(context, "pearls")
    invoked(tmp_path / "var", "backup", str(tmp_path / "backup.sqlite"))
    with context.database.read():
        refused = invoked(tmp_path / "var", "restore", str(tmp_path / "backup.sqlite"), "--replace")
    assert refused.exit_code == 2
    assert "Stop every program of the service first." in refused.stderr
    assert lobby.find(context, None, table.match.id).status == "running"
    assert (
        sorted(path.name for path in (tmp_path / "var").iterdir() if "unfinished" in path.name or "before" in path.name)
        == []
    )


def test_a_log_without_its_database_is_not_taken_for_the_backups_own(context: Context, tmp_path: Path) -> None:
    invoked(tmp_path / "var", "backup", str(tmp_path / "backup.sqlite"))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "overland.sqlite-wal").write_bytes(b"of another database")
    refused = invoked(tmp_path / "elsewhere", "restore", str(tmp_path / "backup.sqlite"))
    assert refused.exit_code == 2
    assert "overland.sqlite-wal" in refused.stderr


def test_an_older_backup_is_brought_to_the_newest_version_and_a_newer_one_refused(
    context: Context, tmp_path: Path
) -> None:
    table = started(context, "pearls")
    context.close()
    back_up(tmp_path / "var" / "overland.sqlite", tmp_path / "old.sqlite")
    with later_schema(tmp_path / "versions"):
        assert invoked(tmp_path / "elsewhere", "restore", str(tmp_path / "old.sqlite")).exit_code == 0
        restored = service_of(tmp_path / "elsewhere")
        assert missing_migrations(restored.database) == ()
        assert played(restored, table.players[0], table.match.id, "dive").status == "accepted"
        restored.close()
    with closing(sqlite3.connect(tmp_path / "old.sqlite")) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    refused = invoked(tmp_path / "third", "restore", str(tmp_path / "old.sqlite"))
    assert refused.exit_code == 2
    sentence = "The backup is of a newer version than this code: it has the migration 9999. Install that version."
    assert refused.stderr == f"{sentence}\n"
    assert not (tmp_path / "third" / "overland.sqlite").exists()


def test_a_name_that_is_too_long_and_a_pipe_are_refused(context: Context, tmp_path: Path) -> None:
    said = invoked(context.settings.data_dir, "backup", str(tmp_path / ("b" * 300)))
    assert (said.exit_code, "The backup could not be written" in said.stderr) == (2, True)
    os.mkfifo(tmp_path / "pipe")
    said = invoked(tmp_path / "other", "restore", str(tmp_path / "pipe"))
    assert (said.exit_code, "pipe is no ordinary file, so it is no backup." in said.stderr) == (2, True)


@pytest.mark.parametrize("content", [b"not a database", b""])
def test_a_file_that_is_not_a_backup_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    refused = invoked(tmp_path / "var", "restore", str(tmp_path / "file"))
    assert refused.exit_code == 2
    assert "is not a" in refused.stderr
    assert not (tmp_path / "var" / "overland.sqlite").exists()


def test_a_damaged_backup_is_refused(context: Context, tmp_path: Path) -> None:
    with discovered():
        played_on(context, started(context, "pearls"), random.Random(1))
    invoked(tmp_path / "var", "backup", str(tmp_path / "backup.sqlite"))
    content = bytearray((tmp_path / "backup.sqlite").read_bytes())
    half = len(content) // 2
    content[half:] = bytes(len(content) - half)
    (tmp_path / "backup.sqlite").write_bytes(content)
    refused = invoked(tmp_path / "elsewhere", "restore", str(tmp_path / "backup.sqlite"))
    assert refused.exit_code == 2
    assert any(words in refused.stderr for words in ("is not a sound database", "could not be restored", "is damaged"))
    assert not (tmp_path / "elsewhere" / "overland.sqlite").exists()


@pytest.mark.parametrize("what", ["backup", "restore"])
def test_on_postgresql_the_tools_of_postgresql_are_named(tmp_path: Path, what: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    said = invoked(tmp_path / "var", what, str(tmp_path / "file"), url="postgresql://u:p@127.0.0.1:1/x")
    assert said.exit_code == 2
    assert "pg_dump and pg_restore" in said.stderr
