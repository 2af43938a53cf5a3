"""Child processes that run a function for this process: code that hangs, crashes or uses up its
memory ends a child and nothing else.

1. A fork server, a process without threads and connections, forks the children. It is forked from
   this process while that has none either (``ForkServer.forked``), or started as a new interpreter
   (``ForkServer.started``).
2. A child is sent a batch of requests and answers all of them in one message. Meanwhile it notes in
   shared memory at which request it is, so that the request that hangs or kills it is known, and
   whether it waits for another process, so that it is not blamed for that one.
3. A child that takes too long is killed (``service.guard``): SIGKILL also ends code that handles no
   signals. One that uses more processor time than it may is killed by the kernel.
4. The kernel kills the children with their fork server, and the fork server with this process, so
   none is left behind, whatever it does.
"""

from __future__ import annotations

import ctypes
import importlib
import mmap
import os
import resource
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Final

from service.garbage import collect_seldom

Handler = Callable[[Any], Any]
"""Answers one request; both are pickled."""
Make = Callable[[], Handler]
"""Makes the handler in a new child."""

MOST_BYTES: Final = 2 * 1024**3
"""The address space of a child, beyond which it gets a ``MemoryError``."""
KILLED_FIRST: Final = 500
"""The kernel's preference (0 to 1000) to end a child when the machine runs out of memory."""
_PR_SET_PDEATHSIG: Final = 1
_EVENT: Final = struct.Struct("=ii")
"""What the fork server reports: a process id, and its wait status, or -1 where it has begun."""
_BEGUN: Final = -1
OUT_OF_PROCESSOR_TIME: Final = signal.SIGPROF
"""What kills a child that has used more processor time than it may (``processor_time``)."""
NOT_BEGUN: Final = -1
"""Instead of the index of a request: the child has begun none of its batch."""
_NOTE_BYTES: Final = 24


class ChildDied(Exception):
    """A child has ended by itself; the message is its status. ``request`` is the 0-based index of
    the request that it was at, or `NOT_BEGUN`; ``signal`` what killed it, if a signal did.
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
    """A process that forks children. It ends with the process that made it."""

    def __init__(self, connection: socket.socket, pid: int) -> None:
        self._connection = connection
        self._pid = pid
        self._statuses: dict[int, int] = {}

    @classmethod
    def forked(cls, make: Make) -> ForkServer:
        """A fork of this process, which must have no other thread and no connections yet."""
        ours, theirs = socket.socketpair()
        parent, pid = os.getpid(), os.fork()
        if pid == 0:
            ours.close()
            _serve(theirs, make, parent)
        theirs.close()
        return cls(ours, pid)

    @classmethod
    def started(cls, make: str) -> ForkServer:
        """A new interpreter; ``make`` is the name of a function, as ``module:function``."""
        ours, theirs = socket.socketpair()
        begin = f"from service.children import serve; serve({theirs.fileno()}, {make!r}, {os.getpid()})"
        pid = subprocess.Popen(
            [sys.executable, "-c", begin],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            stdin=subprocess.DEVNULL,
            pass_fds=(theirs.fileno(),),
        ).pid
        theirs.close()
        return cls(ours, pid)

    def child(self) -> Child:
        """A new child. Raises ``ForkServerDied``."""
        ours, theirs = socket.socketpair()
        with _shared_memory() as note, theirs:
            try:
                socket.send_fds(self._connection, [b"f"], [theirs.fileno(), note.fileno()])
                pid = self._begun()
            except OSError as error:
                ours.close()
                raise ForkServerDied(str(error)) from error
            return Child(self, pid, Connection(ours.detach()), _Note(note.fileno()))

    def ended(self, pid: int) -> tuple[str, signal.Signals | None]:
        """Why a child has ended, as a clause, and what killed it, if a signal did. Waits until the
        fork server knows.
        """
        try:
            while pid not in self._statuses:
                self._read()
        except ForkServerDied:
            return "its fork server has died", None
        code = os.waitstatus_to_exitcode(self._statuses.pop(pid))
        if code >= 0:
            return f"exit status {code}", None
        return f"killed by {signal.Signals(-code).name}", signal.Signals(-code)

    def close(self) -> None:
        """Ends the fork server and its children."""
        self._connection.close()
        with suppress(ChildProcessError):
            os.waitpid(self._pid, 0)

    def _begun(self) -> int:
        while (pid := self._read()) is None:
            pass
        return pid

    def _read(self) -> int | None:
        """Reads one report. Returns the id of a child that has begun."""
        report = b""
        while len(report) < _EVENT.size:
            part = self._connection.recv(_EVENT.size - len(report))
            if not part:
                raise ForkServerDied("The fork server has ended.")
            report += part
        pid, status = _EVENT.unpack(report)
        if status == _BEGUN:
            return int(pid)
        self._statuses[pid] = status
        return None


def serve(file: int, make: str, parent: int) -> None:
    """Runs the fork server that ``ForkServer.started`` has started. Never returns."""
    module, _, name = make.partition(":")
    _serve(socket.socket(fileno=file), getattr(importlib.import_module(module), name), parent)


class Child:
    """A child process, which works on one batch at a time. Not thread-safe."""

    def __init__(self, server: ForkServer, pid: int, connection: Connection, note: _Note) -> None:
        self.pid = pid
        self._server = server
        self._connection = connection
        self._note = note

    def send(self, requests: Sequence[Any], processor_seconds: float | None = None) -> None:
        """Sends a batch, each request of which may use so much processor time. Raises
        ``ChildDied``.
        """
        self._note.reset()
        try:
            self._connection.send((requests, processor_seconds))
        except OSError:
            raise self._died() from None

    def wait(self, seconds: float) -> Sequence[Any] | None:
        """The answers to the batch, in order, ``Raised`` where the handler raised; ``None`` where
        they have not come after ``seconds``.

        There are fewer than requests where ``stop_after_this`` was called. Raises ``ChildDied``.
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
        return self._note.waits

    def starved(self) -> float:
        """The seconds in which the child could have run but had no processor, since it began; 0.0
        where the system does not tell.
        """
        try:
            with open(f"/proc/{self.pid}/schedstat") as counters:
                return int(counters.read().split()[1]) / 1e9
        except (OSError, IndexError, ValueError):
            return 0.0

    def stop_after_this(self) -> None:
        """Lets the child finish its present request, or the first, and answer without the rest."""
        self._note.stop()

    def kill(self) -> None:
        """Ends the child at once."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        self._server.ended(self.pid)
        self._connection.close()

    def _died(self) -> ChildDied:
        self._connection.close()
        return ChildDied(self._note.at, *self._server.ended(self.pid))


class _Note:
    """Three numbers in memory that a child shares with its parent: at which request it is, whether
    it is to stop after that one, and whether it waits for another process.
    """

    def __init__(self, file: int) -> None:
        self._numbers = memoryview(mmap.mmap(file, _NOTE_BYTES)).cast("q")

    @property
    def at(self) -> int:
        return int(self._numbers[0])

    @property
    def stopped(self) -> bool:
        return bool(self._numbers[1])

    @property
    def waits(self) -> bool:
        return bool(self._numbers[2])

    def begin(self, request: int) -> None:
        self._numbers[0], self._numbers[2] = request, 0

    def stop(self) -> None:
        self._numbers[1] = 1

    def wait(self, waits: bool) -> None:
        self._numbers[2] = waits

    def reset(self) -> None:
        self._numbers[0], self._numbers[1], self._numbers[2] = NOT_BEGUN, 0, 0


_own_note: _Note | None = None
"""That of this process, if it is a child."""


def note_waiting(waits: bool) -> None:
    """Tells the parent of a child whether it waits for another process, such as a database."""
    if _own_note is not None:
        _own_note.wait(waits)


@contextmanager
def processor_time(seconds: float | None) -> Iterator[None]:
    """Has the kernel kill this process where the block uses more processor time, also in code that
    handles no signals. An outer block goes on as before. For children: their parent finds them out
    of time.
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


