"""The bench of readers: turns are compared beside requests and streams that do wait."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from tools.bench.readers import bench_readers

pytestmark = pytest.mark.deep


def test_turns_are_compared_beside_readers_that_all_wait() -> None:
    options = "--waiting 12 --streams 6 --rounds 1 --matches 2 --seconds 0.5".split()
    ended = CliRunner().invoke(bench_readers, options, catch_exceptions=False)
    assert ended.exit_code == 0, ended.output
    figures = json.loads(ended.stdout)
    assert (figures["waiting"], figures["streams"], figures["faults"]) == (12, 6, [])
    for name in ("turns_per_second", "median_milliseconds", "api_megabytes", "all_megabytes"):
        assert all(figures[name][each] > 0 for each in ("without", "with", "ratio")), figures
