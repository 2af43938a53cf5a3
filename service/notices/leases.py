"""Leases on notices: short, so that another worker soon takes over from a killed one, and extended
while their holder lives, however slow the mail server is.

A thread extends them every ``HEARTBEAT_SECONDS``. A lease expires where that was not possible in
time, because the database or the machine was blocked: then another worker may have leased the
notice, and this one must not touch it.
"""

from __future__ import annotations

import threading
from collections.abc import Collection
from datetime import timedelta
from types import TracebackType
from typing import Final

import structlog

from service.context import Sending
from service.store import outbox
from service.store.outbox import Notice

LEASE: Final = timedelta(seconds=6)
"""How long the notices of a killed worker stay leased after its last heartbeat."""
HEARTBEAT_SECONDS: Final = 1.5
HOLDER_LENGTH: Final = 16
_log = structlog.get_logger("service.notices")


class Leases:
    """At most ``limit`` due notices, leased to this worker from construction until each is settled
    or the block ends.
    """

    def __init__(self, context: Sending, limit: int) -> None:
        self.context = context
        self.holder = context.entropy.token(HOLDER_LENGTH)
        now = context.clock()
        with context.database.write() as connection:
            self.notices = outbox.lease(connection, self.holder, now, now + LEASE, limit)
        self._held = {notice.id for notice in self.notices}
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._heartbeat = threading.Thread(target=self._beat, name="leases", daemon=True)

    def __enter__(self) -> Leases:
        if self.notices:
            self._heartbeat.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stops the heartbeat and releases what was not settled. After an exception the leases
        expire instead, as when the process is killed.
        """
        self._done.set()
        if self._heartbeat.is_alive():
            self._heartbeat.join()
        if kind is None and self._held:
            with self.context.database.write() as connection:
                outbox.release(connection, self.holder, self._held)

    def holds(self, notice: Notice) -> bool:
        """Whether the notice was leased to this worker at the last heartbeat."""
        with self._lock:
            return notice.id in self._held

    def settled(self, notices: Collection[Notice]) -> None:
        """Ends the leases of notices whose rows have been marked."""
        with self._lock:
            self._held -= {notice.id for notice in notices}

    def _beat(self) -> None:
        while not self._done.wait(HEARTBEAT_SECONDS):
            self.extend()

    def extend(self) -> None:
        """Extends all leases that are still held, and drops those that another worker has taken.

        A database error is logged; the next heartbeat tries again.
        """
        with self._lock:
            held = frozenset(self._held)
        if not held:
            return
        try:
            with self.context.database.write() as connection:
                kept = outbox.extend(connection, self.holder, held, self.context.clock() + LEASE)
        except Exception as error:
            _log.warning("notice.leases_not_extended", notices=len(held), error=type(error).__name__)
            return
        with self._lock:
            self._held -= held - kept
