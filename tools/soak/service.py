"""A whole service, started as `overland run` in a folder of its own to be mistreated: looked at by
its processes, killed, started again.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import redis

from service.commands.run import says_ready
from service.commands.supervise import dies_with
from service.commands.valkey import free_port
from tools.soak.processes import Kind, Part, parts_of, send

START_SECONDS: Final = 120.0
STOP_SECONDS: Final = 30.0
KEPT: Final = ("PATH", "HOME", "LANG", "PYTHONPATH", "LD_PRELOAD", "TMPDIR")
"""What the service is given of our environment; everything else is said."""


class NotThere(RuntimeError):
    """Something did not happen in time; the message says what."""


def await_(good: Callable[[], object], seconds: float, what: str) -> None:
    """Returns as soon as it is good. Raises NotThere when the time is up."""
    deadline = time.monotonic() + seconds
    while not good():
        if time.monotonic() > deadline:
            raise NotThere(f"{what} did not happen within {seconds:g} s.")
        time.sleep(0.05)


class SoakedService:
    """The service in ``folder``; ``environ`` is what it is told beside where it lives.

    ``prefix`` is put before its command.
    """

    def __init__(self, folder: Path, environ: Mapping[str, str], prefix: tuple[str, ...] = ()) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.prefix = prefix
        self.environ = {
            **{name: os.environ[name] for name in KEPT if name in os.environ},
            "OVERLAND_DATA_DIR": str(folder / "data"),
            "OVERLAND_PORT": str(self.port),
            "OVERLAND_SWEEP_SECONDS": "1",
            "OVERLAND_LOG_FORMAT": "json",
            **environ,
        }
        self.log = folder / "service.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts it and waits until it is ready.

        To be called from the main thread: the kernel ends the service with the thread that started
        it.
        """
        with self.log.open("ab") as output:
            self._process = subprocess.Popen(
                [*self.prefix, sys.executable, "-m", "service.cli", "run"],
                env=self.environ,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=dies_with(os.getpid()),
            )
        await_(self._ready_or_ended, START_SECONDS, "The start of the service")
        if self._process.poll() is not None:
            raise NotThere(f"The service did not start:\n{self.said()[-2000:]}")

    def stop(self) -> None:
        """Ends it politely, and where that takes too long all its processes at once."""
        if self._process is None:
            return
        if self._process.poll() is None:
            self.resume_all()
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.kill()
        self._process = None

    def kill(self) -> None:
        """kill -9 for the supervisor and everything that it started, at once."""
        assert self._process is not None
        dying = self.parts()
        self._process.kill()
        for part in dying:
            send(part, signal.SIGKILL)
        self._process.wait(STOP_SECONDS)

    def resume_all(self) -> None:
        """Lets go of every process that is held by SIGSTOP."""
        for part in self.parts():
            send(part, signal.SIGCONT)

    def parts(self, kind: Kind | None = None) -> tuple[Part, ...]:
        """The living processes, of one kind or of all."""
        if self._process is None or self._process.poll() is not None:
            return ()
        return tuple(part for part in parts_of(self._process.pid) if kind in (None, part.kind))

    def part(self, kind: Kind) -> Part:
        """The oldest process of a kind; waits for one that is on its way back."""
        await_(lambda: self.parts(kind), START_SECONDS, f"A process of the kind {kind}")
        return self.parts(kind)[0]

    def ready(self) -> bool:
        """Whether the service says that it has all it needs."""
        return says_ready("127.0.0.1", self.port, 5)

    @property
    def database_url(self) -> str:
        """The database that it uses."""
        return self.environ.get("OVERLAND_DATABASE_URL") or f"sqlite:///{self.folder}/data/overland.sqlite"

    def valkey(self) -> redis.Redis:
        """A connection to the Valkey of this service, which waits for nothing for long."""
        if url := self.environ.get("OVERLAND_REDIS_URL"):
            return redis.Redis.from_url(url, socket_timeout=5)
        lines = dict(
            re.findall(
                r"^(port|requirepass) (\S+)$", (self.folder / "data/valkey/valkey.conf").read_text(), re.MULTILINE
            )
        )
        return redis.Redis(port=int(lines["port"]), password=lines["requirepass"], socket_timeout=5)

    def said(self) -> str:
        """What the service has logged so far."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def _ready_or_ended(self) -> bool:
        return self._process is None or self._process.poll() is not None or self.ready()
