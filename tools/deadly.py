"""What ends or stops a process, for games that go wrong on command."""

from __future__ import annotations

import os
import signal


def die() -> None:
    """Ends this process."""
    os.kill(os.getpid(), signal.SIGKILL)


def compute_for_hours() -> None:
    """Stays in C, where no signal handler runs."""
    pow(3, 10**10)
