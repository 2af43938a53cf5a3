"""Writes lines to the standard output without ever waiting for its reader, which would otherwise
stop every process that logs, and with it every request (``| less``, Ctrl-S). What cannot be written
now is kept, up to a limit; further lines are dropped, and then a line says how many.
"""

from __future__ import annotations

import os
import select
import socket
import stat
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from service import parts

LIMIT: Final = 1024 * 1024  # bytes that are kept for a reader that stalls
FLUSH_WAITS: Final = 20
WAIT_MILLISECONDS: Final = 100


class Output:
    """The output of this process to a file descriptor, for all its threads. ``dropped`` makes the
    line about lines that were dropped, from their number. In the ``background`` a thread writes
    what is kept as soon as the reader goes on; otherwise ``pump`` has to be called.
    """

    _size: int
    _dropped: int

    def __init__(
        self, handle: int, dropped: Callable[[int], str], *, background: bool = True, limit: int = LIMIT
    ) -> None:
        self._handle, self._dropped_line, self._background, self._limit = handle, dropped, background, limit
        self._target: _Target | None = None
        self._begin()

    def write(self, line: str) -> None:
        """Writes a line now or later, or drops it."""
        if self._pid != os.getpid():
            self._begin()  # what was kept belongs to the parent process
        whole = line.encode(errors="backslashreplace") + b"\n"
        with self._lock:
            if not self._kept and not self._dropped:
                rest = self._attempt(whole)
                if rest:
                    self._keep(rest)
                    self._drain_in_background()
            elif self._dropped or self._size + len(whole) > self._limit:
                self._dropped += 1
            else:
                self._keep(whole)

    def pump(self) -> bool:
        """Writes what is kept as far as possible now. Returns whether nothing is left."""
        with self._lock:
            while self._kept or self._dropped:
                if not self._kept:
                    self._keep(self._dropped_line(self._dropped).encode() + b"\n")
                    self._dropped = 0
                line = self._kept.popleft()
                rest = self._attempt(line)
                self._size -= len(line) - len(rest)
                if rest:
                    self._kept.appendleft(rest)
                    return False
            self._draining = False
            return True

    def flush(self) -> None:
        """Writes what is kept; gives up after two seconds in which nothing is read."""
        if self._pid != os.getpid():
            return
        for _ in range(FLUSH_WAITS):
            if self.pump():
                return
            self._wait(WAIT_MILLISECONDS)

    def _begin(self) -> None:
        self._lock = threading.RLock()
        self._kept: deque[bytes] = deque()
        self._size = self._dropped = 0
        self._draining = False
        self._pid = os.getpid()

    def _keep(self, data: bytes) -> None:
        self._kept.append(data)
        self._size += len(data)

    def _attempt(self, data: bytes) -> bytes:
        """Writes what can be written now; gives the rest: nothing where the output is closed."""
        try:
            if self._target is None:
                self._target = _target(self._handle)
            return data[self._target.write(data) :]
        except BlockingIOError:
            return data
        except OSError:
            return b""

    def _drain_in_background(self) -> None:
        if self._background and not self._draining:
            self._draining = True
            parts.start(parts.Part.OUTPUT, self._drain)

    def _drain(self) -> None:
        pause = threading.Event()
        while not self.pump():
            self._wait(None)
            pause.wait(WAIT_MILLISECONDS / 1000)  # there may be room, but too little for a line

    def _wait(self, milliseconds: int | None) -> None:
        """Returns when there is room, or after that time."""
        assert self._target is not None
        room = select.poll()
        room.register(self._target.handle, select.POLLOUT)
        room.poll(milliseconds)


@dataclass(frozen=True, slots=True)
class _Target:
    handle: int
    write: Callable[[bytes], int]


def _target(handle: int) -> _Target:
    """How to write to a file descriptor without waiting: ``write`` raises ``BlockingIOError``.

    ``O_NONBLOCK`` would hold for every process that shares the descriptor, also for the shell, so a
    pipe or terminal is opened once more. Where that is not possible, there is a look before each
    write, after which another process may still take the room. Files do not stall.
    """
    kind = os.fstat(handle).st_mode
    if stat.S_ISSOCK(kind):
        return _Target(handle, partial(_send, socket.socket(fileno=os.dup(handle))))
    if not stat.S_ISFIFO(kind) and not os.isatty(handle):
        return _Target(handle, partial(os.write, handle))
    try:
        own = os.open(f"/proc/self/fd/{handle}", os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return _Target(handle, partial(_write_if_room, handle))
    return _Target(own, partial(os.write, own))


def _send(connection: socket.socket, data: bytes) -> int:
    return connection.send(data, socket.MSG_DONTWAIT)


def _write_if_room(handle: int, data: bytes) -> int:
    _, writable, _ = select.select((), (handle,), (), 0)
    if not writable:
        raise BlockingIOError
    return os.write(handle, data[: select.PIPE_BUF])
