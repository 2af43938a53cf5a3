"""Delivers notices: at least once each, recognisable as the same by their id.

A wake-up calls ``deliver_due``, which asks the database what is due and delivers one notice after the other.

1. ``deliver`` leases the row, so that two workers do not send the same mail at the same time.
2. The mail is composed and sent. No transaction is open meanwhile: a slow mail server holds up nobody's turn.
3. The row is marked as sent, or postponed with a pause that doubles, or given up.

A process that dies between 2 and 3 leaves a lease that runs out; the mail is sent again with the same Message-ID, which mail programs show once.
"""

from __future__ import annotations

from datetime import timedelta
from time import monotonic
from typing import Final, Literal, TypeAlias

import structlog

from service.notices.mail.compose import compose
from service.notices.mail.errors import CannotCompose, TransportError
from service.store import outbox
from service.store.outbox import Notice
from service.wiring import Overland

LEASE: Final = timedelta(seconds=120)
"""Longer than a job may take, so a lease that has run out belongs to a process that is dead."""
MOST_ATTEMPTS: Final = 12
FIRST_PAUSE: Final = timedelta(seconds=20)
ERROR_LENGTH: Final = 500
AT_ONCE: Final = 20
LONGEST_SECONDS: Final = 20.0
"""After so long a worker lets others have their turn; well within the time a job may take."""

Result: TypeAlias = Literal["sent", "postponed", "dead", "not due"]
_log = structlog.get_logger("service.notices")


def deliver_due(overland: Overland) -> int:
    """Delivers what is due, most overdue first, and answers how many notices that were; whatever it has no time for, it wakes the next worker for."""
    began, delivered = monotonic(), 0
    while True:
        with overland.database.read() as connection:
            due = outbox.due(connection, overland.clock(), AT_ONCE)
        if len(due) == AT_ONCE:
            overland.queue.wake_notices()  # more than enough for one: another worker may help
        for notice_id in due:
            delivered += deliver(overland, notice_id) != "not due"
            if monotonic() - began > LONGEST_SECONDS:
                overland.queue.wake_notices()
                return delivered
        if len(due) < AT_ONCE:
            return delivered


def deliver(overland: Overland, notice_id: str) -> Result:
    """Sends the notice if it is due and nobody else is at it. Safe to call at any time, any number of times; never raises for a mail that cannot go."""
    now = overland.clock()
    with overland.database.write() as connection:
        notice = outbox.lease(connection, notice_id, now, now + LEASE)
    if notice is None:
        return "not due"
    if notice.attempts > MOST_ATTEMPTS:  # The attempts counted, but none of the processes lived to say how they went.
        return _give_up(overland, notice, notice.last_error or "Every process that tried to send this died while it did.")
    try:
        overland.transport.send(compose(overland, notice))
    except CannotCompose as error:
        return _give_up(overland, notice, str(error))
    except TransportError as error:
        return _postpone(overland, notice, str(error))
    except Exception as error:
        _log.exception("notice failed", notice=notice.id, kind=notice.kind)
        return _postpone(overland, notice, f"{type(error).__name__}: {error}")
    with overland.database.write() as connection:
        outbox.mark_sent(connection, notice, overland.clock())
    _log.info("notice sent", notice=notice.id, kind=notice.kind, match=notice.match_id, attempt=notice.attempts)
    return "sent"


def pause_after(attempts: int, luck: bytes) -> timedelta:
    """How long to wait after so many failed attempts: it doubles, and luck (a byte) moves it by up to a quarter, so that mails do not come in waves."""
    return timedelta(seconds=FIRST_PAUSE.total_seconds() * 2.0 ** (attempts - 1) * (0.75 + luck[0] / 510))


def _postpone(overland: Overland, notice: Notice, error: str) -> Result:
    if notice.attempts >= MOST_ATTEMPTS:
        return _give_up(overland, notice, error)
    due = overland.clock() + pause_after(notice.attempts, overland.entropy.bytes(1))
    with overland.database.write() as connection:
        outbox.postpone(connection, notice.id, error[:ERROR_LENGTH], due)
    _log.warning("notice postponed", notice=notice.id, kind=notice.kind, attempt=notice.attempts, until=due.isoformat(), error=error)
    return "postponed"


def _give_up(overland: Overland, notice: Notice, error: str) -> Result:
    with overland.database.write() as connection:
        outbox.give_up(connection, notice.id, error[:ERROR_LENGTH])
    _log.error("notice given up", notice=notice.id, kind=notice.kind, attempt=notice.attempts, error=error)
    return "dead"
