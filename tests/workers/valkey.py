"""A real Valkey on a port of its own, which a test may wipe, stop and start again."""

from __future__ import annotations

import subprocess
from collections.abc import Collection
from pathlib import Path

from redis import Redis

from service import redis_link
from tools.waiting import until
from workers.valkey import answers, free_port, server_binary


class Valkey:
    """The server, which keeps nothing, in ``folder``; anybody who reaches ``host`` may use it."""

    def __init__(self, folder: Path, host: str = "127.0.0.1") -> None:
        self.folder, self.host, self.port = folder, host, free_port(host)
        self._process: subprocess.Popen[bytes] | None = None
        self._poisoned: set[str] = set()

    @property
    def url(self) -> str:
        return f"redis://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}/0"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        options = {
            "port": str(self.port),
            "bind": self.host,
            "dir": str(self.folder),
            "save": "",
            "protected-mode": "no",
        }
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        self._process = subprocess.Popen(
            [str(server_binary()), *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        until(lambda: answers(self.url), "Valkey answers")

    def wipe(self) -> None:
        Redis.from_url(self.url).flushall()

    def poison(self, spared: Collection[str] = ()) -> None:
        """Gives our keys and RQ's, those of now and of earlier calls, a wrong type, as another
        program on the same database may; but not the ``spared`` ones.
        """
        with Redis.from_url(self.url, decode_responses=True) as redis:
            self._poisoned.update(redis.keys("overland:*"), redis.keys("rq:*"), redis_link.SHARED)
            for key in self._poisoned - set(spared):
                kind = redis.type(key)
                with redis.pipeline() as at_once:  # else a worker writes the key in between
                    at_once.delete(key)
                    if kind == "list":
                        at_once.set(key, "of another program")
                    else:
                        at_once.rpush(key, "of another program")
                    at_once.execute()

    def waiting(self, queue: str) -> int:
        """How many jobs wait in a queue."""
        redis = Redis.from_url(self.url)
        return sum(redis.llen(key) for key in redis.keys(f"rq:queue:overland:*:{queue}"))

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
