"""The request to stop a worker process."""

from __future__ import annotations

import _thread
import signal
import threading
from types import FrameType
from typing import Final

STEP: Final = 0.5
"""Seconds."""


class StopRequest:
    """Whether this process is to stop."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def listen(self) -> None:
        """Makes SIGTERM and SIGINT request the stop."""
        signal.signal(signal.SIGTERM, self.request)
        signal.signal(signal.SIGINT, self.request)

    def request(self, signum: int = 0, frame: FrameType | None = None) -> None:
        """Requests the stop; may be used as a signal handler.

        A handler runs in the main thread, which may hold the lock of the event just then, as it
        begins to wait: another thread, which can wait for that lock, sets it.
        """
        _thread.start_new_thread(self._event.set, ())

    def wait(self, seconds: float | None = None) -> bool:
        """Waits ``seconds``, or for ever, or until the stop is requested. Returns whether it is.

        For ever is in steps: a signal that comes in the instant before the main thread blocks is
        handled only when it runs again.
        """
        if seconds is not None:
            return self._event.wait(seconds)
        while not self._event.wait(STEP):
            pass
        return True

    def __bool__(self) -> bool:
        return self._event.is_set()
