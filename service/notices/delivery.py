"""Delivers notices at least once each; repeats are recognisable by the notice's id.

``deliver_due`` leases due notices in batches and delivers them one by one.

1. A batch of rows is leased, so that two workers do not send the same mail at the same time
   (``service.notices.leases``). What a later mail tells, or nobody wants, is covered meanwhile
   (``service.notices.merging``).
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
- Composing ends its process or takes too long, or this process dies during the attempt: the notice
  alone is tried again, with no other behind it, and given up after ``MOST_CRASHES`` times in a row.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Final, Literal, TypeAlias

import structlog
from sqlalchemy import Connection

from service.context import Sending
from service.kinds import FIRST
from service.notices.leases import Leases
from service.notices.mail.compose import mail_of
from service.notices.mail.errors import (
    CannotCompose,
    ComposerCrashed,
    ComposerFailed,
    NoticeError,
    PermanentlyRefused,
    TransportDown,
)
from service.notices.mail.sent_texts import said_in
from service.players.addresses import folded
from service.store import outbox, sent
from service.store.outbox import QUICK_ATTEMPTS, Notice

MOST_ATTEMPTS: Final = 54
"""With the pauses below this takes about 19 hours."""
MOST_CRASHES: Final = 3
"""After so many attempts in a row that ended or stopped a process, a notice is given up."""
FIRST_PAUSE: Final = timedelta(seconds=4)
LAST_PAUSE: Final = timedelta(minutes=30)
ERROR_LENGTH: Final = 500
AT_ONCE: Final = 20
LONGEST_SECONDS: Final = 5.0
"""The time budget of a job: RQ sends heartbeats and obeys a request to stop between jobs."""

DeliveryResult: TypeAlias = Literal["sent", "covered", "postponed", "crashed", "dead", "waiting", "lost"]
"""``covered``: it is told otherwise; ``crashed``: composing ended its process or took too long;
``waiting``: the mail server is down; ``lost``: another worker holds the lease now.
"""
_log = structlog.get_logger("service.notices")


def deliver_due(context: Sending) -> Counter[DeliveryResult]:
    """Delivers due notices, by lane, then most overdue first, for at most ``LONGEST_SECONDS``.
    Gives the number of notices by result.

    Wakes another worker for the rest when the time is used up. Does not raise for mails that fail.
    """
    deadline, results = context.timer() + LONGEST_SECONDS, Counter[DeliveryResult]()
    while context.timer() < deadline:
        with Leases(context, AT_ONCE) as leases:
            if leases.more:
                context.queue.wake_notices()  # another worker can help
            delivered = _deliver(leases, deadline)
        results += delivered
        results += Counter({"covered": leases.covered})
        if results["waiting"] or (delivered.total() == len(leases.notices) and not leases.more):
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
    """Tries the notices one by one, until the server proves to be down, ``deadline`` (by the
    context's timer) has passed, or one of the first lane waits. The rest stays leased until the
    block of ``leases`` ends.
    """
    results = Counter[DeliveryResult]()
    # The connection broke during its transfer: the mail is the cause if the next one succeeds.
    suspect: tuple[Notice, TransportDown] | None = None
    for leased in leases.notices:
        if leases.context.timer() >= deadline or (leases.hurried and leased.lane != FIRST):
            break
        notice = leases.begin(leased)
        if notice is None:
            results["lost"] += 1
            continue
        outcome = _attempt(leases.context, notice)
        error = outcome if isinstance(outcome, Exception) else None
        if isinstance(error, TransportDown):
            if error.during_transfer and suspect is None:
                suspect = notice, error
                continue
            results[_wait(leases, notice, error)] += 1
            break
        if suspect is not None and not isinstance(error, CannotCompose | ComposerFailed | ComposerCrashed):
            results[_postpone(leases, *suspect)] += 1
            suspect = None
        results[_settle(leases, notice, outcome)] += 1
    # Nothing was tried after it; if a mail was sent before it, the server is up.
    if suspect is not None:
        results[_postpone(leases, *suspect) if results["sent"] else _wait(leases, *suspect)] += 1
    return results


def _attempt(context: Sending, notice: Notice) -> Exception | EmailMessage:
    """Composes and sends a notice. Gives the error, or the mail that was sent."""
    if notice.crashes > MOST_CRASHES:  # Attempts are counted when they begin; each process died during its own.
        return CannotCompose(notice.last_error or "Every process that tried to send this died while sending it.")
    if notice.crashes > 1:
        _log.warning("notice.crashed_before", notice=notice.id, kind=notice.kind, crashes=notice.crashes - 1)
    try:
        mail = mail_of(context, notice)
        context.transport.send(mail)
    except NoticeError as error:
        return error
    except Exception as error:
        _log.exception("notice.failed", notice=notice.id, kind=notice.kind)
        return error
    return mail


def _settle(leases: Leases, notice: Notice, outcome: Exception | EmailMessage) -> DeliveryResult:
    match outcome:
        case EmailMessage():
            return _sent(leases, notice, outcome)
        case CannotCompose() | PermanentlyRefused():
            return _give_up(leases, notice, str(outcome))
        case ComposerCrashed() if notice.crashes >= MOST_CRASHES:
            return _give_up(leases, notice, f"{outcome} This was attempt {notice.crashes} in a row that ended so.")
        case _:
            return _postpone(leases, notice, outcome)


def _sent(leases: Leases, notice: Notice, mail: EmailMessage) -> DeliveryResult:
    """Marks a notice as sent, and keeps what its mail says, which replies quote."""
    now, said = leases.context.clock(), said_in(mail)
    recipient = notice.player_id or folded(notice.address or "")

    def mark(connection: Connection) -> bool:
        if not outbox.mark_sent(connection, leases.holder, notice, now):
            return False
        sent.keep(connection, notice.id, notice.match_id, recipient, said, now)
        return True

    mine = leases.settle(notice, mark)
    _log.info("notice.sent", notice=notice.id, kind=notice.kind, match=notice.match_id, attempt=notice.attempts)
    return "sent" if mine else _lost(notice)


def _postpone(leases: Leases, notice: Notice, error: Exception) -> DeliveryResult:
    """Postpones a notice that was refused temporarily or failed, or gives it up after
    ``MOST_ATTEMPTS``.
    """
    crashed = isinstance(error, ComposerCrashed)
    reason = str(error) if isinstance(error, NoticeError) else f"{type(error).__name__}: {error}"
    if notice.attempts >= MOST_ATTEMPTS:
        return _give_up(leases, notice, reason)
    until = _retry_at(leases.context, notice.attempts)

    def mark(connection: Connection) -> bool:
        return outbox.postpone(connection, leases.holder, notice, reason[:ERROR_LENGTH], until, crashed=crashed)

    mine = leases.settle(notice, mark)
    fields = {"notice": notice.id, "kind": notice.kind, "attempt": notice.attempts}
    _log.warning("notice.crashed" if crashed else "notice.postponed", **fields, until=until.isoformat(), error=reason)
    if not mine:
        return _lost(notice)
    return "crashed" if crashed else "postponed"


def _wait(leases: Leases, notice: Notice, error: TransportDown) -> DeliveryResult:
    """Postpones a notice because the mail server is down, without counting the attempt, so that
    another notice is the next probe.
    """
    until = _retry_at(leases.context, 1)

    def mark(connection: Connection) -> bool:
        return outbox.postpone(connection, leases.holder, notice, str(error)[:ERROR_LENGTH], until, counted=False)

    mine = leases.settle(notice, mark)
    _log.warning("mail_server.down", notice=notice.id, until=until.isoformat(), error=str(error))
    return "waiting" if mine else _lost(notice)


def _give_up(leases: Leases, notice: Notice, error: str) -> DeliveryResult:
    mine = leases.settle(
        notice, lambda connection: outbox.give_up(connection, leases.holder, notice, error[:ERROR_LENGTH])
    )
    _log.error("notice.given_up", notice=notice.id, kind=notice.kind, attempt=notice.attempts, error=error)
    return "dead" if mine else _lost(notice)


def _retry_at(context: Sending, attempts: int) -> datetime:
    return context.clock() + pause_after(attempts, context.entropy.random_bytes(1))


def _lost(notice: Notice) -> DeliveryResult:
    """Logs that the lease expired and another worker has taken over the notice.

    That worker marks the row; the recipient may get the mail twice, with the same id.
    """
    _log.warning("notice.lease_lost", notice=notice.id, kind=notice.kind)
    return "lost"
