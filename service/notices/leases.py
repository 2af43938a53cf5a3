"""Leases on notices: short, so that another worker soon takes over from a killed one, and extended
while their holder lives, however slow the mail server is.

Every attempt is counted in the database before it begins, so that a notice that ends its worker is
known: that of the first notice when it is leased, those of the others in the transaction that
records the result of the one before, which costs no commit more.

A thread extends them every ``HEARTBEAT_SECONDS``. A lease expires where that was not possible in
time, because the database or the machine was blocked: then another worker may have leased the
notice, and this one must not touch it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from types import TracebackType
from typing import Final

import structlog
from sqlalchemy import Connection

from service.context import Sending
from service.notices import additions, merging
from service.store import outbox
from service.store.outbox import Leased, Notice

LEASE: Final = timedelta(seconds=6)
"""How long the notices of a killed worker stay leased after its last heartbeat."""
HEARTBEAT_SECONDS: Final = 1.5
HOLDER_LENGTH: Final = 16
_log = structlog.get_logger("service.notices")


class Leases:
    """At most ``limit`` due notices, leased to this worker from construction until each is settled
    or the block ends; ``more``: others may be due, ``covered`` of those that were due are told
    otherwise. ``hurried``: one of the first lane was due when the latest attempt ended.
    """

    def __init__(self, context: Sending, limit: int) -> None:
        self.context = context
        self.holder = context.entropy.token(HOLDER_LENGTH)
        now = context.clock()
        with context.database.write() as connection:
            leased = self._lease(connection, now, limit)
        self.notices, self.more = leased.notices, leased.more
        self.hurried = False
        self._begun = {notice.id: notice for notice in self.notices[:1]}
        self._held = {notice.id for notice in self.notices}
        self._lock = threading.Lock()
        self._writing = threading.Lock()
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
            begun = self._held & self._begun.keys()
            with self._write() as connection:
                outbox.release(connection, self.holder, self._held - begun, begun)

    def _lease(self, connection: Connection, now: datetime, limit: int) -> Leased:
        def sort_out(found: Sequence[Notice]) -> Sequence[Notice]:
            sorted_out = merging.sort_out(connection, found, now)
            completed = additions.complete(connection, sorted_out.send)
            self.covered = sorted_out.covered + completed.covered
            return completed.send

        self.covered = 0
        return outbox.lease(connection, self.holder, now, now + LEASE, limit, sort_out)

    def begin(self, notice: Notice) -> Notice | None:
        """Gives the notice with its attempt counted; ``None`` where it was not held any more at the
        last heartbeat.

        What was begun before and is not settled yet has ended no process.
        """
        held = self._still_held()
        if notice.id not in held:
            return None
        if notice.id not in self._begun:
            with self._write() as connection:
                outbox.set_aside(connection, self.holder, held & self._begun.keys())
                self._begun[notice.id] = outbox.begin(connection, self.holder, notice)
        return self._begun[notice.id]

    def settle(self, notice: Notice, mark: Callable[[Connection], bool]) -> bool:
        """Records the result of an attempt with ``mark``, and in the same transaction begins the
        next one, unless another is under way. Gives the result of ``mark``: whether the notice was
        still held.
        """
        others = self._still_held() - {notice.id}
        waiting = () if others & self._begun.keys() else (each for each in self.notices if each.id in others)
        following = next(iter(waiting), None)
        with self._write() as connection:
            mine = mark(connection)
            self.hurried = outbox.first_waits(connection, self.context.clock())
            begun = None if following is None else outbox.begin(connection, self.holder, following)
        if begun is not None:
            self._begun[begun.id] = begun
        with self._lock:
            self._held.discard(notice.id)
        return mine

    @contextmanager
    def _write(self) -> Iterator[Connection]:
        """A transaction, one at a time: that of the heartbeat and another one would lock the same
        rows in different orders.
        """
        with self._writing, self.context.database.write() as connection:
            yield connection

    def _still_held(self) -> frozenset[str]:
        """The ids of the notices that were held at the last heartbeat and are not settled."""
        with self._lock:
            return frozenset(self._held)

    def _beat(self) -> None:
        while not self._done.wait(HEARTBEAT_SECONDS):
            self.extend()

    def extend(self) -> None:
        """Extends all leases that are still held, and drops those that another worker has taken.

        A database error is logged; the next heartbeat tries again.
        """
        held = self._still_held()
        if not held:
            return
        try:
            with self._write() as connection:
                kept = outbox.extend(connection, self.holder, held, self.context.clock() + LEASE)
        except Exception as error:
            _log.warning("notice.leases_not_extended", notices=len(held), error=type(error).__name__)
            return
        with self._lock:
            self._held -= held - kept
