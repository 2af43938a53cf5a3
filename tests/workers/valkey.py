"""A real Valkey on a port of its own, which a test may wipe, stop and start again."""

from __future__ import annotations

import subprocess
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from service.commands.valkey import free_port, server_binary
from tests.workers.waiting import until


class Valkey:
    """The server, its files in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        self._process = subprocess.Popen(
            [
                str(server_binary()),
                "--port",
                str(self.port),
                "--bind",
                "127.0.0.1",
                "--dir",
                str(self.folder),
                "--appendonly",
                "yes",
                "--save",
                "",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until(self.answers, "Valkey answers")

    def answers(self) -> bool:
        try:
            return bool(Redis.from_url(self.url).ping())
        except RedisError:
            return False

    def wipe(self) -> None:
        Redis.from_url(self.url).flushall()

    def waiting(self, queue: str) -> int:
        """How many jobs wait in a queue."""
        length = Redis.from_url(self.url).llen(f"rq:queue:{queue}")
        assert isinstance(length, int)
        return length

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
