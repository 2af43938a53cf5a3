"""The request to stop a process, which a signal makes at any moment."""

from __future__ import annotations

import subprocess
import sys

SIGNALLED = """
import random, signal
from workers.stop import StopRequest

luck = random.Random(1)
for _ in range(400):
    stop = StopRequest()
    signal.signal(signal.SIGALRM, stop.request)
    signal.setitimer(signal.ITIMER_REAL, luck.uniform(1e-6, 6e-5))
    assert stop.wait()
    assert stop
"""


def test_a_signal_that_comes_as_the_wait_begins_stops_the_process_as_any_other() -> None:
    """Where the handler took the lock itself, or the wait was one, these rounds never ended."""
    subprocess.run([sys.executable, "-c", SIGNALLED], check=True, timeout=300)
