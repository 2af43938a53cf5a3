"""A PostgreSQL server of the tests' own, on a port or address of their choice, which they may stop
and start as they like.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from service.commands.valkey import free_port
from tests import missing


@contextmanager
def postgres_or_skip(host: str = "127.0.0.1", prefix: tuple[str, ...] = ()) -> Iterator[Postgres]:
    """A server that is running. Skips loudly where there is no PostgreSQL for this Python."""
    if importlib.util.find_spec("pgserver") is None:
        missing.skip("Faults of PostgreSQL are not tested: take a Python for which there is a pgserver.")
    with tempfile.TemporaryDirectory(
        prefix="overland-pg-"
    ) as folder:  # the server runs as another user, to whom the folders of pytest are closed
        server = Postgres(Path(folder), host, prefix)
        try:
            yield server
        finally:
            server.close()


class Postgres:
    """The server; ``prefix`` is put before its commands, to run them elsewhere than here."""

    def __init__(self, folder: Path, host: str, prefix: tuple[str, ...] = ()) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # it looks for a runtime folder of the user, which a bare machine does not have
            import pgserver
        self.data = folder / "data"
        self.host, self.port, self._prefix = host, free_port(), prefix
        first = pgserver.get_server(
            self.data, cleanup_mode="stop"
        )  # makes the folder, and the system user where we are root
        self._user = first.system_user
        first.cleanup()
        self._binary = Path(pgserver.__file__).parent / "pginstall/bin/pg_ctl"
        with (self.data / "postgresql.conf").open("a") as settings:
            settings.write(
                f"\nlisten_addresses = '{host}'\nport = {self.port}\nunix_socket_directories ="
                f" '{self.data}'\nmax_connections = 300\n"
            )
        with (self.data / "pg_hba.conf").open("a") as access:
            access.write("\nhost all all 0.0.0.0/0 trust\n")
        self.start()

    @property
    def url(self) -> str:
        return f"postgresql://postgres@{self.host}:{self.port}/postgres"

    def start(self) -> None:
        """Starts it and waits until it takes connections."""
        self._control("-l", str(self.data / "log"), "start")

    def stop(self, mode: str) -> None:
        """Stops it: ``fast`` ends every connection first, ``immediate`` is like pulling the
        plug.
        """
        self._control("-m", mode, "stop")

    def close(self) -> None:
        """Stops it if it runs."""
        if (self.data / "postmaster.pid").exists() and os.path.getsize(self.data / "postmaster.pid"):
            self.stop("immediate")

    def _control(self, *words: str) -> None:
        command = [*self._prefix, str(self._binary), "-D", str(self.data), "-w", "-t", "90", *words]
        user = None if self._prefix else self._user
        with (self.data / "control").open("a") as said:
            done = subprocess.run(
                command,
                user=user,
                cwd=self.data,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                timeout=120,
                check=False,
            )
        assert done.returncode == 0, (self.data / "control").read_text() + (self.data / "log").read_text()[-2000:]
