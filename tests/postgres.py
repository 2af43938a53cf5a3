"""A PostgreSQL server of the tests' own, which they may stop and start as they like."""

from __future__ import annotations

import fcntl
import importlib.util
import os
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests import missing
from tools.launch import search_path
from workers.valkey import free_port

SETTINGS = """
listen_addresses = '{host}'
port = {port}
unix_socket_directories = '{data}'
max_connections = 300
"""


@contextmanager
def postgres_or_skip(host: str = "127.0.0.1", prefix: tuple[str, ...] = ()) -> Iterator[Postgres]:
    """A server that is running. Skips loudly where there is no PostgreSQL for this Python."""
    if importlib.util.find_spec("pgserver") is None:
        missing.skip("PostgreSQL is not tested: take a Python for which there is a pgserver.")
    with tempfile.TemporaryDirectory(prefix="overland-pg-") as folder:  # pytest's folders are closed to its user
        server = Postgres(Path(folder), host, prefix)
        try:
            server.start()
            yield server
        finally:
            server.close()


class Postgres:
    """A server with its files in ``folder``; ``prefix`` is put before its commands."""

    def __init__(self, folder: Path, host: str = "127.0.0.1", prefix: tuple[str, ...] = ()) -> None:
        self.data, self.host, self.port, self._prefix = folder / "data", host, free_port(), prefix
        self._user, self._binary = _initialise(self.data)
        with (self.data / "postgresql.conf").open("a") as settings:
            settings.write(SETTINGS.format(host=host, port=self.port, data=self.data))
        with (self.data / "pg_hba.conf").open("a") as access:
            access.write("\nhost all all 0.0.0.0/0 trust\n")

    @property
    def url(self) -> str:
        return f"postgresql://postgres@{self.host}:{self.port}/postgres"

    def start(self) -> None:
        """Starts it and waits until it takes connections."""
        self._control("-l", str(self.data / "log"), "start")

    def stop(self, mode: str) -> None:
        """Stops it: ``fast`` ends every connection first, ``immediate`` is like a power cut."""
        self._control("-m", mode, "stop")

    def close(self) -> None:
        """Stops it if it runs."""
        if (self.data / "postmaster.pid").exists() and os.path.getsize(self.data / "postmaster.pid"):
            self.stop("immediate")

    def _control(self, *words: str) -> None:
        command = [*self._prefix, str(self._binary), "-D", str(self.data), "-w", "-t", "240", *words]
        user = None if self._prefix else self._user
        with (self.data / "control").open("a") as output:
            done = subprocess.run(
                command, user=user, cwd=self.data, stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=False
            )
        assert done.returncode == 0, (self.data / "control").read_text() + (self.data / "log").read_text()[-2000:]


@contextmanager
def system_path() -> Iterator[None]:
    """Programs of the system are found, also where our PATH is that of an ordinary user."""
    before = os.environ.get("PATH")
    os.environ["PATH"] = search_path()
    try:
        yield
    finally:
        if before is None:
            del os.environ["PATH"]
        else:
            os.environ["PATH"] = before


def _initialise(data: Path) -> tuple[str | None, Path]:
    """Makes the folder of a server. The system user that it has to run as, and its `pg_ctl`.

    For root pgserver makes a user with `useradd`, in one process at a time.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it looks for a runtime folder, which a bare machine does not have
        import pgserver
    with open(Path(tempfile.gettempdir()) / "overland-tests-postgres.lock", "w") as lock, system_path():
        fcntl.flock(lock, fcntl.LOCK_EX)
        server = pgserver.postgres_server.get_server(data, cleanup_mode="stop")
        server.cleanup()
    return server.system_user, Path(pgserver.__file__).parent / "pginstall/bin/pg_ctl"
