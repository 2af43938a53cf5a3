"""The request to stop a process, which a signal makes at any moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from workers.stop import StopRequest

SIGNALLED = """
import random, signal
from workers import stop as stops

luck, stops.STEP = random.Random(1), 0.001
for _ in range(2000):
    stop = stops.StopRequest()
    stop.listen()
    signal.signal(signal.SIGALRM, signal.getsignal(signal.SIGTERM))
    signal.setitimer(signal.ITIMER_REAL, luck.uniform(1e-6, 1e-3))
    assert stop.wait()
    assert stop.wait(0)
    assert stop
"""


@pytest.mark.usefixtures("own_handlers")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_requests_the_stop(number: signal.Signals) -> None:
    stop = StopRequest()
    stop.listen()
    assert not stop
    os.kill(os.getpid(), number)
    assert stop
    assert stop.wait()
    assert stop.wait(0)


@pytest.mark.deep
def test_a_signal_that_comes_as_the_wait_begins_stops_the_process_as_any_other() -> None:
    """Where the handler took the lock itself, or the wait was one, these rounds never ended."""
    subprocess.run([sys.executable, "-c", SIGNALLED], check=True, timeout=300)
