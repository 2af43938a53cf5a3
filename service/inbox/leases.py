"""The lease on a message: short, so that another worker soon takes over from a killed one, and
extended by a thread while its holder lives, however long the message takes.
"""

from __future__ import annotations

import threading
from datetime import timedelta
from types import TracebackType
from typing import Final

import structlog

from service.context import Issuing
from service.store import messages
from service.store.messages import Message

LEASE: Final = timedelta(seconds=6)
"""How long the message of a killed worker stays leased after its last heartbeat."""
HEARTBEAT_SECONDS: Final = 1.5
HOLDER_LENGTH: Final = 16
_log = structlog.get_logger("service.inbox")


class Heartbeat:
    """Extends the lease of ``holder`` on ``message`` until the block ends."""

    def __init__(self, context: Issuing, holder: str, message: Message) -> None:
        self._context, self._holder, self._message = context, holder, message
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="lease", daemon=True)

    def __enter__(self) -> Heartbeat:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._thread.join()

    def extend(self) -> None:
        """Extends the lease. A database error is logged; the next heartbeat tries again."""
        try:
            with self._context.database.write() as connection:
                messages.extend(connection, self._holder, self._message.id, self._context.clock() + LEASE)
        except Exception as error:
            _log.warning("message.lease_not_extended", message=self._message.id, error=type(error).__name__)

    def _beat(self) -> None:
        while not self._done.wait(HEARTBEAT_SECONDS):
            self.extend()
