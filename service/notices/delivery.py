"""Delivers notices: at least once each, recognisable as the same by their id.

A wake-up calls ``deliver_due``, which takes what is due, a batch at a time, and delivers one notice
after the other.

1. A batch of rows is leased, so that two workers do not send the same mail at the same time
   (``service.notices.leases``).
2. Each mail is composed and sent. No transaction is open meanwhile: a slow mail server holds up
   nobody's turn.
3. Its row is marked as sent, or postponed, or given up, by who holds the lease and by nobody else.

A process that dies between 2 and 3 leaves a lease that runs out; the mail is sent again with the
same Message-ID, which mail programs show once.

What fails is told apart. A line that is down is no fault of the notices: they keep their attempts,
one of them probes it every few seconds, and all go as soon as it is back. A line that breaks while
a mail is handed over is down if it breaks for the next mail, too; if others go through, that mail
is what breaks it. A mail that is refused for now is tried again after pauses that double, and given
up in the end; one that is refused for good is given up at once.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from time import monotonic
from typing import Final, Literal, TypeAlias

import structlog

from service.context import Context
from service.notices.leases import Leases
from service.notices.mail.compose import compose
from service.notices.mail.errors import CannotCompose, LineDown, Refused, TransportError
from service.store import outbox
from service.store.outbox import QUICK_ATTEMPTS, Notice

MOST_ATTEMPTS: Final = 54
"""With the pauses below, about 19 hours."""
FIRST_PAUSE: Final = timedelta(seconds=4)
LAST_PAUSE: Final = timedelta(minutes=30)
ERROR_LENGTH: Final = 500
AT_ONCE: Final = 20
LONGEST_SECONDS: Final = 5.0
"""After so long a worker lets RQ breathe: its heartbeat, its wish to stop."""

Result: TypeAlias = Literal["sent", "postponed", "dead", "waiting", "lost", "not due"]
"""``waiting`` for a line that is down; ``lost`` to another worker, which has taken over."""
_log = structlog.get_logger("service.notices")


def deliver_due(context: Context) -> Counter[Result]:
    """Delivers what is due, most overdue first, and answers what became of how many; whatever it
    has no time for, it wakes the next worker for.
    """
    deadline, results = monotonic() + LONGEST_SECONDS, Counter[Result]()
    while monotonic() < deadline:
        with Leases(context, AT_ONCE) as leases:
            if len(leases.notices) == AT_ONCE:
                context.queue.wake_notices()  # more than enough for one: another worker may help
            results.update(_deliver(leases, deadline))
        if len(leases.notices) < AT_ONCE or results["waiting"]:
            return results
    context.queue.wake_notices()
    return results


def deliver(context: Context, notice_id: str) -> Result:
    """Sends the notice if it is due and nobody else is at it.

    Safe to call at any time, any number of times; never raises for a mail that cannot go.
    """
    with Leases(context, 1, notice_id) as leases:
        results = _deliver(leases, monotonic() + LONGEST_SECONDS)
    return next(iter(results), "not due")


def pause_after(attempts: int, luck: bytes) -> timedelta:
    """How long to wait after so many attempts that were refused: the same short pause at first,
    then it doubles up to half an hour.

    Luck (a byte) moves it by up to a quarter, so that mails do not come in waves.
    """
    doubled = FIRST_PAUSE.total_seconds() * 2.0 ** max(0, attempts - QUICK_ATTEMPTS)
    return timedelta(seconds=min(doubled, LAST_PAUSE.total_seconds()) * (0.75 + luck[0] / 510))


def _deliver(leases: Leases, deadline: float) -> Counter[Result]:
    """Tries the notices one after the other, until the line turns out to be down or the time is up.
    Those left over are given back.
    """
    results = Counter[Result]()
    suspect: tuple[Notice, LineDown] | None = (
        None  # the line broke while this was handed over: its own fault, if the next goes through
    )
    for notice in leases.notices:
        if monotonic() > deadline:
            break
        if not leases.holds(notice):
            results["lost"] += 1
            continue
        error = _tried(leases.context, notice)
        if isinstance(error, LineDown):
            if error.handing_over and suspect is None:
                suspect = notice, error
                continue
            results[_wait(leases, notice, error)] += 1
            break
        if suspect is not None and not isinstance(error, CannotCompose):
            results[_postpone(leases, *suspect)] += 1
            suspect = None
        results[_settled(leases, notice, error)] += 1
    if suspect is not None:  # nothing came behind it; what went through before it speaks for the line
        results[_postpone(leases, *suspect) if results["sent"] else _wait(leases, *suspect)] += 1
    return results


def _tried(context: Context, notice: Notice) -> Exception | None:
    """What went wrong with sending a notice."""
    if notice.attempts > MOST_ATTEMPTS:  # The attempts counted, but none of the processes lived to say how they went.
        return CannotCompose(notice.last_error or "Every process that tried to send this died while it did.")
    try:
        context.transport.send(compose(context, notice))
    except (CannotCompose, TransportError) as error:
        return error
    except Exception as error:
        _log.exception("notice failed", notice=notice.id, kind=notice.kind)
        return error
    return None


def _settled(leases: Leases, notice: Notice, error: Exception | None) -> Result:
    match error:
        case None:
            return _sent(leases, notice)
        case CannotCompose() | Refused():
            return _give_up(leases, notice, str(error))
        case _:
            return _postpone(leases, notice, error)


def _sent(leases: Leases, notice: Notice) -> Result:
    context = leases.context
    with context.database.write() as connection:
        mine = outbox.mark_sent(connection, leases.holder, notice, context.clock())
    leases.settled([notice])
    _log.info("notice sent", notice=notice.id, kind=notice.kind, match=notice.match_id, attempt=notice.attempts)
    return "sent" if mine else _lost(notice)


def _postpone(leases: Leases, notice: Notice, error: Exception) -> Result:
    """Postpones a notice that was refused, or that broke something; the line, and everybody else,
    is well.
    """
    said = str(error) if isinstance(error, TransportError) else f"{type(error).__name__}: {error}"
    if notice.attempts >= MOST_ATTEMPTS:
        return _give_up(leases, notice, said)
    context = leases.context
    until = context.clock() + pause_after(notice.attempts, context.entropy.bytes(1))
    with context.database.write() as connection:
        mine = outbox.postpone(connection, leases.holder, notice, said[:ERROR_LENGTH], until)
    leases.settled([notice])
    _log.warning(
        "notice postponed",
        notice=notice.id,
        kind=notice.kind,
        attempt=notice.attempts,
        until=until.isoformat(),
        error=said,
    )
    return "postponed" if mine else _lost(notice)


def _wait(leases: Leases, notice: Notice, error: LineDown) -> Result:
    """Postpones a notice for a line that is down, so that the next probe is another's; it was no
    attempt.
    """
    context = leases.context
    until = context.clock() + pause_after(1, context.entropy.bytes(1))
    with context.database.write() as connection:
        mine = outbox.postpone(connection, leases.holder, notice, str(error)[:ERROR_LENGTH], until, counted=False)
    leases.settled([notice])
    _log.warning("mail line is down", notice=notice.id, until=until.isoformat(), error=str(error))
    return "waiting" if mine else _lost(notice)


def _give_up(leases: Leases, notice: Notice, error: str) -> Result:
    with leases.context.database.write() as connection:
        mine = outbox.give_up(connection, leases.holder, notice, error[:ERROR_LENGTH])
    leases.settled([notice])
    _log.error("notice given up", notice=notice.id, kind=notice.kind, attempt=notice.attempts, error=error)
    return "dead" if mine else _lost(notice)


def _lost(notice: Notice) -> Result:
    """Another worker has taken the notice over, for this one was thought dead.

    Its word counts; the reader may get the mail twice, with the same id.
    """
    _log.warning("lease lost", notice=notice.id, kind=notice.kind)
    return "lost"
