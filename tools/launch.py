"""Starts a service, or parts of it, as processes in a temporary folder: for tests, bench and soak.

Of the environment only `INHERITED` is inherited. The output of the processes goes to one file, and
its end is shown where they do not start. On Linux the kernel ends them with the thread that started
them.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Final, Literal, TypeAlias

import psutil
import redis

from service.children import Role
from service.forks import end_with
from tools.waiting import LIMIT_SECONDS, TimedOut, until
from workers.run import says_ready
from workers.valkey import answers, free_port, own_valkey

INHERITED: Final = ("LANG", "TMPDIR", "PYTHONPATH")
SYSTEM_FOLDERS: Final = ("/usr/sbin", "/sbin")
"""Folders of system programs that may be missing from an ordinary user's PATH."""
PYTHON: Final = (sys.executable, "-m")
STOP_SECONDS: Final = 60.0
TAIL: Final = 6000
PIPE: Final = 4096
"""Bytes of output that a pipe to a reader takes when the reader stalls: some lines."""

PartKind: TypeAlias = Literal[
    "supervisor",
    "arbiter",
    "api",
    "turns",
    "notices",
    "messages",
    "bots",
    "sweeper",
    "listener",
    "workers",
    "child",
    "pictures",
    "valkey",
    "other",
]
"""The arbiter is gunicorn's parent process, which forks those that answer requests, ``api``. Each
``child`` works for one of these or for a worker, or forks such (`service.children`); those of
``pictures`` draw, for anybody. ``workers`` are all in one process, but for those of ``turns``.
"""
WORKERS: Final[tuple[PartKind, ...]] = ("turns", "notices", "messages", "bots", "sweeper", "listener")
PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "api": (*PYTHON, "service.cli", "api"),
    **{name: (*PYTHON, "workers", name) for name in WORKERS},
}


class NotRunning(RuntimeError):
    """The service did not start; the message ends with its last output."""


@dataclass(frozen=True, slots=True)
class RunningPart:
    """A living process of the service; ``memory`` is its resident memory in bytes."""

    pid: int
    kind: PartKind
    memory: int

    def send(self, number: signal.Signals) -> None:
        """Sends a signal; does nothing if the process has ended."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Sends SIGKILL."""
        self.send(signal.SIGKILL)


