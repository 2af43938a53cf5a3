"""The request to stop a worker process."""

from __future__ import annotations

import os
import select
import signal
import threading
from types import FrameType


class StopRequest:
    """Whether this process is to stop.

    A signal only leaves a note. Its handler runs in the main thread, which may hold the lock of the
    event just then, so the handler must not ask for that; and a signal that comes in the instant
    before a thread blocks is handled only when it runs again. So the main thread waits for a pipe,
    into which Python writes a byte as soon as a signal is there, and tells the other threads.
    """

    def __init__(self) -> None:
        self._event = threading.Event()
        self._is_noted = False
        self._woken: tuple[int, int] | None = None

    def listen(self) -> None:
        """Makes SIGTERM and SIGINT request the stop, of which the main thread has to ``wait``."""
        self._woken = os.pipe()
        os.set_blocking(self._woken[1], False)
        signal.set_wakeup_fd(self._woken[1], warn_on_full_buffer=False)
        signal.signal(signal.SIGTERM, self._note)
        signal.signal(signal.SIGINT, self._note)

    def request(self) -> None:
        """Requests the stop; for any thread, and for no signal handler."""
        self._event.set()
        if self._woken is not None:
            os.write(self._woken[1], b"\0")

    def wait(self, seconds: float | None = None) -> bool:
        """Waits ``seconds``, or for ever, or until the stop is requested. Returns whether it is."""
        if seconds is not None or self._woken is None:
            return self._event.wait(seconds)
        while not self:
            select.select([self._woken[0]], [], [])
            os.read(self._woken[0], 1)
        self._event.set()
        return True

    def __bool__(self) -> bool:
        return self._is_noted or self._event.is_set()

    def _note(self, signum: int, frame: FrameType | None) -> None:
        self._is_noted = True
