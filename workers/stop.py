"""The request to stop a worker process."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Final

STEP: Final = 0.5
"""Seconds after which a signal is noticed at the latest."""


class StopRequest:
    """Whether this process is to stop.

    A signal only leaves a note. Its handler runs in the main thread, which may hold the lock of the
    event just then, as it begins to wait, so the handler must not ask for that; and a signal that
    comes in the instant before a thread blocks is handled only when it runs again. So the main
    thread waits in steps, and tells the other threads.
    """

    def __init__(self) -> None:
        self._event = threading.Event()
        self._is_noted = False

    def listen(self) -> None:
        """Makes SIGTERM and SIGINT request the stop, of which the main thread has to ``wait``."""
        signal.signal(signal.SIGTERM, self._note)
        signal.signal(signal.SIGINT, self._note)

    def request(self) -> None:
        """Requests the stop; for any thread, and for no signal handler."""
        self._event.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Waits ``seconds``, or for ever, or until the stop is requested. Returns whether it is."""
        if seconds is not None:
            return self._event.wait(seconds)
        while not self._is_noted and not self._event.wait(STEP):
            pass
        self._event.set()
        return True

    def __bool__(self) -> bool:
        return self._is_noted or self._event.is_set()

    def _note(self, signum: int, frame: FrameType | None) -> None:
        self._is_noted = True
