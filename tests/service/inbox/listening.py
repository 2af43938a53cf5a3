"""A listener in a thread of the test, and a client that speaks to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from smtplib import LMTP, SMTP

from service.context import Context
from service.inbox.listener import OpenListener, open_listener
from tools.loops import LoopThread


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
    loop = LoopThread("listener")
    try:
        opened = loop.run(open_listener(context, f"{scheme}://127.0.0.1:0"))
        yield Listening(scheme, opened)
        loop.run(opened.close(seconds=0))
    finally:
        loop.close()
