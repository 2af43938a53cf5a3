"""The groups of commands that list something do so without a command."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from service.cli import main


@pytest.mark.parametrize("group", ["turns", "outbox", "inbox", "game", "players", "reports", "outage"])
def test_a_group_without_a_command_lists(group: str, tmp_path: Path, sqlite_template: Path) -> None:
    shutil.copy(sqlite_template, tmp_path)
    environ = {"OVERLAND_DATA_DIR": str(tmp_path)}
    alone, listed = (CliRunner().invoke(main, [group, *more], env=environ) for more in ((), ("list",)))
    assert alone.exit_code == 0, alone.output
    assert alone.output == listed.output != ""
    assert "Usage" not in alone.output
