"""Fixtures for the tests of processes."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture
def own_handlers() -> Iterator[None]:
    """The test may handle the signals that stop a process; afterwards all is as it was."""
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    yield
    signal.set_wakeup_fd(-1)
    for each, handler in before.items():
        signal.signal(each, handler)
