"""`overland maintenance`: on, off, status."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.cli import main
from service.commands import maintenance as command
from service.config import load
from service.context import Context
from service.inbox.conversation import rows_of
from service.store import maintenance as rows
from service.store import messages, outbox, tables
from service.store.database import Database
from service.store.leasing import LONGEST_LEASE, Leasing
from service.store.schema import migrate
from service.wiring import utc_now
from tests.service.commands.test_players import run as on_host
from tests.service.fakes import started

Run = Callable[..., Result]
STILL = "A worker has not ended what it began before: a mail, or the call of a webhook.\n"


@pytest.fixture
def database(tmp_path: Path) -> Database:
    database = Database(load({"OVERLAND_DATA_DIR": str(tmp_path)}).database_url)
    migrate(database)
    return database


@pytest.fixture
def run(tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(command, "QUIET_SECONDS", 0.0)
    return lambda *words: CliRunner().invoke(main, ["maintenance", *words], env={"OVERLAND_DATA_DIR": str(tmp_path)})


def test_a_maintenance_is_begun_shown_and_ended(run: Run) -> None:
    assert run("status").output == "There is no maintenance.\n"
    assert run("off").output == "There was no maintenance.\n"
    begun = run("on", "--sentence", "Back soon.", "--for", "30")
    assert (begun.exit_code, begun.stderr) == (0, "")
    assert begun.output.startswith("The maintenance has begun.")
    shown = run("status").output
    assert shown.startswith("In maintenance since ")
    assert ", expected until " in shown
    assert shown.endswith(" UTC. Back soon.\n")
    assert run("off").output.startswith("The maintenance has ended.")
    assert run("status").output == "There is no maintenance.\n"


def test_beginning_again_changes_the_sentence_and_not_the_time_of_the_beginning(run: Run, database: Database) -> None:
    run("on", "--for", "5")
    with database.read() as connection:
        first = rows.find(connection)
    run("on", "--sentence", "It takes longer.")
    with database.read() as connection:
        second = rows.find(connection)
    assert first is not None
    assert first.sentence == command.SENTENCE
    assert second == rows.Maintenance(first.since, None, "It takes longer.")


@pytest.mark.parametrize("sentence", ["", "two\nlines", "x" * 301])
def test_a_sentence_is_one_line(run: Run, sentence: str) -> None:
    refused = run("on", "--sentence", sentence)
    assert refused.exit_code == 2
    assert "one line of 1 to 300 characters" in refused.output
    assert run("status").output == "There is no maintenance.\n"


@pytest.mark.parametrize("lease", [None, outbox.LEASING, outbox.CALLING, messages.LEASING])
def test_what_a_worker_still_does_is_waited_for_and_told(
    context: Context, pearls: None, monkeypatch: pytest.MonkeyPatch, lease: Leasing | None
) -> None:
    monkeypatch.setattr(command, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(command, "LEASE_PATIENCE", -1.0)
    now = utc_now()
    monkeypatch.setattr("service.wiring.utc_now", lambda: now)
    started(context, "pearls")
    channel = "webhook" if lease is outbox.CALLING else "mail"
    with context.database.write() as connection:
        connection.execute(tables.outbox.update().values(status="pending", next_attempt_at=now, channel=channel))
        messages.add_all(connection, rows_of("127.0.0.1", "a@b.example", ["c@d.example"], b"From: a\n\nx"), now)
    if lease is not None:
        assert lease.lease_due(context.database, "worker", now, now + LONGEST_LEASE, 1, False)
    begun = on_host(context, "maintenance", "on")
    assert begun.stdout.startswith("The maintenance has begun.")
    assert begun.stderr == (STILL if lease else "")
