"""A PgBouncer of the tests' own (Debian's package) before their PostgreSQL."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from service.store.database import normalised
from tests import missing
from tools.waiting import until
from workers.valkey import free_port

_SETTINGS = """\
[databases]
* = host={host} port={port} user={user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {own}
unix_socket_dir =
auth_type = any
pool_mode = {mode}
default_pool_size = {size}
"""


@contextmanager
def pgbouncer_before(url: str, mode: str, size: int = 4) -> Iterator[str]:
    """The URL of the same database through a PgBouncer that pools by ``mode``: ``session``,
    ``transaction`` or ``statement``; with at most ``size`` connections of PostgreSQL. Skips loudly
    where there is none.
    """
    program = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        missing.skip("PgBouncer is not tested: apt-get install pgbouncer.")
    place, own = normalised(url), free_port()
    with tempfile.TemporaryDirectory(prefix="overland-pgbouncer-") as folder:
        os.chmod(folder, 0o755)  # it refuses to run as root
        file = Path(folder, "pgbouncer.ini")
        settings = {"host": place.host, "port": place.port, "user": place.username}
        file.write_text(_SETTINGS.format(**settings, own=own, mode=mode, size=size))
        file.chmod(0o644)
        nobody = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
        user, group = (None, None) if nobody is None else (nobody.pw_uid, nobody.pw_gid)
        with subprocess.Popen([program, "-q", str(file)], user=user, group=group) as process:
            try:
                until(lambda: process.poll() is not None or _listens(own), "PgBouncer listens")
                yield place.set(drivername="postgresql", host="127.0.0.1", port=own).render_as_string(
                    hide_password=False
                )
            finally:
                process.terminate()


def _listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False
