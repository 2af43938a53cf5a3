"""Child processes that run a function for this process: code that hangs, crashes or uses up its
memory ends a child and nothing else.

A fork server, a process without threads and connections, forks the children, each for one role. A
child answers a batch of requests in one message. In shared memory it notes at which request it is,
so that the one that hangs or kills it is known, and whether it waits for another process, so that
it is not blamed for that one. SIGKILL ends a child that takes too long (``service.guard``), the
kernel one that uses too much processor time, and all children with their fork server, and that with
this process.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import resource
import select
import signal
import socket
import struct
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from multiprocessing.connection import Connection
from typing import Any, Final

from service.forks import fork
from service.warming import collect_seldom

Handler = Callable[[Any], Any]
"""Answers one request; both are pickled."""
Make = Callable[[], Handler]
"""Makes the handler in a new child."""

MOST_BYTES: Final = 2 * 1024**3  # the address space of a child, beyond which it gets a ``MemoryError``
KILLED_FIRST: Final = 500  # the kernel's preference (0 to 1000) to end a child when the machine runs out of memory
_EVENT: Final = struct.Struct("=ii")
"""What the fork server reports: a process id, and its wait status, or -1 where it has begun."""
_BEGUN: Final = -1
IDLE_SECONDS: Final = 30.0
OUT_OF_PROCESSOR_TIME: Final = signal.SIGPROF
"""What kills a child that has used more processor time than it may (``processor_time``)."""
NOT_BEGUN: Final = -1  # instead of the index of a request: the child has begun none of its batch


class Role(Enum):
    """What a child is for."""

    RULING = "ruling"
    TRYING = "trying"
    COMPOSING = "composing"
    HANDLING = "handling"
    CHOOSING = "choosing"
    CALLING = "calling"
    """Webhooks."""
    DRAWING = "drawing"
    """For mails."""
    SHOWING = "showing"
    """Draws for requests, behind those that answer them and judge turns."""


_ROLES: Final = tuple(Role)


class ChildDied(Exception):
    """A child has ended by itself; the message is its status. ``request`` is the 0-based index of
    that which it was at, or `NOT_BEGUN`; ``signal`` what killed it, if a signal did.
    """

    def __init__(self, request: int, reason: str, by: signal.Signals | None = None) -> None:
        self.request, self.signal = request, by
        super().__init__(reason)


class ForkServerDied(Exception):
    """The process that forks the children has ended."""


@dataclass(frozen=True, slots=True)
class Raised:
    """The answer to a request at which the handler raised an exception."""

    error: str
    trace: str


class ForkServer:
    """A process that forks children. It ends with the thread that made it. Thread-safe.

    It is a fork of this process, the ``part``, which must have no other thread and no connection.
    ``makes`` says what the children of a role do; ``lost`` is called when it is found to have
    ended.
    """

    def __init__(self, part: str, makes: Mapping[Role, Make], lost: Callable[[], object]) -> None:
        self._connection, theirs = socket.socketpair()
        with theirs:
            self._pid = fork(
                f"overland {part}: forking",
                lambda: _serve(theirs, part, makes),
                signal.SIGKILL,
                keep=(theirs.fileno(),),
            )
        self._lost = lost
        self._lock = threading.Lock()
        self._statuses: dict[int, int] = {}

    def child(self, role: Role) -> Child:
        """A new child. Raises ``ForkServerDied``."""
        ours, theirs = socket.socketpair()
        with tempfile.TemporaryFile() as note, theirs, self._lock:
            note.truncate(ctypes.sizeof(_Note))
            try:
                order = bytes([_ROLES.index(role)])
                socket.send_fds(self._connection, [order], [theirs.fileno(), note.fileno()])
                while (pid := self._read()) is None:
                    pass
            except ForkServerDied:
                ours.close()
                raise
            except OSError as error:
                ours.close()
                raise self._died(error) from error
            return Child(self, pid, Connection(ours.detach()), _note_in(note.fileno()))

    def ended(self, pid: int) -> tuple[str, signal.Signals | None]:
        """Waits for why a child has ended, as a clause, and what killed it, if a signal did."""
        with self._lock:
            try:
                while pid not in self._statuses:
                    self._read()
            except (ForkServerDied, OSError):
                return "its fork server has died", None
            code = os.waitstatus_to_exitcode(self._statuses.pop(pid))
        if code >= 0:
            return f"exit status {code}", None
        return f"killed by {signal.Signals(-code).name}", signal.Signals(-code)

    def close(self) -> None:
        """Ends the fork server and its children."""
        self._lost = lambda: None
        self._connection.close()
        with suppress(ChildProcessError):
            os.waitpid(self._pid, 0)

    def _read(self) -> int | None:
        """Reads one report. Returns the id of a child that has begun."""
        report = b""
        while len(report) < _EVENT.size:
            part = self._connection.recv(_EVENT.size - len(report))
            if not part:
                raise self._died("The fork server has ended.")
            report += part
        pid, status = _EVENT.unpack(report)
        if status == _BEGUN:
            return int(pid)
        self._statuses[pid] = status
        return None

    def _died(self, reason: object) -> ForkServerDied:
        self._lost()
        return ForkServerDied(str(reason))


class Child:
    """A child process, which works on one batch at a time. Not thread-safe."""

    def __init__(self, server: ForkServer, pid: int, connection: Connection, note: _Note) -> None:
        self.pid = pid
        self._server, self._connection, self._note = server, connection, note

    def send(self, requests: Sequence[Any], processor_seconds: float | None = None) -> None:
        """Sends a batch, with the processor time of each request. Raises ``ChildDied``."""
        self._note.at, self._note.stopped, self._note.waits = NOT_BEGUN, 0, 0
        try:
            self._connection.send((requests, processor_seconds))
        except OSError:
            raise self._died() from None

    def wait(self, seconds: float) -> Sequence[Any] | None:
        """The answers in order, ``Raised`` where the handler raised, fewer than requests after
        ``stop_after_this``; ``None`` where they are not there in ``seconds``. Raises ``ChildDied``.
        """
        try:
            if not self._connection.poll(seconds):
                return None
            answers: Sequence[Any] = self._connection.recv()
        except (EOFError, OSError):
            raise self._died() from None
        return answers

    @property
    def at(self) -> int:
        """The 0-based index of the request that the child is at, or `NOT_BEGUN`."""
        return self._note.at

    @property
    def waits(self) -> bool:
        """Whether the child waits for another process (``note_waiting``)."""
        return bool(self._note.waits)

    def starved(self) -> float:
        """The seconds that the child wanted a processor and had none; 0.0 where that is unknown."""
        try:
            with open(f"/proc/{self.pid}/schedstat") as counters:
                return int(counters.read().split()[1]) / 1e9
        except (OSError, IndexError, ValueError):
            return 0.0

    def stop_after_this(self) -> None:
        """Lets the child finish its present request, or the first, and answer without the rest."""
        self._note.stopped = 1

    def kill(self) -> None:
        """Ends the child at once."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        self._server.ended(self.pid)
        self._connection.close()

    def _died(self) -> ChildDied:
        self._connection.close()
        return ChildDied(self._note.at, *self._server.ended(self.pid))


