"""Child processes of one supervisor: started, listened to, started again when they die, and stopped
without leaving any behind.

One thread does it all, in `Supervisor.attend`: it waits for output and deaths, passes the lines on,
and starts what is due. A child has a process group of its own, so Ctrl-C reaches the supervisor
alone, and what a child has forked goes when it goes. On Linux the kernel ends the children of a
supervisor that was killed.
"""

import ctypes
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

GOOD_LIFE = 10.0
"""Seconds after which a child counts as healthy, and its next death as its first."""
LONGEST_WAIT = 30.0
PR_SET_PDEATHSIG = 1

Say = Callable[[str, str], None]
"""Where lines go: (name of the program, line)."""


@dataclass(frozen=True, slots=True)
class Program:
    """What to start: a name for its lines in the log, its command, and what its environment has on
    top of ours.
    """

    name: str
    command: tuple[str, ...]
    environ: Mapping[str, str] = field(default_factory=dict)
    folder: Path | None = None


@dataclass(slots=True)
class _Child:
    program: Program
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    deaths: int = 0
    due: float | None = None
    unfinished: bytes = b""


class Supervisor:
    """Keeps programs running. Not for threads: all calls come from the one that made it."""

    def __init__(self, say: Say, inherited: Sequence[int] = ()) -> None:
        self._say = say
        self._inherited = tuple(inherited)
        self._children: dict[str, _Child] = {}
        self._selector = selectors.DefaultSelector()

    def start(self, program: Program) -> None:
        """Start a program; from now on it is kept running."""
        child = self._children[program.name] = _Child(program)
        self._launch(child)

    def attend(self, seconds: float) -> None:
        """Look after the children for so long: pass on what they say, note who died, start again
        who is due.
        """
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            self._listen(max(0.0, min(left, 0.2)))
            self._restart()
            if left <= 0:
                return

    def deaths(self, name: str) -> int:
        """How often in a row this program has died young."""
        return self._children[name].deaths

    def stop(self, names: Sequence[str], patience: float, hurried: Callable[[], bool] = lambda: False) -> None:
        """Ask these programs to end, all at once; who has not ended after `patience` seconds, or
        when someone is in a hurry, is killed.
        """
        leaving = [self._children[name] for name in names if name in self._children]
        for child in leaving:
            child.due = None
            if child.process is not None:
                _signal(child.process.pid, signal.SIGTERM)
        deadline = time.monotonic() + patience
        while any(child.process is not None for child in leaving) and time.monotonic() < deadline and not hurried():
            self._listen(0.05)
            self._bury(leaving)
        for child in leaving:
            if child.process is not None:
                self._say("overland", f"{child.program.name} did not end in time and was killed")
                _signal_group(child.process.pid, signal.SIGKILL)
                child.process.wait()
        self._bury(leaving)
        for child in leaving:
            del self._children[child.program.name]

    def names(self) -> tuple[str, ...]:
        """The programs that are kept running, in the order of their start."""
        return tuple(self._children)

    def _launch(self, child: _Child) -> None:
        child.started, child.due = time.monotonic(), None
        child.process = subprocess.Popen(
            child.program.command,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **child.program.environ},
            cwd=child.program.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=self._inherited,
            process_group=0,
            preexec_fn=dies_with(os.getpid()),
        )
        assert child.process.stdout is not None
        os.set_blocking(child.process.stdout.fileno(), False)
        self._selector.register(child.process.stdout, selectors.EVENT_READ, child)

    def _listen(self, seconds: float) -> None:
        for key, _ in self._selector.select(seconds):
            self._read(key.data)

    def _read(self, child: _Child) -> bool:
        """Pass on the lines that wait in the pipe of a child; a line without its end waits for it.

        False where nothing was to be read.
        """
        assert child.process is not None
        assert child.process.stdout is not None
        try:
            chunk = os.read(child.process.stdout.fileno(), 65536)
        except BlockingIOError:
            return False
        if not chunk:
            self._deaf(child)
            return False
        *lines, child.unfinished = (child.unfinished + chunk).split(b"\n")
        for line in lines:
            self._say(child.program.name, line.decode(errors="replace"))
        return True

    def _deaf(self, child: _Child) -> None:
        assert child.process is not None
        assert child.process.stdout is not None
        if not child.process.stdout.closed:
            self._selector.unregister(child.process.stdout)
            child.process.stdout.close()

    def _restart(self) -> None:
        for child in self._bury(list(self._children.values())):
            healthy = time.monotonic() - child.started >= GOOD_LIFE
            child.deaths = 1 if healthy else child.deaths + 1
            wait = min(LONGEST_WAIT, 0.25 * 2 ** (child.deaths - 1))
            child.due = time.monotonic() + wait
            self._say("overland", f"{child.program.name} has ended; it starts again in {wait:g} s")
        for child in self._children.values():
            if child.due is not None and child.due <= time.monotonic():
                self._launch(child)

    def _bury(self, children: Sequence[_Child]) -> list[_Child]:
        """The ones of these that have died since the last time, with what they forked ended and
        their last words passed on.
        """
        dead = [child for child in children if child.process is not None and child.process.poll() is not None]
        for child in dead:
            assert child.process is not None
            assert child.process.stdout is not None
            _signal_group(child.process.pid, signal.SIGKILL)
            while not child.process.stdout.closed and self._read(child):
                pass
            if child.unfinished:
                self._say(child.program.name, child.unfinished.decode(errors="replace"))
            self._deaf(child)
            child.process, child.unfinished = None, b""
        return dead


def dies_with(supervisor: int) -> Callable[[], None] | None:
    """What a child does before it becomes its program: ask the kernel to be ended when its
    supervisor is gone. Linux only.
    """
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl

    def before_exec() -> None:
        prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != supervisor:
            os._exit(1)

    return before_exec


def _signal(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def _signal_group(group: int, number: signal.Signals) -> None:
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return
