"""The soak itself, for as long as a test may take."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.launch import environment, overland

pytestmark = pytest.mark.deep


def test_a_short_soak_loses_nothing_ends_by_itself_and_says_so(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    first = ("a turn that kills its judge",)
    options = ("--minutes", "0.2", "--matches", "2", "--pace", "1.5", "--seed", "short", "--json", str(report))
    wanted = (word for name in first for word in ("--first", name))
    ended = overland("soak", *options, *wanted, environ=environment(tmp_path, TMPDIR=str(tmp_path)))
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "Nothing was lost, nothing happened twice." in ended.stdout
    found = json.loads(report.read_text())
    assert found["sound"]
    assert found["lost"] == found["double"] == 0
    assert found["turns"] > 0
    assert set(first) <= set(found["faults"])
    notices = found["notices"]
    assert notices["delivered"] > 0
    assert notices["delivered"] + notices["covered"] == notices["owed"]
    assert {"api", "turns", "workers", "valkey"} <= set(found["memory"])
    assert list(tmp_path.glob("overland-soak-*")) == []


def test_a_soak_says_how_long_it_may_be(tmp_path: Path) -> None:
    ended = overland("soak", "--minutes", "0", environ=environment(tmp_path))
    assert ended.returncode == 2
    assert "minutes" in ended.stderr
