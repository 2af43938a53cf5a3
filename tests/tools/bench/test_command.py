"""The bench measures turns end to end, on a service of its own, and leaves nothing behind."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tools.bench.profile import STAGES
from tools.launch import environment, overland

pytestmark = pytest.mark.deep


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a short run prints."""
    folder = tmp_path_factory.mktemp("bench")
    options = ("--matches", "1", "--seconds", "1", "--api-processes", "1", "--profile", "--json")
    ended = overland("bench", *options, environ=environment(folder, TMPDIR=str(folder)))
    assert ended.returncode == 0, ended.stderr + ended.stdout
    assert list(folder.iterdir()) == []
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


def test_every_turn_of_the_load_is_accepted_and_counted(figures: dict[str, Any]) -> None:
    assert figures["counted"] > 0
    assert figures["turns_per_second"] > 0
    assert figures["faults"] == []


def test_the_figures_name_percentiles_processor_time_and_memory_of_every_kind_of_process(
    figures: dict[str, Any],
) -> None:
    assert 0 < figures["milliseconds"]["p50"] <= figures["milliseconds"]["p95"] <= figures["milliseconds"]["p99"]
    assert {"api", "turns", "sweeper", "valkey", "load", "all"} <= figures["processor_milliseconds_each"].keys()
    assert {"api", "turns", "sweeper", "valkey"} <= figures["memory_megabytes"].keys()


def test_echo_and_commits_are_measured_in_the_same_call(figures: dict[str, Any]) -> None:
    assert figures["echo"]["answers_per_second"] > 0
    assert figures["echo"]["faults"] == []
    assert figures["commits_per_second"] > 0


def test_the_profile_names_the_stages_of_a_turn_in_order(figures: dict[str, Any]) -> None:
    waited_for = "looking for the verdict"  # these requests do not wait
    assert list(figures["stages"])[1:-1] == [name for name, _, _ in STAGES if name != waited_for]
    assert all(milliseconds > 0 for milliseconds in figures["stages"].values())
