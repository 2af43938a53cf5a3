"""``overland ledger``, where the database or a file cannot be read."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.cli import main


def run(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, env={"OVERLAND_DATA_DIR": str(folder)})


@pytest.mark.parametrize("option", ["--received", "--submitted"])
def test_a_file_that_is_not_utf_8_is_no_breach(tmp_path: Path, sqlite_template: Path, option: str) -> None:
    shutil.copy(sqlite_template, tmp_path)
    file = tmp_path / "binary"
    file.write_bytes(b"t-1\n\xff\xfe")
    said = run(tmp_path, "ledger", option, str(file))
    assert (said.exit_code, said.stderr) == (2, f"{file} is not text in UTF-8: byte 4 cannot be read.\n")


def test_the_ledger_of_a_database_that_is_missing_makes_none(tmp_path: Path) -> None:
    said = run(tmp_path, "ledger")
    assert said.exit_code == 2
    assert "There is no database:" in said.stderr
    assert not (tmp_path / "overland.sqlite").exists()
    (tmp_path / "overland.sqlite-mark").write_text("0000000007\n")
    lost = run(tmp_path, "ledger")
    assert lost.exit_code == 1
    assert "BREACH commits_lost: The database is missing" in lost.stdout
    assert not (tmp_path / "overland.sqlite").exists()
