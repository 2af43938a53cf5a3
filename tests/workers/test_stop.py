"""The request to stop a process, which a signal makes at any moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import pytest

from workers.stop import StopRequest

SIGNALLED = """
import random, signal, sys
from workers.stop import StopRequest

luck = random.Random(int(sys.argv[1]))
for _ in range(400):  # each has a pipe
    stop = StopRequest()
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
    for seed in range(5):
        subprocess.run([sys.executable, "-c", SIGNALLED, str(seed)], check=True, timeout=300)


@pytest.mark.usefixtures("own_handlers")
def test_another_thread_ends_the_wait_of_the_main_one() -> None:
    stop = StopRequest()
    stop.listen()
    thread = threading.Timer(0.05, stop.request)
    thread.start()
    assert stop.wait()
    thread.join()
