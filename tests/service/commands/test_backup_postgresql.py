"""A backup of PostgreSQL by its own tools, as the manual has it: restored into another database,
checked, and played on.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.record import verify
from service.cli import main
from service.context import Context
from service.views.record import match_record
from tests import missing
from tests.service.fakes import played_on, started, wired


def tool(name: str) -> str:
    """A program of PostgreSQL, not older than the server: the one beside the server that the tests
    bring along, or the one of whoever gave another.
    """
    if not os.environ.get("TEST_POSTGRES_URL"):
        import pgserver  # the server that runs was made by it

        return str(Path(pgserver.__file__).parent / "pginstall" / "bin" / name)
    found = shutil.which(name)
    if found is None:
        missing.skip(f"Backups of PostgreSQL are not tested: {name} is not on the path.")
    return found


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_a_dump_of_a_running_match_is_restored_checked_and_played_to_the_end(
    context: Context, pearls: None, database_url: str, empty_postgresql: str, tmp_path: Path
) -> None:
    table = started(context, "pearls")
    played_on(context, table, random.Random(1), plies=8)
    run = {"check": True, "capture_output": True, "timeout": 120}
    dump = [tool("pg_dump"), "--format=custom", f"--file={tmp_path}/overland.dump", database_url]
    subprocess.run(dump, **run)  # type: ignore[call-overload]
    played_on(context, table, random.Random(2), plies=10)  # after the backup: lost with it
    subprocess.run(
        [
            tool("pg_restore"),
            "--exit-on-error",
            "--no-owner",
            f"--dbname={empty_postgresql}",
            f"{tmp_path}/overland.dump",
        ],
        **run,
    )  # type: ignore[call-overload]
    environ = {"OVERLAND_DATA_DIR": str(tmp_path / "var"), "OVERLAND_DATABASE_URL": empty_postgresql}
    assert CliRunner().invoke(main, ["migrate"], env=environ).exit_code == 0
    checked = CliRunner().invoke(main, ["matches", "check"], env=environ)
    assert (checked.exit_code, checked.stdout.endswith("No difference.\n")) == (0, True), checked.output
    restored = wired(tmp_path, empty_postgresql)
    assert played_on(restored, table, random.Random(3)).status == "finished"
    record = match_record(restored, None, table.match.id)
    assert verify(record).plies == len(record.log)
    restored.close()
