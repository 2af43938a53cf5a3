"""Supervises the parts of the service: forks them, reads their output, forks those that exit anew,
and stops them without leaving any behind.

A part has its own process group, so Ctrl-C reaches the supervisor only, and the forks of a part are
killed when it exits. On Linux the kernel ends the parts of a killed supervisor.
"""

import os
import selectors
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from service.forks import fork
from service.parts import growing_pause

HEALTHY_SECONDS = 10.0  # after running this long a child counts as healthy, and its next crash as the first
FIRST_PAUSE = 0.25
LONGEST_PAUSE = 30.0
LONGEST_LINE = 65536  # bytes of a line of output; a longer one is passed on in pieces

LineSink = Callable[[str, str], None]
"""Receives lines as (name of the program, line)."""


@dataclass(frozen=True, slots=True)
class Program:
    """A part of the service: its name in the log, and what its process does."""

    name: str
    body: Callable[[], object]


@dataclass(slots=True)
class _Child:
    """``pid`` is that of its process, ``output`` the reading end of its pipe, where they are."""

    program: Program
    pid: int | None = None
    output: int | None = None
    started: float = 0.0
    crashes: int = 0
    due: float | None = None
    unfinished: bytes = b""


class Supervisor:
    """Keeps programs running. All calls must come from the thread that created it. The process must
    have no other thread, and no connection. ``emit`` must not block, ``timer`` gives monotonic
    seconds.
    """

    def __init__(self, emit: LineSink, timer: Callable[[], float] = time.monotonic) -> None:
        self.timer = timer
        self._emit = emit
        self._children: dict[str, _Child] = {}
        self._selector = selectors.DefaultSelector()

    def start(self, program: Program) -> None:
        """Starts a program, and keeps it running from now on."""
        child = self._children[program.name] = _Child(program)
        self._launch(child)

    def attend(self, seconds: float) -> None:
        """Passes on output and restarts what has exited for ``seconds``, at least once."""
        end = self.timer() + seconds
        while True:
            left = end - self.timer()
            self._read_ready(max(0.0, left))
            self._restart()
            if left <= 0:
                return

    def crashes(self, name: str) -> int:
        """The number of successive exits of this program since it last counted as healthy."""
        return self._children[name].crashes

    def stop(self, names: Sequence[str], patience: float, hurried: Callable[[], bool] = lambda: False) -> None:
        """Sends SIGTERM to these programs; kills those that have not ended after ``patience``
        seconds, or as soon as ``hurried`` is true.
        """
        leaving = [self._children[name] for name in names if name in self._children]
        for child in leaving:
            child.due = None
            if child.pid is not None:
                os.kill(child.pid, signal.SIGTERM)
        deadline = self.timer() + patience
        while any(child.pid is not None for child in leaving) and self.timer() < deadline and not hurried():
            self._read_ready(0.05)
            self._reap(leaving)
        for child in leaving:
            if child.pid is not None:
                self._emit("overland", f"{child.program.name} did not end in time and was killed")
                _kill_group(child.pid)
        while any(child.pid is not None for child in leaving):
            self._read_ready(0.01)
            self._reap(leaving)
        for child in leaving:
            del self._children[child.program.name]

    def names(self) -> tuple[str, ...]:
        """The supervised programs, in the order of their start."""
        return tuple(self._children)

    def memory(self) -> int | None:
        """The bytes of memory (proportional set sizes) that this process, the programs and their
        forks use; ``None`` where the system does not tell.
        """
        used = _proportional(Path("/proc/self"))
        if used is None:
            return None
        groups = {child.pid for child in self._children.values()}
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if os.getpgid(int(process.name)) in groups:
                    used += _proportional(process) or 0
            except ProcessLookupError:
                continue  # it has just ended
        return used

    def _launch(self, child: _Child) -> None:
        child.started, child.due = self.timer(), None
        child.output, writing = os.pipe()
        os.set_blocking(child.output, False)
        name, body = child.program.name, partial(_lead, child.program.body)
        child.pid = fork(f"overland {name}", body, signal.SIGTERM, output=writing)
        os.close(writing)
        with suppress(OSError):  # it has done that itself, and is another program already, or has ended
            os.setpgid(child.pid, child.pid)
        self._selector.register(child.output, selectors.EVENT_READ, child)

    def _read_ready(self, seconds: float) -> None:
        for key, _ in self._selector.select(seconds):
            self._read(key.data)

    def _read(self, child: _Child) -> bool:
        """Passes on the complete lines in the pipe of a child. Returns whether it read anything."""
        if child.output is None:
            return False
        try:
            chunk = os.read(child.output, 65536)
        except BlockingIOError:
            return False
        if not chunk:
            self._close_output(child)
            return False
        *lines, child.unfinished = (child.unfinished + chunk).split(b"\n")
        if len(child.unfinished) > LONGEST_LINE:
            lines, child.unfinished = [*lines, child.unfinished], b""
        for line in lines:
            self._emit(child.program.name, line.decode(errors="replace"))
        return True

    def _close_output(self, child: _Child) -> None:
        if child.output is not None:
            self._selector.unregister(child.output)
            os.close(child.output)
            child.output = None

    def _restart(self) -> None:
        now = self.timer()
        for child in self._reap(list(self._children.values())):
            healthy = now - child.started >= HEALTHY_SECONDS
            child.crashes = 1 if healthy else child.crashes + 1
            pause = growing_pause(FIRST_PAUSE, LONGEST_PAUSE, child.crashes)
            child.due = now + pause
            self._emit("overland", f"{child.program.name} has ended; it is restarted in {pause:g} s")
        for child in self._children.values():
            if child.due is not None and child.due <= now:
                self._launch(child)

    def _reap(self, children: Sequence[_Child]) -> list[_Child]:
        """The children that have exited since; kills their forks and passes on the rest of their
        output.
        """
        exited = [child for child in children if child.pid is not None and os.waitpid(child.pid, os.WNOHANG)[0]]
        for child in exited:
            assert child.pid is not None
            _kill_group(child.pid)
            while self._read(child):
                pass
            if child.unfinished:
                self._emit(child.program.name, child.unfinished.decode(errors="replace"))
            self._close_output(child)
            child.pid, child.unfinished = None, b""
        return exited


def _lead(body: Callable[[], object]) -> None:
    os.setpgid(0, 0)
    body()


def _proportional(process: Path) -> int | None:
    """The proportional set size in bytes of a folder in ``/proc``; ``None`` where unreadable."""
    try:
        sizes = [line.split()[1] for line in (process / "smaps_rollup").read_text().splitlines() if line[:4] == "Pss:"]
    except OSError:
        return None
    return int(sizes[0]) * 1024 if sizes else None


def _kill_group(group: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
