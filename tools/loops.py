"""An event loop in a thread of its own, for the servers and clients of tests and tools."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
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
        self._begun: list[Future[None]] = []
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """What the coroutine returns, run in the loop. Raises ``TimeoutError``."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(LIMIT_SECONDS)

    def begin(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Has the loop run the coroutine, at most until its own end. It is kept: what waits is
        collected as garbage where nobody holds it.
        """
        self._begun.append(asyncio.run_coroutine_threadsafe(coroutine, self.loop))

    def serve(self, listen: Coroutine[Any, Any, asyncio.Server]) -> asyncio.Server:
        """A server of the loop, closed with it."""
        self._servers.append(server := self.run(listen))
        return server

    def close(self) -> None:
        """Ends the loop, where it has not ended. Raises what a begun coroutine has raised."""
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self._stop.set)
            self._thread.join()
            for begun in self._begun:
                if not begun.cancelled():
                    begun.result()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self.loop) as runner:
            runner.run(self._main())

    async def _main(self) -> None:
        await self._stop.wait()
        for server in self._servers:
            server.close()
