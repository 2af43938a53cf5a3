"""What processes cost is counted while they live."""

from __future__ import annotations

import subprocess
import sys

from tools.bench.costs import memory_bytes, processor_seconds


def test_a_process_costs_processor_time_and_memory_until_it_ends() -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", "x = sum(range(30_000_000)); print(x, flush=True); input()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert child.stdout is not None
    child.stdout.readline()
    assert processor_seconds([child.pid]) > 0
    assert memory_bytes([child.pid]) > 1_000_000
    assert memory_bytes([child.pid, child.pid]) > memory_bytes([child.pid])
    child.kill()
    child.wait()
    assert processor_seconds([child.pid]) == 0
    assert memory_bytes([child.pid]) == 0
