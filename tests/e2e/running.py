"""`overland run` as a real process with a data folder and a port of its own, for the tests that
start, kill and stop it.
"""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import psutil
import requests

START_SECONDS = 90.0
"""Generous: the machine may be busy with other tests."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment(data_dir: Path, port: int, **more: str) -> dict[str, str]:
    """What the service is told, and nothing that happens to be set here."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(data_dir.parent),
        "OVERLAND_DATA_DIR": str(data_dir),
        "OVERLAND_PORT": str(port),
        "OVERLAND_API_PROCESSES": "1",
        "OVERLAND_SWEEP_SECONDS": "1",
        **more,
    }


def overland(*arguments: str, environ: Mapping[str, str], seconds: float = 240) -> subprocess.CompletedProcess[str]:
    """A command at its end."""
    command = [sys.executable, "-m", "service.cli", *arguments]
    return subprocess.run(command, env=dict(environ), capture_output=True, text=True, timeout=seconds, check=False)


def until(good: Callable[[], Any], seconds: float, what: str) -> Any:
    """The first true answer. Fails when there is none in time."""
    deadline = time.monotonic() + seconds
    while not (answer := good()):
        assert time.monotonic() < deadline, f"{what} did not happen within {seconds:g} s"
        time.sleep(0.05)
    return answer


class Running:
    """A service that was started, with all its processes; leaving the context kills what is
    left.
    """

    def __init__(self, data_dir: Path, port: int, **more: str) -> None:
        self.environ = environment(data_dir, port, **more)
        self.url = f"http://127.0.0.1:{port}"
        self.output = data_dir.parent / f"output-{port}-{time.monotonic_ns()}"
        with open(self.output, "wb") as stream:
            self.supervisor = psutil.Popen(
                [sys.executable, "-m", "service.cli", "run"],
                env=self.environ,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.seen: dict[int, psutil.Process] = {}

    def __enter__(self) -> "Running":
        try:
            until(self._ready_or_ended, START_SECONDS, "the start")
            assert self.supervisor.poll() is None, self.said()
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.kill()

    def said(self) -> str:
        return self.output.read_text(errors="replace")

    def processes(self) -> list[psutil.Process]:
        """All processes of the service that live now; they stay known when they die."""
        if self.supervisor.is_running():
            for process in self.supervisor.children(recursive=True):
                self.seen[process.pid] = process
        return [process for process in (self.supervisor, *self.seen.values()) if lives(process)]

    def part(self, words: str) -> psutil.Process:
        """The oldest process whose command line has these words; waits for one that is on its way
        back.
        """
        found = until(
            lambda: [process for process in self.processes() if words in command_line(process)],
            60,
            f"a process of {words}",
        )
        return min(found, key=lambda process: process.create_time())

    def interrupt(self) -> int:
        """Ctrl-C: the exit status once the service has ended."""
        self.processes()
        self.supervisor.send_signal(signal.SIGINT)
        return int(self.supervisor.wait(60))

    def kill(self) -> None:
        """kill -9 for everyone at once."""
        for process in self.processes():
            if lives(process):
                process.kill()
        if self.supervisor.poll() is None:
            self.supervisor.kill()
        self.supervisor.wait(30)

    def _ready_or_ended(self) -> bool:
        if self.supervisor.poll() is not None:
            return True
        try:
            return "Overland is running." in self.said() and requests.get(f"{self.url}/readyz", timeout=5).ok
        except requests.RequestException:
            return False


def lives(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def command_line(process: psutil.Process) -> str:
    """The command line; empty when the process has just ended."""
    try:
        return " ".join(process.cmdline())
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return ""


def plain(text: str) -> str:
    """Text without colours and with single spaces."""
    return re.sub(r"\s+", " ", re.sub(r"\x1b\[[0-9;]*m", "", text))
