"""Arguments that no command can use: each is refused with a sentence and status 2."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.cli import main


@pytest.fixture
def folder(tmp_path: Path, sqlite_template: Path) -> Path:
    shutil.copy(sqlite_template, tmp_path)
    return tmp_path


def run(folder: Path, *arguments: str) -> Result:
    result = CliRunner().invoke(main, arguments, env={"OVERLAND_DATA_DIR": str(folder)})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.mark.parametrize(
    "command",
    [
        "players show",
        "players list",
        "audit --player",
        "reports show",
        "inbox delete",
        "outbox retry",
        "turns retry",
        "aside retry clocks",
        "matches check",
        "players suspend Ann --reason",
        "backup",
    ],
)
def test_an_argument_that_is_not_utf_8_is_refused(folder: Path, command: str) -> None:
    said = run(folder, *command.split(), b"M\xfcller".decode("utf-8", "surrogateescape"))
    assert said.exit_code == 2
    assert r"'M\udcfcller' is not text in UTF-8." in said.stderr


@pytest.mark.parametrize(
    "command", ["verify", "restore", "components check", "ledger --submitted", "ledger --received"]
)
@pytest.mark.parametrize(("name", "why"), [("missing", "does not exist."), ("", "is a directory.")])
def test_a_file_that_cannot_be_read_is_refused(folder: Path, command: str, name: str, why: str) -> None:
    said = run(folder, *command.split(), str(folder / name))
    assert (said.exit_code, said.stderr.endswith(f"File '{folder / name}' {why}\n")) == (2, True), said.stderr
