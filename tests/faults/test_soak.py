"""The soak itself, for as long as a test may take."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.e2e.running import overland

ROOT = Path(__file__).parent.parent.parent


def test_a_short_soak_loses_nothing_ends_by_itself_and_says_so(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
    said = overland(
        "soak",
        "--minutes",
        "0.2",
        "--matches",
        "2",
        "--pace",
        "0.5",
        "--seed",
        "short",
        "--json",
        str(report),
        environ=environ,
        seconds=400,
    )
    assert said.returncode == 0, said.stdout + said.stderr
    assert "Nothing is lost, nothing happened twice." in said.stdout
    found = json.loads(report.read_text())
    assert found["sound"]
    assert found["lost"] == found["double"] == 0
    assert found["turns"] > 0
    assert sum(found["faults"].values()) > 0
    assert found["notices"]["delivered"] == found["notices"]["owed"] > 0
    assert {"api", "turns", "notices", "sweeper", "valkey"} <= set(found["memory"])
    assert list(tmp_path.glob("overland-soak-*")) == []


def test_a_soak_says_how_long_it_may_be(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "service.cli", "soak", "--minutes", "0"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "minutes" in done.stderr
