"""A PostgreSQL server of the tests' own, on a port or address of their choice, which they may stop and start as they like."""

from __future__ import annotations

import importlib.util
import os
import warnings
from pathlib import Path

import pytest

from service.commands.valkey import free_port


def postgres_or_skip(folder: Path, host: str = "127.0.0.1") -> Postgres:
    """A server in ``folder`` that is running. Skips loudly where there is no PostgreSQL for this Python."""
    if importlib.util.find_spec("pgserver") is None:
        reason = "Faults of PostgreSQL are not tested: take a Python for which there is a pgserver."
        warnings.warn(reason, stacklevel=2)
        pytest.skip(reason)
    return Postgres(folder, host)


class Postgres:
    """The server; ``prefix`` is put before its commands, to run them elsewhere than here."""

    def __init__(self, folder: Path, host: str, port: int | None = None, prefix: tuple[str, ...] = ()) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it looks for a runtime folder of the user, which a bare machine does not have
            import pgserver
        self.data = folder / "data"
        self.host, self.port, self.prefix = host, port or free_port(), prefix
        first = pgserver.get_server(self.data, cleanup_mode="stop")  # makes the folder, and the system user where we are root
        self._user = first.system_user
        first.cleanup()
        self._control = pgserver.pg_ctl
        with (self.data / "postgresql.conf").open("a") as settings:
            settings.write(f"\nlisten_addresses = '{host}'\nport = {self.port}\nunix_socket_directories = '{self.data}'\nmax_connections = 300\n")
        with (self.data / "pg_hba.conf").open("a") as access:
            access.write("\nhost all all 0.0.0.0/0 trust\n")
        self.start()

    @property
    def url(self) -> str:
        return f"postgresql://postgres@{self.host}:{self.port}/postgres"

    def start(self) -> None:
        """Starts it and waits until it takes connections."""
        self._control(["-w", "-t", "90", "-l", str(self.data / "log"), "start"], pgdata=self.data, user=self._user, cwd=self.data)

    def stop(self, mode: str) -> None:
        """Stops it: ``fast`` ends every connection first, ``immediate`` is like pulling the plug."""
        self._control(["-w", "-t", "90", "-m", mode, "stop"], pgdata=self.data, user=self._user, cwd=self.data)

    def close(self) -> None:
        """Stops it if it runs."""
        if (self.data / "postmaster.pid").exists() and os.path.getsize(self.data / "postmaster.pid"):
            self.stop("immediate")