class _Note(ctypes.Structure):
    """Shared with a child: at which request it is, whether it is to stop, whether it waits."""

    _fields_ = tuple((name, ctypes.c_int64) for name in ("at", "stopped", "waits"))
    at: int
    stopped: int
    waits: int


def _note_in(file: int) -> _Note:
    return _Note.from_buffer(mmap.mmap(file, ctypes.sizeof(_Note)))


_own_note: _Note | None = None
"""That of this process, if it is a child."""


def note_waiting(waits: bool) -> None:
    """Tells the parent of a child whether it waits for another process, such as a database."""
    if _own_note is not None:
        _own_note.waits = waits


@contextmanager
def processor_time(seconds: float | None) -> Iterator[None]:
    """Has the kernel kill this process where the block uses more processor time, also in code that
    handles no signals; its parent finds it out of time. An outer block goes on as before.
    """
    if seconds is None:
        yield
        return
    outer, _ = signal.getitimer(signal.ITIMER_PROF)
    most = min(seconds, outer or seconds)
    signal.setitimer(signal.ITIMER_PROF, most)
    try:
        yield
    finally:
        left, _ = signal.setitimer(signal.ITIMER_PROF, 0)
        if outer:
            signal.setitimer(signal.ITIMER_PROF, max(outer - (most - left), 0.001))


def _serve(connection: socket.socket, part: str, makes: Mapping[Role, Make]) -> None:
    """Forks a child for each message, and reports which begin and end, until the part has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all processes of a terminal
    woken, wake = os.pipe()
    for end in (woken, wake):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)  # SIG_DFL would not write to the pipe
    collect_seldom()  # the children also go on sharing this memory
    sources: list[socket.socket | int] = [connection, woken]
    while True:
        ready, _, _ = select.select(sources, [], [])
        if woken in ready:
            os.read(woken, 4096)
            _reap(connection)
        if connection in ready and not _forked(connection, part, makes):
            return


def _reap(connection: socket.socket) -> None:
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            connection.sendall(_EVENT.pack(*ended))


def _forked(connection: socket.socket, part: str, makes: Mapping[Role, Make]) -> bool:
    """Reads a message, and forks a child. Returns whether the part was there to send it."""
    try:
        message, files, _, _ = socket.recv_fds(connection, 1, 2)
    except ConnectionResetError:
        return False
    if not message:
        return False
    role = _ROLES[message[0]]
    work = Connection(files[0])
    pid = fork(
        f"overland {part}: {role.value}",
        lambda: _work(work, _note_in(files[1]), makes[role], None if role is Role.RULING else IDLE_SECONDS),
        signal.SIGKILL,
        keep=files,
    )
    connection.sendall(_EVENT.pack(pid, _BEGUN))
    work.close()
    os.close(files[1])
    return True


def _work(connection: Connection, note: _Note, make: Make, idle: float | None) -> None:
    """Answers batches until the parent closes the connection, or sends none in ``idle`` seconds."""
    global _own_note
    _own_note = note
    _limit_memory()
    handle = make()
    with suppress(EOFError, OSError):
        while connection.poll(idle):
            requests, processor_seconds = connection.recv()
            connection.send(_answers(requests, processor_seconds, note, handle))


def _answers(requests: Sequence[Any], processor_seconds: float | None, note: _Note, handle: Handler) -> list[Any]:
    answers: list[Any] = []
    for number, request in enumerate(requests):
        if number and note.stopped:
            break
        note.at, note.waits = number, 0
        try:
            with processor_time(processor_seconds):
                answers.append(handle(request))
        except Exception as error:
            answers.append(Raised(f"{type(error).__name__}: {error}", traceback.format_exc()))
    return answers


def _limit_memory() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = MOST_BYTES if hard == resource.RLIM_INFINITY else min(MOST_BYTES, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as preference:
        preference.write(str(KILLED_FIRST))
