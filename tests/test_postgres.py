"""The PostgreSQL of the tests starts on a machine whose PATH names no folder of system programs."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path

import psycopg
import pytest

from tests import missing
from tests.postgres import postgres_or_skip, system_path

BARE_PATH = "/usr/local/bin:/usr/bin:/bin"


@pytest.mark.filterwarnings("ignore:XDG_RUNTIME_DIR")
def test_with_a_bare_path_the_system_user_is_made_and_the_server_starts_stops_and_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if importlib.util.find_spec("pgserver") is None:
        missing.skip("PostgreSQL is not tested: take a Python for which there is a pgserver.")
    from pgserver import postgres_server, utils

    monkeypatch.setenv("PATH", BARE_PATH)
    found: list[str | None] = []

    def ensure_user_exists(name: str) -> None:
        found.append(shutil.which("useradd"))
        utils.ensure_user_exists(name)

    monkeypatch.setattr(postgres_server, "ensure_user_exists", ensure_user_exists)
    with postgres_or_skip() as server:
        for mode in ("fast", "immediate"):
            with psycopg.connect(server.url) as connection:
                assert connection.execute("SELECT 1").fetchone() == (1,)
            server.stop(mode)
            server.start()
    assert os.environ["PATH"] == BARE_PATH
    assert all(found)
    assert len(found) == (1 if os.geteuid() == 0 else 0)


def test_programs_of_the_system_are_found_after_all_others(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with system_path():
        assert os.environ["PATH"] == f"{tmp_path}:/usr/sbin:/sbin"
    assert os.environ["PATH"] == str(tmp_path)
    monkeypatch.setenv("PATH", "/sbin:/bin")
    with system_path():
        assert os.environ["PATH"] == "/sbin:/bin:/usr/sbin"
