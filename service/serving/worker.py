"""The gunicorn worker: `worker_class = "service.serving.worker.LoopWorker"`.

Arbiter, signals and reloading are gunicorn's, as are its loop and its parser of HTTP.
"""

from __future__ import annotations

import asyncio
import os
from typing import Any, Final

from gunicorn.workers import gasgi  # type: ignore[import-untyped]

from service.serving.bridge import Bridge
from service.serving.connection import Connection

HEARTBEAT_SECONDS: Final = 1.0
STOP_STEP_SECONDS: Final = 0.05


class LoopWorker(gasgi.ASGIWorker):  # type: ignore[misc]  # gunicorn has no types
    """Answers requests to a WSGI application from one loop; gunicorn's setting ``threads`` is the
    number of threads for requests that are no posts of turns.
    """

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.connections: set[Connection] = set()

    @classmethod
    def check_config(cls, cfg: Any, log: Any) -> None:
        """Nothing to warn of: this worker has threads."""

    def load_wsgi(self) -> None:
        """Loads the WSGI application, and puts the bridge in front of it."""
        self.asgi: Any = Bridge(self.app.wsgi(), self.loop, self.cfg.threads)

    async def _serve(self) -> None:
        self.servers = [
            await self.loop.create_server(lambda: Connection(self), sock=socket.sock) for socket in self.sockets
        ]
        while self.alive and self.ppid == os.getppid():
            self.notify()
            await asyncio.sleep(HEARTBEAT_SECONDS)
        await self._shutdown()

    async def _shutdown(self) -> None:
        """Closes idle connections at once, the others as soon as their request is answered, at the
        latest after gunicorn's ``graceful_timeout``.
        """
        self.alive = False
        for server in self.servers:
            server.close()
        deadline = self.loop.time() + self.cfg.graceful_timeout
        while self.connections and self.loop.time() < deadline and not self._quick_shutdown:
            for connection in tuple(self.connections):
                connection.close_if_idle()
            await asyncio.sleep(STOP_STEP_SECONDS)
        for connection in tuple(self.connections):
            connection.abort()
        self.asgi.close()
