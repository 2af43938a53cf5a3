"""The request to stop a worker process."""

from __future__ import annotations

import signal
import threading
from types import FrameType


class StopRequest:
    """Whether this process is to stop."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def listen(self) -> None:
        """Makes SIGTERM and SIGINT request the stop."""
        signal.signal(signal.SIGTERM, self.request)
        signal.signal(signal.SIGINT, self.request)

    def request(self, signum: int = 0, frame: FrameType | None = None) -> None:
        """Requests the stop; may be used as a signal handler."""
        self._event.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Waits ``seconds``, or for ever, or until the stop is requested. Returns whether it is."""
        return self._event.wait(seconds)

    def __bool__(self) -> bool:
        return self._event.is_set()
