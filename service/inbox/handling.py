"""Handles the messages that came in, one by one, each at least once: the loop of messages
(``service.loop``).

The one that has been due for longest is leased, a child (``service.guard``) does what it says
(``service.inbox.act``), outside of transactions, and whoever still holds the lease settles or
postpones its row. Where a process dies meanwhile, the message is handled again when the lease ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Final, Literal, TypeAlias

import structlog

from service.context import Context
from service.guard import Answered, Bounds, Failure, Guard, facts, sentence
from service.inbox.mail import Result
from service.loop import HOLDER_LENGTH, LEASE, Kept, Leases, Loop, run, what_follows
from service.store import messages
from service.store.leasing import ERROR_LENGTH, Charged

BOUNDS: Final = Bounds(seconds=20)
"""Handling takes a few hundredths of a second, and some seconds where a turn is tried."""
LONGEST_LATER: Final = timedelta(minutes=30)
LONGEST_SECONDS: Final = 5.0
"""The time budget of a job: RQ sends heartbeats and obeys a request to stop between jobs."""

HandlingResult: TypeAlias = Literal["handled", "ignored", "kept", "later", "postponed", "crashed", "lost"]
"""``crashed``: handling ended its process or took too long; ``lost``: another holds the lease."""
_log = structlog.get_logger("service.inbox")


def handle_due(context: Context, guard: Guard) -> Counter[HandlingResult]:
    """Handles due messages, most overdue first, for at most ``LONGEST_SECONDS``, and wakes another
    worker for the rest. Returns the number of messages by result. Does not raise for those that
    fail.
    """
    deadline, results = context.timer() + LONGEST_SECONDS, Counter[HandlingResult]()
    if run(_Messages(context, guard), results, lambda: context.timer() < deadline):
        context.queue.wake_messages()
    return results


class _Messages:
    """The work of the loop of messages."""

    loop = Loop.MESSAGES

    def __init__(self, context: Context, guard: Guard) -> None:
        self._context, self._guard = context, guard
        self._holder = context.entropy.token(HOLDER_LENGTH)

    def lease(self, slow: bool) -> Sequence[Charged]:
        now = self._context.clock()
        return messages.LEASING.lease_due(self._context.database, self._holder, now, now + LEASE, 1, slow)

    def held(self, ids: Collection[str]) -> Leases:
        self._leases = Leases(self._context.database, self._context.clock, messages.LEASING, self._holder, ids)
        return self._leases

    def sort(self, charged: Sequence[Charged]) -> Sequence[Charged]:
        return charged

    def do(self, item: Charged) -> HandlingResult:
        with self._context.database.read() as connection:
            message = messages.find(connection, item.id)
        match self._guard.ask(message, BOUNDS):
            case Answered(Result("later") as result):  # it cannot be acted on yet, and the attempt does not count
                pause = min(timedelta(seconds=max(1, result.retry_seconds)), LONGEST_LATER)
                return self._postponed(item, "later", _reason(result), self._context.clock() + pause, counted=False)
            case Answered(result):
                return self._settle(item, result)
            case failure:
                _log.warning("message.failed", message=item.id, **facts(failure))
                return self.set_aside(item, failure)

    def set_aside(self, item: Charged, failure: Failure) -> HandlingResult:
        follows = what_follows(self.loop, item, failure)
        if isinstance(follows, Kept):
            return self._settle(item, Result("kept", "failed", follows.reason))
        until = self._context.clock() + follows.pause
        result: HandlingResult = "crashed" if follows.crashed else "postponed"
        return self._postponed(item, result, sentence(failure), until, follows.counted, follows.crashed)

    def _settle(self, item: Charged, done: Result) -> HandlingResult:
        reason = _reason(done)
        values = {"status": done.status, "reason": reason, "settled_at": self._context.clock(), "crashes": 0}
        with self._leases.write() as connection:
            mine = messages.LEASING.settle(connection, self._holder, item.id, **values)
        self._leases.replace([item.id])
        log = _log.error if done.status == "kept" else _log.info
        log(f"message.{done.status}", message=item.id, attempt=item.attempts, reason=reason)
        return done.status if mine else self._lost(item)

    def _postponed(
        self, item: Charged, result: HandlingResult, reason: str, until: datetime, counted: bool, crashed: bool = False
    ) -> HandlingResult:
        with self._leases.write() as connection:
            mine = messages.LEASING.postpone(connection, self._holder, item.id, reason, until, counted, crashed)
        self._leases.replace([item.id])
        _log.info("message.postponed", message=item.id, until=until.isoformat(), reason=reason, crashed=crashed)
        return result if mine else self._lost(item)

    def _lost(self, item: Charged) -> HandlingResult:
        _log.warning("message.lease_lost", message=item.id)
        return "lost"


def _reason(done: Result) -> str:
    return f"{done.did}: {done.detail}"[:ERROR_LENGTH] if done.detail else done.did
