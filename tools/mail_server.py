"""A mail server of one's own: its folder, its ports, and its processes, which end with this one."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import socket
import subprocess
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from service.forks import end_with
from tools.waiting import until
from workers.valkey import held_port

UMASK: Final = 0o022
"""Its processes are of several users; the commands of overland keep their files to their own."""


class OwnMailServer(ABC):
    """It runs until ``close``; it may be stopped or killed, and started again, and keeps its mails
    meanwhile. ``failure`` is raised where it does not start.
    """

    def __init__(self, name: str, failure: type[RuntimeError]) -> None:
        # Its processes run as other users, who have to reach the folder.
        self.folder = Path(tempfile.mkdtemp(prefix=f"{name.lower()}-"))
        self._name, self._failure = name, failure
        self._master: subprocess.Popen[bytes] | None = None
        self._held: list[socket.socket] = []
        atexit.register(self.close)

    @property
    def log(self) -> str:
        """What it has logged."""
        with suppress(FileNotFoundError):
            return (self.folder / "log").read_text(encoding="utf-8", errors="replace")
        return ""

    def stop(self) -> None:
        """Stops it in order."""
        if self._master is None:
            return
        self._master.terminate()
        with suppress(subprocess.TimeoutExpired):
            self._master.wait(20)
        self.kill()

    def kill(self) -> None:
        """Kills it with all its processes: none listens any more, so that it may start again."""
        if self._master is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self._master.pid, signal.SIGKILL)
        self._master.wait()
        self._master = None
        until(lambda: not any(map(_listens, self._ports)), "its other processes have ended")

    def close(self) -> None:
        """Kills it, as nothing of it is kept, and deletes its folder."""
        atexit.unregister(self.close)
        self.kill()
        for held in self._held:
            held.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    @abstractmethod
    def _answers(self) -> bool:
        """Whether all of its ports answer."""

    def _own_port(self) -> int:
        """A port of the loopback that nobody else finds free until ``close``, also while the server
        does not run: a socket that does not listen is bound to it. The server may listen there,
        since it says SO_REUSEADDR too.
        """
        held = held_port()
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # after it was bound, and then was alone
        self._held.append(held)
        return int(held.getsockname()[1])

    def _launch(self, command: Sequence[str], environ: Mapping[str, str]) -> None:
        """Starts its first process, and waits until all ports answer. Raises ``failure``."""
        errors = self.folder / "errors"
        with errors.open("wb") as stderr:
            self._master = subprocess.Popen(
                command,
                env=environ,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                start_new_session=True,
                umask=UMASK,
                preexec_fn=partial(end_with, os.getpid(), signal.SIGTERM),
            )
        until(lambda: self._has_ended() or self._answers(), "it answers")
        if self._has_ended():
            said = errors.read_text(encoding="utf-8", errors="replace") + self.log
            raise self._failure(f"{self._name} did not start:\n{said[-3000:]}")

    def _has_ended(self) -> bool:
        return self._master is None or self._master.poll() is not None

    @property
    def _ports(self) -> list[int]:
        return [held.getsockname()[1] for held in self._held]


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return True
        return False
