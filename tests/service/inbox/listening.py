"""A listener in a thread of the test, and a client that speaks to it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from smtplib import LMTP, SMTP

from service.context import Context
from service.inbox.listener import OpenListener, open_listener


@dataclass(frozen=True, slots=True)
class Listening:
    """A listener that runs, and its scheme."""

    scheme: str
    open: OpenListener

    @contextmanager
    def client(self) -> Iterator[SMTP]:
        """A connection that has greeted."""
        with (LMTP if self.scheme == "lmtp" else SMTP)("127.0.0.1", self.open.port, timeout=30) as client:
            client.ehlo_or_helo_if_needed()
            yield client


@contextmanager
def listening(context: Context, scheme: str = "lmtp") -> Iterator[Listening]:
    """A listener at a free port, until the block ends."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="listener")
    thread.start()
    try:
        opened = asyncio.run_coroutine_threadsafe(open_listener(context, f"{scheme}://127.0.0.1:0"), loop).result(30)
        yield Listening(scheme, opened)
        asyncio.run_coroutine_threadsafe(opened.close(seconds=0), loop).result(30)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(30)
        loop.close()