def search_path() -> str:
    """Our PATH, followed by the folders of system programs."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join([*folders, *(folder for folder in SYSTEM_FOLDERS if folder not in folders)])


def environment(home: Path, **more: str) -> dict[str, str]:
    """The environment of a process, with `INHERITED`, PATH, HOME and ``more``."""
    inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
    return {**inherited, "PATH": search_path(), "HOME": str(home), **more}


def overland(
    *arguments: str, environ: Mapping[str, str], prefix: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """Runs an `overland` command to its end; gives the completed process with its output."""
    command = [*prefix, *PYTHON, "service.cli", *arguments]
    return subprocess.run(command, env=dict(environ), capture_output=True, text=True, timeout=900, check=False)


class Service:
    """A service in ``folder``; ``environ`` are its settings besides address and data folder.

    ``prefix`` is put before each of its commands. With a ``reader`` each writes its output to a
    small pipe, from which a process of ``readers`` copies it to the file. It may be started again
    after its end, with the same data at the same address.
    """

    def __init__(
        self,
        folder: Path,
        environ: Mapping[str, str] | None = None,
        *,
        host: str = "127.0.0.1",
        prefix: tuple[str, ...] = (),
        reader: bool = False,
    ) -> None:
        self._read = reader
        self.readers: list[subprocess.Popen[bytes]] = []
        self.folder, self.host, self.port, self.prefix = folder, host, free_port(), prefix
        self.url = f"http://{f'[{host}]' if ':' in host else host}:{self.port}"
        self.data_dir, self.log = folder / "data", folder / "output"
        self.data_dir.mkdir(parents=True, exist_ok=True)
        self.environ = environment(
            folder,
            OVERLAND_DATA_DIR=str(self.data_dir),
            OVERLAND_HOST=host,
            OVERLAND_PORT=str(self.port),
            OVERLAND_SWEEP_SECONDS="1",
            OVERLAND_MAIL_IN="off",
        ) | dict(environ or {})
        self.started: dict[str, list[subprocess.Popen[bytes]]] = {}
        self._known: dict[int, psutil.Process] = {}

    def start(self) -> None:
        """Starts `overland run` and waits until it is ready. Raises ``NotRunning``."""
        before = len(self.output())
        self.spawn("overland", *PYTHON, "service.cli", "run")
        self.wait(lambda: "Overland is running" in self.output()[before:] and self.ready(), "the service is ready")

    def start_parts(self, *names: str) -> None:
        """Starts processes of these `PARTS` without waiting."""
        for name in names:
            self.spawn(name, *PARTS[name])

    def start_valkey(self) -> None:
        """Starts a Valkey for the parts that are started after it. Raises ``NotRunning``."""
        valkey = own_valkey(self.data_dir)
        self.environ["OVERLAND_REDIS_URL"] = valkey.url
        self.spawn("valkey", *valkey.command, folder=valkey.folder)
        self.wait(lambda: answers(valkey.url), "Valkey answers")

    def spawn(self, name: str, *command: str, folder: Path | None = None, **environ: str) -> subprocess.Popen[bytes]:
        """Starts one more process of that name."""
        with self.log.open("ab") as file, self._reader(file) as output:
            process = subprocess.Popen(
                [*self.prefix, *command],
                env=self.environ | environ,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=partial(end_with, os.getpid(), signal.SIGTERM),
            )
        self.started.setdefault(name, []).append(process)
        return process

    @contextmanager
    def _reader(self, file: IO[bytes]) -> Iterator[IO[bytes]]:
        """Where a process is to write what ends in the file."""
        if not self._read:
            yield file
            return
        self.readers = [reader for reader in self.readers if reader.poll() is None]
        reader = subprocess.Popen(
            ["cat"],
            stdin=subprocess.PIPE,
            stdout=file,
            pipesize=PIPE,
            preexec_fn=partial(end_with, os.getpid(), signal.SIGTERM),
        )
        self.readers.append(reader)
        assert reader.stdin is not None
        with reader.stdin as pipe:
            yield pipe

    def wait(self, condition: Callable[[], bool], what: str, seconds: float = LIMIT_SECONDS) -> None:
        """Waits until the condition holds. Raises ``NotRunning``, also where a process ends
        first.
        """
        try:
            until(lambda: self._ended() or condition(), what, seconds)
        except TimedOut as error:
            raise NotRunning(f"{error}\n{self.output()[-TAIL:]}") from None
        if self._ended():
            raise NotRunning(f"The service has ended before this happened: {what}.\n{self.output()[-TAIL:]}")

    def ready(self) -> bool:
        """Whether the API reports that it is ready."""
        return says_ready(self.host, self.port, 5)

    def stop(self, name: str | None = None) -> None:
        """Terminates the processes of one name, or all of them in reverse order of their start.

        Those that do not end in time are killed with all their children.
        """
        self.send(signal.SIGCONT)
        for each in [name] if name is not None else list(reversed(self.started)):
            processes = self.started.pop(each, [])
            children = [child for process in processes for child in _children(process.pid)]
            for process in processes:
                process.terminate()
            for process in processes:
                try:
                    process.wait(STOP_SECONDS)
                except subprocess.TimeoutExpired:
                    _kill([psutil.Process(process.pid), *children])
                    process.wait()

    def kill(self) -> None:
        """Kills all processes, and returns when none is left."""

        def none_left() -> bool:
            living = self.processes()
            _kill(living)
            return not living

        until(none_left, "the end of every process")
        for processes in self.started.values():
            for process in processes:
                process.wait()
        self.started.clear()

    def send(self, number: signal.Signals, kind: PartKind | None = None) -> None:
        """Sends a signal to all processes of one kind, or to all."""
        for part in self.parts(kind):
            part.send(number)

    def processes(self) -> list[psutil.Process]:
        """The living processes, oldest first, including those whose parent has ended."""
        for processes in self.started.values():
            for process in processes:
                if process.poll() is None:
                    for found in (psutil.Process(process.pid), *_children(process.pid)):
                        self._known[found.pid] = found
        self._known = {pid: process for pid, process in self._known.items() if _lives(process)}
        return sorted(self._known.values(), key=lambda process: (process.create_time(), process.pid))

    def parts(self, kind: PartKind | None = None) -> tuple[RunningPart, ...]:
        """The living processes with their kinds and memory, of one kind or of all."""
        found = [part for process in self.processes() if (part := _part(process)) is not None]
        return tuple(part for part in found if kind in (None, part.kind))

    def part(self, kind: PartKind) -> RunningPart:
        """The oldest process of a kind; waits for one that is being restarted."""
        return until(lambda: self.parts(kind), f"there is a process of the kind {kind}")[0]

    def pids(self) -> dict[str, tuple[int, ...]]:
        """The process ids, including children, by the names of the started processes."""
        return {
            name: tuple(pid for each in processes for pid in (each.pid, *(child.pid for child in _children(each.pid))))
            for name, processes in self.started.items()
        }

    @property
    def database_url(self) -> str:
        return self.environ.get("OVERLAND_DATABASE_URL") or f"sqlite:///{self.data_dir}/overland.sqlite"

    def valkey(self) -> redis.Redis:
        """A connection to the Valkey of this service, with a timeout of a few seconds."""
        if url := self.environ.get("OVERLAND_REDIS_URL"):
            return redis.Redis.from_url(url, socket_timeout=5)
        text = (self.data_dir / "valkey/valkey.conf").read_text()
        lines = dict(re.findall(r"^(bind|port|requirepass) (\S+)$", text, re.MULTILINE))
        return redis.Redis(lines["bind"], int(lines["port"]), password=lines["requirepass"], socket_timeout=5)

    def output(self) -> str:
        """All output of the processes."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def _ended(self) -> bool:
        return any(process.poll() is not None for processes in self.started.values() for process in processes)


@contextmanager
def running(folder: Path, **environ: str) -> Iterator[Service]:
    """A whole service that is ready, killed when the block ends.

    Its last output is printed where an exception ends the block. Raises ``NotRunning``.
    """
    service = Service(folder, environ)
    try:
        service.start()
        yield service
    except BaseException:
        print(service.output()[-TAIL:])
        raise
    finally:
        service.kill()


def _children(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _kill(processes: list[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()


def _part(process: psutil.Process) -> RunningPart | None:
    try:
        return RunningPart(process.pid, _kind(process), process.memory_info().rss)
    except psutil.Error:
        return None  # it has ended


def _kind(process: psutil.Process) -> PartKind:
    """By its command line, which is its title where it has given itself one (`service.forks`)."""
    words = process.cmdline()
    line = " ".join(words).strip()
    if words and ("valkey-server" in words[0] or "redis-server" in words[0]):
        return "valkey"
    if words[-2:] == ["service.cli", "run"]:
        return "supervisor"
    if line.startswith("gunicorn: master"):
        return "arbiter"
    name, _, role = line.removeprefix("overland ").partition(": ")
    if role:
        return "pictures" if role in (Role.DRAWING.value, Role.SHOWING.value) else "child"
    part = name.rpartition("-")[0] if name[-1:].isdecimal() else name
    return next(
        (kind for kind in ("api", "workers", *WORKERS) if line.startswith("overland ") and part == kind), "other"
    )
