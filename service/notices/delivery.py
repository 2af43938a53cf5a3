"""Delivers notices at least once each; repeats are recognisable by the notice's id.

``deliver_due`` leases due notices in batches and delivers them one by one.

1. A batch of rows is leased, so that two workers do not send the same mail at the same time
   (``service.notices.leases``).
2. Each mail is composed and sent. No transaction is open meanwhile, so a slow mail server blocks no
   turn.
3. Its row is marked as sent, postponed or dead, only by the process that holds the lease.

A process that dies between 2 and 3 leaves a lease that expires; the mail is sent again with the
same Message-ID, and mail programs show it once.

Failures are distinguished:

- No connection to the mail server: the attempt is not counted, one notice at a time probes the
  server every few seconds, and all are sent as soon as it is available.
- The connection breaks during a mail's transfer: the server is down if it breaks for the next mail
  too; if others succeed, the mail is postponed.
- The mail is refused temporarily: it is retried after doubling pauses, and given up in the end.
- The mail is refused permanently, or cannot be composed: it is given up at once.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Final, Literal, TypeAlias

import structlog

from service.context import Sending
from service.notices.leases import Leases
from service.notices.mail.compose import compose
from service.notices.mail.errors import CannotCompose, PermanentlyRefused, TransportDown, TransportError
from service.store import outbox
from service.store.outbox import QUICK_ATTEMPTS, Notice

MOST_ATTEMPTS: Final = 54
"""With the pauses below this takes about 19 hours."""
FIRST_PAUSE: Final = timedelta(seconds=4)
LAST_PAUSE: Final = timedelta(minutes=30)
ERROR_LENGTH: Final = 500
AT_ONCE: Final = 20
LONGEST_SECONDS: Final = 5.0
"""The time budget of a job: RQ sends heartbeats and obeys a request to stop between jobs."""

DeliveryResult: TypeAlias = Literal["sent", "postponed", "dead", "waiting", "lost"]
"""``waiting``: the mail server is down; ``lost``: another worker holds the lease now."""
_log = structlog.get_logger("service.notices")


def deliver_due(context: Sending) -> Counter[DeliveryResult]:
    """Delivers due notices, most overdue first, for at most ``LONGEST_SECONDS``. Gives the number
    of notices by result.

    Wakes another worker for the rest when the time is used up. Does not raise for mails that fail.
    """
    deadline, results = context.timer() + LONGEST_SECONDS, Counter[DeliveryResult]()
    while context.timer() < deadline:
        with Leases(context, AT_ONCE) as leases:
            if len(leases.notices) == AT_ONCE:
                context.queue.wake_notices()  # probably more than one batch: wakes another worker
            delivered = _deliver(leases, deadline)
        results += delivered
        if results["waiting"] or delivered.total() == len(leases.notices) < AT_ONCE:
            return results
    context.queue.wake_notices()
    return results


def pause_after(attempts: int, luck: bytes) -> timedelta:
    """The pause after ``attempts`` refused attempts: ``FIRST_PAUSE`` after each of the first
    ``QUICK_ATTEMPTS``, then doubled each time, up to ``LAST_PAUSE``.

    ``luck``, one random byte, changes it by up to a quarter, so that retries spread out.
    """
    doubled = FIRST_PAUSE.total_seconds() * 2.0 ** max(0, attempts - QUICK_ATTEMPTS)
    return timedelta(seconds=min(doubled, LAST_PAUSE.total_seconds()) * (0.75 + luck[0] / 510))


def _deliver(leases: Leases, deadline: float) -> Counter[DeliveryResult]:
    """Tries the notices one by one, until the server proves to be down or ``deadline`` (by the
    context's timer) has passed. The rest stays leased until the block of ``leases`` ends.
    """
    results = Counter[DeliveryResult]()
    # The connection broke during its transfer: the mail is the cause if the next one succeeds.
    suspect: tuple[Notice, TransportDown] | None = None
    for notice in leases.notices:
        if leases.context.timer() >= deadline:
            break
        if not leases.holds(notice):
            results["lost"] += 1
            continue
        error = _attempt(leases.context, notice)
        if isinstance(error, TransportDown):
            if error.during_transfer and suspect is None:
                suspect = notice, error
                continue
            results[_wait(leases, notice, error)] += 1
            break
        if suspect is not None and not isinstance(error, CannotCompose):
            results[_postpone(leases, *suspect)] += 1
            suspect = None
        results[_settle(leases, notice, error)] += 1
    # Nothing was tried after it; if a mail was sent before it, the server is up.
    if suspect is not None:
        results[_postpone(leases, *suspect) if results["sent"] else _wait(leases, *suspect)] += 1
    return results


def _attempt(context: Sending, notice: Notice) -> Exception | None:
    """Composes and sends a notice. Gives the error, ``None`` for success."""
    if notice.attempts > MOST_ATTEMPTS:  # Attempts are counted when they begin; each process died during its own.
        return CannotCompose(notice.last_error or "Every process that tried to send this died while sending it.")
    try:
        context.transport.send(compose(context, notice))
    except (CannotCompose, TransportError) as error:
        return error
    except Exception as error:
        _log.exception("notice.failed", notice=notice.id, kind=notice.kind)
        return error
    return None


def _settle(leases: Leases, notice: Notice, error: Exception | None) -> DeliveryResult:
    match error:
        case None:
            return _sent(leases, notice)
        case CannotCompose() | PermanentlyRefused():
            return _give_up(leases, notice, str(error))
        case _:
            return _postpone(leases, notice, error)


def _sent(leases: Leases, notice: Notice) -> DeliveryResult:
    context = leases.context
    with context.database.write() as connection:
        mine = outbox.mark_sent(connection, leases.holder, notice, context.clock())
    leases.settled([notice])
    _log.info("notice.sent", notice=notice.id, kind=notice.kind, match=notice.match_id, attempt=notice.attempts)
    return "sent" if mine else _lost(notice)


def _postpone(leases: Leases, notice: Notice, error: Exception) -> DeliveryResult:
    """Postpones a notice that was refused temporarily or failed, or gives it up after
    ``MOST_ATTEMPTS``.
    """
    reason = str(error) if isinstance(error, TransportError) else f"{type(error).__name__}: {error}"
    if notice.attempts >= MOST_ATTEMPTS:
        return _give_up(leases, notice, reason)
    context = leases.context
    until = context.clock() + pause_after(notice.attempts, context.entropy.random_bytes(1))
    with context.database.write() as connection:
        mine = outbox.postpone(connection, leases.holder, notice, reason[:ERROR_LENGTH], until)
    leases.settled([notice])
    fields = {"notice": notice.id, "kind": notice.kind, "attempt": notice.attempts}
    _log.warning("notice.postponed", **fields, until=until.isoformat(), error=reason)
    return "postponed" if mine else _lost(notice)


def _wait(leases: Leases, notice: Notice, error: TransportDown) -> DeliveryResult:
    """Postpones a notice because the mail server is down, without counting the attempt, so that
    another notice is the next probe.
    """
    context = leases.context
    until = context.clock() + pause_after(1, context.entropy.random_bytes(1))
    with context.database.write() as connection:
        mine = outbox.postpone(connection, leases.holder, notice, str(error)[:ERROR_LENGTH], until, counted=False)
    leases.settled([notice])
    _log.warning("mail_server.down", notice=notice.id, until=until.isoformat(), error=str(error))
    return "waiting" if mine else _lost(notice)


def _give_up(leases: Leases, notice: Notice, error: str) -> DeliveryResult:
    with leases.context.database.write() as connection:
        mine = outbox.give_up(connection, leases.holder, notice, error[:ERROR_LENGTH])
    leases.settled([notice])
    _log.error("notice.given_up", notice=notice.id, kind=notice.kind, attempt=notice.attempts, error=error)
    return "dead" if mine else _lost(notice)


def _lost(notice: Notice) -> DeliveryResult:
    """Logs that the lease expired and another worker has taken over the notice.

    That worker marks the row; the recipient may get the mail twice, with the same id.
    """
    _log.warning("notice.lease_lost", notice=notice.id, kind=notice.kind)
    return "lost"
