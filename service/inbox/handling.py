"""Handles the messages that came in, one by one, each at least once.

1. The message that has been due for longest is leased, and its attempt counted
   (``service.store.messages``).
2. ``Acting`` does what it says; doing it twice has no further effect. No transaction is open
   meanwhile.
3. Its row is settled, or postponed, only by the process that holds the lease.

A process that dies between 2 and 3 leaves a lease that expires; the message is handled again.

- Where acting raises an exception, the message is tried again after doubling pauses, and kept for
  the operator in the end.
- Where it ends its process or takes too long, or this process dies during the attempt, the message
  is kept after ``MOST_CRASHES`` times in a row.
- Time in which the database or the machine kept it waiting is no fault of the message: that attempt
  is not counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Final, Literal, TypeAlias

import structlog
from sqlalchemy.exc import OperationalError

from service.context import Context
from service.inbox.errors import HandlingCrashed, HandlingFailed, HandlingWaited
from service.inbox.leases import HOLDER_LENGTH, LEASE, Heartbeat
from service.inbox.results import Result
from service.store import messages
from service.store.messages import Message

MOST_ATTEMPTS: Final = 12
"""With the pauses below this takes about two hours."""
MOST_CRASHES: Final = 3
"""After so many attempts in a row that ended or stopped a process, a message is kept."""
FIRST_PAUSE: Final = timedelta(seconds=4)
LAST_PAUSE: Final = timedelta(minutes=30)
REASON_LENGTH: Final = 500
LONGEST_SECONDS: Final = 5.0
"""The time budget of a job: RQ sends heartbeats and obeys a request to stop between jobs."""

Acting: TypeAlias = Callable[[Context, Message], Result]
"""Does what a message says. May be called again for the same message, and then does nothing twice.
"""
HandlingResult: TypeAlias = Literal["handled", "ignored", "kept", "later", "postponed", "crashed", "lost"]
"""``crashed``: handling ended its process or took too long; ``lost``: another worker holds the
lease now.
"""
_log = structlog.get_logger("service.inbox")


def handle_due(context: Context, act: Acting) -> Counter[HandlingResult]:
    """Handles due messages, most overdue first, for at most ``LONGEST_SECONDS``. Gives the number
    of messages by result.

    Wakes another worker for the rest when the time is used up. Does not raise for messages that
    fail.
    """
    deadline, results = context.timer() + LONGEST_SECONDS, Counter[HandlingResult]()
    holder = context.entropy.token(HOLDER_LENGTH)
    while context.timer() < deadline:
        now = context.clock()
        with context.database.write() as connection:
            message = messages.lease(connection, holder, now, now + LEASE)
        if message is None:
            return results
        with Heartbeat(context, holder, message):
            done = _attempt(context, act, message)
        results[_settle(context, holder, message, done)] += 1
    context.queue.wake_messages()
    return results


def pause_after(attempts: int) -> timedelta:
    """The pause after ``attempts`` failed attempts: ``FIRST_PAUSE``, doubled each time, up to
    ``LAST_PAUSE``.
    """
    return timedelta(seconds=min(FIRST_PAUSE.total_seconds() * 2.0 ** (attempts - 1), LAST_PAUSE.total_seconds()))


def _attempt(context: Context, act: Acting, message: Message) -> Result | Exception:
    if message.crashes > MOST_CRASHES:  # Attempts are counted when they begin; each process died during its own.
        return Result("kept", "crashed", message.reason or "Every process that tried to handle this died meanwhile.")
    try:
        return act(context, message)
    except (HandlingCrashed, HandlingFailed, HandlingWaited, OperationalError) as error:
        return error
    except Exception as error:
        _log.exception("message.failed", message=message.id)
        return error


def _settle(context: Context, holder: str, message: Message, done: Result | Exception) -> HandlingResult:
    if isinstance(done, Exception):
        crashed = isinstance(done, HandlingCrashed)
        if not _is_hopeless(message, crashed):
            return _postpone(context, holder, message, done, crashed)
        done = Result("kept", "failed", f"{_sentence(done)} This was attempt {message.attempts}.")
    if done.status == "later":
        return _later(context, holder, message, done)
    reason = _reason(done)
    with context.database.write() as connection:
        mine = messages.settle(connection, holder, message, done.status, reason, context.clock())
    log = _log.error if done.status == "kept" else _log.info
    log(f"message.{done.status}", message=message.id, attempt=message.attempts, reason=reason)
    return done.status if mine else _lost(message)


def _later(context: Context, holder: str, message: Message, done: Result) -> HandlingResult:
    """Postpones a message that cannot be acted on yet: the attempt is not counted."""
    until = context.clock() + min(timedelta(seconds=max(1, done.retry_seconds)), LAST_PAUSE)
    with context.database.write() as connection:
        mine = messages.postpone(connection, holder, message, _reason(done), until, counted=False)
    _log.info("message.later", message=message.id, until=until.isoformat(), reason=_reason(done))
    return "later" if mine else _lost(message)


def _postpone(context: Context, holder: str, message: Message, error: Exception, crashed: bool) -> HandlingResult:
    counted = not isinstance(error, HandlingWaited | OperationalError)
    until = context.clock() + pause_after(message.attempts if counted else 1)
    reason = _sentence(error)[:REASON_LENGTH]
    with context.database.write() as connection:
        mine = messages.postpone(connection, holder, message, reason, until, counted, crashed)
    fields = {"message": message.id, "attempt": message.attempts, "until": until.isoformat(), "error": reason}
    _log.warning("message.crashed" if crashed else "message.postponed", **fields)
    if not mine:
        return _lost(message)
    return "crashed" if crashed else "postponed"


def _is_hopeless(message: Message, crashed: bool) -> bool:
    return message.attempts >= MOST_ATTEMPTS or (crashed and message.crashes >= MOST_CRASHES)


def _reason(done: Result) -> str:
    return f"{done.did}: {done.detail}"[:REASON_LENGTH] if done.detail else done.did


def _sentence(error: Exception) -> str:
    known = HandlingCrashed | HandlingWaited | HandlingFailed
    return str(error) if isinstance(error, known) else f"{type(error).__name__}: {error}"


def _lost(message: Message) -> HandlingResult:
    _log.warning("message.lease_lost", message=message.id)
    return "lost"
