"""A mail server of one's own: its folder, and its processes, which end with this one."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
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
        """Kills it with all its processes."""
        if self._master is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self._master.pid, signal.SIGKILL)
        self._master.wait()
        self._master = None

    def close(self) -> None:
        """Stops it and deletes its folder."""
        atexit.unregister(self.close)
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    @abstractmethod
    def _answers(self) -> bool:
        """Whether all of its ports answer."""

    def _launch(self, command: Sequence[str], environ: Mapping[str, str]) -> None:
        """Starts its first process, and waits until all ports answer. Raises ``failure``."""
        self._master = subprocess.Popen(
            command,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            umask=UMASK,
            preexec_fn=partial(end_with, os.getpid(), signal.SIGTERM),
        )
        until(lambda: self._master is None or self._master.poll() is not None or self._answers(), "it answers")
        if not self._answers():
            raise self._failure(f"{self._name} did not start:\n{self.log[-3000:]}")
