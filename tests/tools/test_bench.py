"""The bench measures the whole way, on a service of its own, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine import registry
from service.context import Context
from service.matches import lobby
from service.turns.judge import judge
from service.turns.submit import submit
from tools.bench.costs import family, memory_bytes, processor_seconds
from tools.bench.load import Load, request
from tools.bench.measure import percentile
from tools.bench.scripts import add_match, add_players, write_script


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a short run prints."""
    folder = tmp_path_factory.mktemp("bench")
    command = [
        sys.executable,
        "-m",
        "service.cli",
        "bench",
        "--matches",
        "3",
        "--seconds",
        "1",
        "--api-processes",
        "1",
        "--profile",
        "--json",
    ]
    ended = subprocess.run(
        command, env={**os.environ, "TMPDIR": str(folder)}, capture_output=True, text=True, timeout=300, check=False
    )
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
    assert {"api", "worker", "sweeper", "valkey", "load", "all"} <= figures["processor_milliseconds_each"].keys()
    assert {"api", "worker", "sweeper", "valkey"} <= figures["memory_megabytes"].keys()


def test_both_yardsticks_are_measured_in_the_same_call(figures: dict[str, Any]) -> None:
    assert figures["echo"]["answers_per_second"] > 0
    assert figures["echo"]["faults"] == []
    assert figures["commits_per_second"] > 0


def test_the_profile_names_the_stages_of_a_turn_in_order(figures: dict[str, Any]) -> None:
    names = list(figures["stages"])
    assert (
        names.index("parsing the body")
        < names.index("committing the turn")
        < names.index("judging and telling")
        < names.index("announcing")
    )
    assert all(milliseconds > 0 for milliseconds in figures["stages"].values())


def test_a_script_is_a_whole_match_that_goes_the_same_way_when_it_is_posted(context: Context) -> None:
    game = registry.game("oregon")
    script = write_script(game, "bench0", random.Random(1))
    with context.database.write() as connection:
        seated = add_players(connection, 2, context.clock())
        add_match(connection, game, script, [each.player for each in seated], context.clock())
    for turn in script.turns:
        submitted = submit(context, seated[turn.seat].player, "bench0", turn.seat, turn.ply, actions=turn.actions)
        assert judge(context, submitted.id).status == "accepted"
    assert lobby.find(context, None, "bench0").status == "finished"


def test_a_request_is_plain_http() -> None:
    assert request("/v1/x", "ovl_t", b'{"ply":1}', wait=5) == (
        b"POST /v1/x HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ovl_t\r\nContent-Type: application/json\r\n"
        b'Content-Length: 9\r\nPrefer: wait=5\r\n\r\n{"ply":1}'
    )


def test_only_answers_within_the_measured_time_count() -> None:
    load = Load(answers=[(1.0, 0.5), (2.0, 0.3), (2.5, 0.1), (3.0, 0.9)])
    assert load.within(2.0, 3.0) == [0.1, 0.3]


@pytest.mark.parametrize(("share", "value"), [(0.5, 51), (0.95, 96), (0.99, 100), (1.0, 100)])
def test_a_percentile_is_a_value_that_was_measured(share: float, value: int) -> None:
    assert percentile(list(range(1, 101)), share) == value


@pytest.mark.skipif(
    not Path("/proc/self/smaps_rollup").exists(), reason="the costs of processes are read as Linux tells them"
)
def test_the_costs_of_a_process_are_those_of_its_family() -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", "x = sum(range(30_000_000)); print(x, flush=True); input()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert child.stdout is not None
    child.stdout.readline()
    assert child.pid in family(os.getpid())
    assert processor_seconds([child.pid]) > 0
    assert memory_bytes([child.pid]) > 1_000_000
    child.kill()
    child.wait()
    assert processor_seconds([child.pid]) == 0
