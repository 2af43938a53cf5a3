"""An event loop in a thread of its own, for the servers and clients of tests and tools."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from tools.waiting import LIMIT_SECONDS

T = TypeVar("T")


class LoopThread:
    """A loop that runs from its construction until ``close``. It ends with its servers closed and
    all of its tasks over: one that outlived its loop would be reported in the logs of whatever the
    process does next.
    """

    def __init__(self, name: str) -> None:
        self.loop = asyncio.new_event_loop()
        self._servers: list[asyncio.Server] = []
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """What the coroutine returns, run in the loop. Raises ``TimeoutError``."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(LIMIT_SECONDS)

    def serve(self, listen: Coroutine[Any, Any, asyncio.Server]) -> asyncio.Server:
        """A server of the loop, closed with it."""
        self._servers.append(server := self.run(listen))
        return server

    def close(self) -> None:
        """Ends the loop, where it has not ended."""
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self._stop.set)
            self._thread.join()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self.loop) as runner:
            runner.run(self._main())

    async def _main(self) -> None:
        await self._stop.wait()
        for server in self._servers:
            server.close()