def _shared_memory() -> Any:
    """A file without a name, as long as a note."""
    file = tempfile.TemporaryFile()  # noqa: SIM115  # the caller closes it
    file.truncate(_NOTE_BYTES)
    return file


def _serve(connection: socket.socket, make: Make, parent: int) -> None:
    """Forks a child for each message, and reports when children begin and end. Never returns."""
    _die_with(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all processes of a terminal
    signal.signal(signal.SIGTERM, signal.SIG_DFL)

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
        if connection in ready:
            _fork(connection, make, (woken, wake))


def _reap(connection: socket.socket) -> None:
    """Reports the children that have ended."""
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            connection.sendall(_EVENT.pack(*ended))


def _fork(connection: socket.socket, make: Make, pipe: tuple[int, int]) -> None:
    """Reads a message, and forks a child; ends this process where the parent has ended."""
    try:
        message, files, _, _ = socket.recv_fds(connection, 1, 2)
    except ConnectionResetError:
        message = b""
    if not message:
        os._exit(0)
    server, pid = os.getpid(), os.fork()
    if pid == 0:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        connection.close()
        for end in pipe:
            os.close(end)
        _work(Connection(files[0]), _Note(files[1]), make, server)
    connection.sendall(_EVENT.pack(pid, _BEGUN))
    for file in files:
        os.close(file)


def _work(connection: Connection, note: _Note, make: Make, server: int) -> None:
    """Answers batches until the parent closes the connection. Never returns."""
    global _own_note
    _own_note, status = note, 1
    try:
        _die_with(server)
        _limit_memory()
        handle = make()
        while True:
            requests, processor_seconds = connection.recv()
            connection.send(_answers(requests, processor_seconds, note, handle))
    except (EOFError, OSError):
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _answers(requests: Sequence[Any], processor_seconds: float | None, note: _Note, handle: Handler) -> list[Any]:
    answers: list[Any] = []
    for number, request in enumerate(requests):
        if number and note.stopped:
            break
        note.begin(number)
        try:
            with processor_time(processor_seconds):
                answers.append(handle(request))
        except Exception as error:
            answers.append(Raised(f"{type(error).__name__}: {error}", traceback.format_exc()))
    return answers


def _die_with(parent: int) -> None:
    """Makes the kernel kill this process when its parent has died; only on Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _limit_memory() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = MOST_BYTES if hard == resource.RLIM_INFINITY else min(MOST_BYTES, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as preference:
        preference.write(str(KILLED_FIRST))
