"""The service that the bench measures: its own folder, its own Valkey, its own processes, started
and stopped by the bench.

What they say goes to files in the folder, so that nobody has to read along; the last of it is shown
where something goes wrong.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from sqlalchemy import text

from service.commands.run import is_ready
from service.commands.valkey import answers, free_port, own_valkey
from service.config import Settings, load
from service.store.database import Database, migrate
from tools.bench.costs import family

PATIENCE: Final = 60.0
GUNICORN: Final = (sys.executable, "-m", "gunicorn", "--config", "python:service.commands.gunicorn")


class DidNotStart(Exception):
    """A part of the service did not come up; the message has its last words."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How the service is to be set up."""

    api_processes: int
    api_threads: int
    turn_workers: int
    database_url: str | None
    log_level: str


@dataclass(slots=True)
class House:
    """A service that runs: its settings, and its processes by kind."""

    settings: Settings
    environ: Mapping[str, str]
    database: Database
    processes: dict[str, list[subprocess.Popen[bytes]]] = field(default_factory=dict)

    @property
    def address(self) -> tuple[str, int]:
        return self.settings.host, self.settings.port

    def start(self, kind: str, command: tuple[str, ...], **environ: str) -> subprocess.Popen[bytes]:
        """Starts one more process of that kind."""
        started = self.processes.setdefault(kind, [])
        with (self.settings.data_dir / f"{kind}-{len(started)}.log").open("wb") as log:
            started.append(
                subprocess.Popen(
                    command,
                    env={**os.environ, **self.environ, **environ},
                    cwd=_folder(kind, self),
                    stdout=log,
                    stderr=log,
                )
            )
        return started[-1]

    def await_(self, good: Callable[[], bool], what: str) -> None:
        """Waits until it is good. Raises ``DidNotStart``."""
        deadline = time.monotonic() + PATIENCE
        while not good():
            dead = [
                kind
                for kind, processes in self.processes.items()
                for process in processes
                if process.poll() is not None
            ]
            if dead or time.monotonic() > deadline:
                raise DidNotStart(f"{what} did not come up.\n{self.last_words()}")
            time.sleep(0.05)

    def stop(self, kind: str) -> None:
        """Ends every process of that kind."""
        leaving = self.processes.pop(kind, [])
        for process in leaving:
            process.terminate()
        for process in leaving:
            with suppress(subprocess.TimeoutExpired):
                process.wait(15)
            if process.poll() is None:
                process.kill()
                process.wait()

    def pids(self) -> dict[str, tuple[int, ...]]:
        """The processes by kind, those included that they have forked; of a PostgreSQL on this
        machine its own.
        """
        found = {
            kind: tuple(member for process in processes for member in family(process.pid))
            for kind, processes in self.processes.items()
        }
        if self.database.url.get_backend_name() == "postgresql":
            with self.database.read() as connection:
                found["database"] = tuple(connection.execute(text("SELECT pid FROM pg_stat_activity")).scalars())
        return found

    def last_words(self) -> str:
        """The last lines that each process said."""
        logs = sorted(self.settings.data_dir.glob("*.log"))
        return "\n".join(
            f"{log.stem}: {line}" for log in logs for line in log.read_text(errors="replace").splitlines()[-15:]
        )


@contextmanager
def house(folder: Path, plan: Plan) -> Iterator[House]:
    """A service with its tables and its Valkey, nothing else of it started yet; ended when the
    context is left.
    """
    variables = {
        "OVERLAND_DATA_DIR": str(folder),
        "OVERLAND_PORT": str(free_port()),
        "OVERLAND_API_PROCESSES": str(plan.api_processes),
        "OVERLAND_API_THREADS": str(plan.api_threads),
        "OVERLAND_TURN_WORKERS": str(plan.turn_workers),
        "OVERLAND_LOG_FORMAT": "json",
        "OVERLAND_LOG_LEVEL": plan.log_level,
    }
    if plan.database_url:
        variables["OVERLAND_DATABASE_URL"] = plan.database_url
    settings = load(variables)
    valkey, redis_url = own_valkey(settings.data_dir)
    opened = House(
        replace(settings, redis_url=redis_url),
        {**variables, "OVERLAND_REDIS_URL": redis_url},
        Database(settings.database_url),
    )
    try:
        migrate(opened.database)
        opened.start("valkey", valkey.command)
        opened.await_(lambda: answers(redis_url), "Valkey")
        yield opened
    finally:
        for kind in [kind for kind in opened.processes if kind != "valkey"]:
            opened.stop(kind)
        opened.stop("valkey")
        opened.database.dispose()


def open_doors(opened: House) -> None:
    """Starts the API, the workers and the sweeper, and waits until the service is ready.

    Raises ``DidNotStart``.
    """
    opened.start("api", (*GUNICORN, "service.wsgi:app"))
    for _ in range(opened.settings.turn_workers):
        opened.start("worker", (sys.executable, "-m", "workers", "turns"))
    opened.start("sweeper", (sys.executable, "-m", "workers", "sweeper"))
    opened.await_(lambda: is_ready(opened.settings), "The service")


def _folder(kind: str, opened: House) -> Path:
    return opened.settings.data_dir / "valkey" if kind == "valkey" else Path.cwd()
