"""Delivers notices at least once each; repeats are recognisable by the notice's id: the loop of
notices (``service.loop``), whose batches are sorted first (``service.notices.sorting``).

No transaction is open while a mail is composed and sent, so a slow mail server blocks no turn. The
attempt of each is counted in the transaction that records the result of the one before, which costs
no commit more. A process that dies meanwhile leaves a lease that expires; the mail is sent again
with the same Message-ID, and mail programs show it once. Failures are distinguished:

- No connection to the mail server: the attempt is not counted, one notice at a time probes the
  server every few seconds, and all are sent as soon as it is available.
- The connection breaks during a mail's transfer: the server is down if it breaks for the next mail
  too; if others succeed, the mail is postponed.
- The mail is refused temporarily: it is retried after doubling pauses, and given up in the end.
- The mail is refused permanently, or cannot be composed: it is given up at once.
- Composing ends its process or takes too long, or this process dies during the attempt: the notice
  goes to the slow lane, and is given up after some such attempts in a row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from email.message import EmailMessage
from typing import Final, Literal, TypeAlias

import structlog
from sqlalchemy import Connection

from service.addresses import folded
from service.context import Context
from service.guard import Failure, Raised, sentence
from service.kinds import FIRST
from service.loop import HOLDER_LENGTH, LEASE, Kept, Leases, Loop, pause_after, run, what_follows
from service.notices import sorting
from service.notices.mail.compose import mail_of
from service.notices.mail.errors import CannotCompose, NotComposed, PermanentlyRefused, TransportDown, TransportError
from service.notices.mail.render import said_in
from service.store import mails, outbox
from service.store.leasing import Charged
from service.store.outbox import LEASING, Notice

AT_ONCE: Final = 20
LONGEST_SECONDS: Final = 5.0
"""The time budget of a job: RQ sends heartbeats and obeys a request to stop between jobs."""

DeliveryResult: TypeAlias = Literal["sent", "covered", "postponed", "crashed", "dead", "waiting", "lost"]
"""``covered``: it is told otherwise; ``crashed``: composing ended its process or took too long;
``waiting``: the mail server is down; ``lost``: another worker holds the lease now.
"""
_log = structlog.get_logger("service.notices")


def deliver_due(context: Context) -> Counter[DeliveryResult]:
    """Delivers due notices, by lane, then most overdue first, for at most ``LONGEST_SECONDS``; then
    wakes another worker for the rest, unless the mail server is down. Returns the number of notices
    by result. Does not raise for mails that fail.
    """
    deadline, results = context.timer() + LONGEST_SECONDS, Counter[DeliveryResult]()
    goes_on = run(NoticeWork(context, results), results, lambda: not results["waiting"] and context.timer() < deadline)
    if goes_on and not results["waiting"]:
        context.queue.wake_notices()
    return results


class NoticeWork:
    """The work of the loop of notices."""

    loop = Loop.NOTICES

    def __init__(self, context: Context, results: Counter[DeliveryResult]) -> None:
        self._context, self._results = context, results
        self._holder = context.entropy.token(HOLDER_LENGTH)
        self.notices: dict[str, Notice] = {}
        self._hurried = False
        """One of the first lane was due when the latest attempt ended: it goes before the batch."""
        self._suspect: tuple[Charged, str] | None = None
        """The connection broke during its transfer: the mail is the cause if the next succeeds."""

    def lease(self, slow: bool) -> Sequence[Charged]:
        now = self._context.clock()
        charged = LEASING.lease_due(self._context.database, self._holder, now, now + LEASE, AT_ONCE, slow)
        if len(charged) == AT_ONCE:
            self._context.queue.wake_notices()  # another worker can help
        return charged

    @contextmanager
    def held(self, ids: Collection[str]) -> Iterator[None]:
        self.notices, self._hurried = {}, False
        with Leases(self._context.database, self._context.clock, LEASING, self._holder, ids) as self.leases:
            yield
            if self._suspect is not None:  # nothing was tried after it; if a mail was sent before it, the server is up
                end = self._broke if self._results["sent"] else self._wait
                self._results[end(*self._suspect)] += 1
                self._suspect = None

    def sort(self, charged: Sequence[Charged]) -> Sequence[Charged]:
        ids, now = [each.id for each in charged], self._context.clock()
        covered = 0

        def sort_out(found: Sequence[Notice]) -> Sequence[Notice]:
            nonlocal covered
            send, covered = sorting.sort_out(connection, found, now)
            return send

        with self.leases.write() as connection:
            notices = outbox.sort(connection, self._holder, ids, now + LEASE, sort_out)
        self._results += Counter({"covered": covered})
        self.leases.replace(ids, [notice.id for notice in notices], begun=[notice.id for notice in notices[:1]])
        self.notices |= {notice.id: notice for notice in notices}
        return [_charged(notice) for notice in notices]

    def do(self, item: Charged) -> DeliveryResult | None:
        if self._hurried and self.notices[item.id].lane != FIRST:
            return None
        notice = self._begun(item.id)
        if notice is None:
            return _lost(item)
        item = _charged(notice)
        if notice.crashes > 1:
            _log.warning("notice.crashed_before", notice=notice.id, kind=notice.kind, crashes=notice.crashes - 1)
        try:
            mail = mail_of(self._context, notice)
            self._context.transport.send(mail)
        except TransportDown as error:
            if error.during_transfer and self._suspect is None:
                self._suspect = item, str(error)
                return None
            return self._wait(item, str(error))
        except CannotCompose as error:
            return self._give_up(item, str(error))
        except NotComposed as error:
            return self.set_aside(item, error.failure)
        except TransportError as error:
            self._convict()
            refused = isinstance(error, PermanentlyRefused)
            return self._give_up(item, str(error)) if refused else self._broke(item, str(error))
        self._convict()
        return self._sent(notice, mail)

    def _convict(self) -> None:
        """Postpones the mail that has broken the connection, as the server answers for another."""
        if self._suspect is not None:
            self._results[self._broke(*self._suspect)] += 1
            self._suspect = None

    def set_aside(self, item: Charged, failure: Failure) -> DeliveryResult:
        if item.id in self.notices:
            item = _charged(self.notices[item.id])  # with the attempt that has begun meanwhile
        follows = what_follows(self.loop, item, failure, self._luck())
        if isinstance(follows, Kept):
            return self._give_up(item, follows.reason)
        until, error = self._context.clock() + follows.pause, sentence(failure)
        mine = self._postpone(item, error, until, follows.counted, follows.crashed)
        event = "notice.crashed" if follows.crashed else "notice.postponed"
        _log.warning(event, notice=item.id, attempt=item.attempts, until=until.isoformat(), error=error)
        if not mine:
            return _lost(item)
        return "crashed" if follows.crashed else "postponed"

    def _sent(self, notice: Notice, mail: EmailMessage) -> DeliveryResult:
        """Marks a notice as sent, and keeps what its mail says, which replies quote."""
        now, said = self._context.clock(), said_in(mail)
        recipient = notice.player_id or folded(notice.address or "")

        def mark(connection: Connection) -> bool:
            if not outbox.mark_sent(connection, self._holder, notice, now):
                return False
            mails.keep_texts(connection, notice.id, notice.match_id, recipient, said, now)
            return True

        mine = self._settle(notice.id, mark)
        _log.info("notice.sent", notice=notice.id, kind=notice.kind, match=notice.match_id, attempt=notice.attempts)
        return "sent" if mine else _lost(_charged(notice))

    def _broke(self, item: Charged, error: str) -> DeliveryResult:
        """Postpones a notice whose mail was refused temporarily, or has broken the connection."""
        return self.set_aside(item, Raised(error, ""))

    def _wait(self, item: Charged, error: str) -> DeliveryResult:
        """Postpones a notice as the mail server is down, uncounted; another is the next probe."""
        until = self._context.clock() + pause_after(self.loop, 1, self._luck())
        mine = self._postpone(item, error, until, counted=False)
        _log.warning("mail_server.down", notice=item.id, until=until.isoformat(), error=error)
        return "waiting" if mine else _lost(item)

    def _postpone(self, item: Charged, error: str, until: datetime, counted: bool, crashed: bool = False) -> bool:
        """Has a notice wait. Returns whether it was still held."""

        def mark(connection: Connection) -> bool:
            return LEASING.postpone(connection, self._holder, item.id, error, until, counted, crashed)

        return self._settle(item.id, mark)

    def _give_up(self, item: Charged, error: str) -> DeliveryResult:
        mine = self._settle(item.id, lambda connection: outbox.give_up(connection, self._holder, item.id, error))
        _log.error("notice.given_up", notice=item.id, attempt=item.attempts, error=error)
        return "dead" if mine else _lost(item)

    def _begun(self, notice_id: str) -> Notice | None:
        """The notice with its attempt counted; ``None`` unless held at the last heartbeat."""
        held = self.leases.ids
        if notice_id not in held:
            return None
        if notice_id not in self.leases.begun:
            with self.leases.write() as connection:  # what was begun before and is not settled has ended no process
                LEASING.forgive(connection, self._holder, held & self.leases.begun)
                self._begin(connection, notice_id)
        return self.notices[notice_id]

    def _begin(self, connection: Connection, notice_id: str) -> None:
        self.notices[notice_id] = outbox.begin(connection, self._holder, self.notices[notice_id])
        self.leases.begun.add(notice_id)

    def _settle(self, notice_id: str, mark: Callable[[Connection], bool]) -> bool:
        """Records the result of an attempt with ``mark``, and in the same transaction begins the
        next one, unless another one has begun. Returns whether the notice was still held.
        """
        others = self.leases.ids - {notice_id}
        waiting = () if others & self.leases.begun else [each for each in self.notices if each in others]
        with self.leases.write() as connection:
            mine = mark(connection)
            self._hurried = outbox.first_waits(connection, self._context.clock())
            for following in waiting[:1]:
                self._begin(connection, following)
        self.leases.replace([notice_id])
        return mine

    def _luck(self) -> float:
        return self._context.entropy.random_bytes(1)[0] / 255


def _charged(notice: Notice) -> Charged:
    return Charged(notice.id, notice.attempts, notice.crashes)


def _lost(item: Charged) -> DeliveryResult:
    """Logs that another worker has the notice now; the mail may come twice, with the same id."""
    _log.warning("notice.lease_lost", notice=item.id)
    return "lost"
