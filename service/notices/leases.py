"""Leases on notices: short, so that another worker soon takes over from one that is killed, and
extended while this one lives, however slow the mail server.

A thread extends them every few seconds. A lease is lost where that could not be done in time,
because the database or the machine stood still: then another may have taken the notice, and this
worker leaves it alone.
"""

from __future__ import annotations

import threading
from collections.abc import Collection
from datetime import timedelta
from types import TracebackType
from typing import Final

import structlog

from service.context import Context
from service.store import outbox
from service.store.outbox import Notice

LEASE: Final = timedelta(seconds=6)
"""So long after a worker was killed, its notices are free; together with a sweep that is within 15
s.
"""
HEARTBEAT_SECONDS: Final = 1.5
HOLDER_LENGTH: Final = 16
_log = structlog.get_logger("service.notices")


class Leases:
    """The notices this worker holds, from when it asks for them until it has said what became of
    each, or leaves the block.
    """

    def __init__(self, context: Context, limit: int, only: str | None = None) -> None:
        self.context = context
        self.holder = context.entropy.token(HOLDER_LENGTH)
        now = context.clock()
        with context.database.write() as connection:
            self.notices = outbox.lease(connection, self.holder, now, now + LEASE, limit, only)
        self._held = {notice.id for notice in self.notices}
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._heart = threading.Thread(target=self._beat, name="leases", daemon=True)

    def __enter__(self) -> Leases:
        if self.notices:
            self._heart.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stops the heartbeat, and gives back what was not tried; a process that is killed cannot,
        and its leases run out.
        """
        self._done.set()
        if self._heart.is_alive():
            self._heart.join()
        if kind is None and self._held:
            with self.context.database.write() as connection:
                outbox.release(connection, self.holder, self._held)

    def holds(self, notice: Notice) -> bool:
        """Whether the notice is still this worker's, as far as it knows."""
        with self._lock:
            return notice.id in self._held

    def settled(self, notices: Collection[Notice]) -> None:
        """Forgets notices of which the rows say what became of them."""
        with self._lock:
            self._held -= {notice.id for notice in notices}

    def _beat(self) -> None:
        while not self._done.wait(HEARTBEAT_SECONDS):
            self.extend()

    def extend(self) -> None:
        """Extends every lease that is still held.

        A database that is away is tried again with the next beat: until then nobody else can take
        them either.
        """
        with self._lock:
            held = frozenset(self._held)
        if not held:
            return
        try:
            with self.context.database.write() as connection:
                kept = outbox.extend(connection, self.holder, held, self.context.clock() + LEASE)
        except Exception as error:
            _log.warning("leases not extended", notices=len(held), error=type(error).__name__)
            return
        with self._lock:
            self._held -= held - kept
