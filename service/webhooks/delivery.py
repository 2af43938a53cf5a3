"""Tells webhooks what the outbox has for them: the loop of webhooks (``service.loop``), at least
once each; repeats have the same id.

1. A row that is due is leased; of the rows of one player who has entered webhooks one at a time, so
   that slow targets of one keep nobody else's waiting.
2. A later row about the same match to the same address tells what the earlier would have told, and
   what was overtaken is covered.
3. A child reads the match and calls the address (``service.webhooks.calling``).

What fails is tried again after growing pauses, for as long as the address has failed for less than
``PATIENCE``. After that, or at once where it answers that it is gone, the webhook is switched off,
and its players are mailed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final, Literal, TypeAlias

import structlog
from sqlalchemy import Connection, select

from service.context import Context
from service.events import gate
from service.guard import Answered, Bounds, Failure, Guard, OutOfTime, Raised, sentence
from service.loop import HOLDER_LENGTH, LEASE, Kept, Leases, Loop, run, what_follows
from service.payloads import KINDS, AboutWebhook
from service.store import covering, outbox, webhooks
from service.store.covering import Because
from service.store.leasing import Charged
from service.store.outbox import CALLING, NewNotice, Notice
from service.store.tables import UNSTORABLE, seats
from service.webhooks.calling import CallOutcome
from service.webhooks.targets import read_target

PATIENCE: Final = timedelta(days=3)
BOUNDS: Final = Bounds(seconds=25)
"""Of a call with the reading before it; each part of it has bounds of its own."""

CallResult: TypeAlias = Literal["told", "covered", "postponed", "crashed", "dead", "off", "lost"]
_log = structlog.get_logger("service.webhooks")


def call_due(context: Context, caller: Guard, goes_on: Callable[[], object] = lambda: True) -> Counter[CallResult]:
    """Tells webhooks what is due. Returns the number of rows by result. Raises errors of the
    database, and no others.
    """
    results = Counter[CallResult]()
    run(WebhookWork(context, caller), results, goes_on)
    return results


class WebhookWork:
    """The work of the loop of webhooks."""

    loop = Loop.WEBHOOKS

    def __init__(self, context: Context, caller: Guard) -> None:
        self._context, self._caller = context, caller
        self._holder = context.entropy.token(HOLDER_LENGTH)
        self._notices: dict[str, Notice] = {}

    def lease(self, slow: bool) -> Sequence[Charged]:
        now = self._context.clock()
        return CALLING.lease_due(self._context.database, self._holder, now, now + LEASE, 1, slow)

    @contextmanager
    def held(self, ids: Collection[str]) -> Iterator[None]:
        self._notices = {}
        with Leases(self._context.database, self._context.clock, CALLING, self._holder, ids) as self._leases:
            yield

    def sort(self, charged: Sequence[Charged]) -> Sequence[Charged]:
        todo = []
        with self._leases.write() as connection:
            for each in charged:
                notice = self._sorted(connection, each.id)
                if notice is None:
                    self._leases.replace([each.id])
                else:
                    self._notices[each.id] = notice
                    todo.append(each)
        return todo

    def do(self, item: Charged) -> CallResult:
        notice = self._notices[item.id]
        match self._caller.ask(notice, BOUNDS):
            case Answered(CallOutcome("", _)):
                return self._told(notice)
            case Answered(CallOutcome(error, gone)):
                return self._failed(item, notice, error, gone)
            case Answered(other):
                raise AssertionError(f"a caller answers {other!r}")
            case OutOfTime() as failure:  # whoever is called takes all the time there is
                return self._failed(item, notice, sentence(failure), gone=False)
            case failure:
                return self.set_aside(item, failure)

    def set_aside(self, item: Charged, failure: Failure) -> CallResult:
        follows = what_follows(self.loop, item, failure, self._context.entropy.random_bytes(1)[0] / 255)
        error, now = sentence(failure), self._context.clock()
        with self._leases.write() as connection:
            if isinstance(follows, Kept):
                mine = outbox.give_up(connection, self._holder, item.id, follows.reason, CALLING)
            else:
                counted = follows.counted, follows.crashed
                mine = CALLING.postpone(connection, self._holder, item.id, error, now + follows.pause, *counted)
        self._leases.replace([item.id])
        _log.warning("webhook.not_told", notice=item.id, attempt=item.attempts, error=error)
        if not mine:
            return "lost"
        if isinstance(follows, Kept):
            return "dead"
        return "crashed" if follows.crashed else "postponed"

    def _sorted(self, connection: Connection, notice_id: str) -> Notice | None:
        """The leased notice, which tells with it what earlier ones would have told; ``None`` where
        it is not told itself.
        """
        now = self._context.clock()
        notice = outbox.held_by(connection, CALLING, self._holder, notice_id)
        if notice is None or notice.address is None:
            return None
        if not webhooks.told(connection, notice):
            covering.cover(connection, [notice_id], Because.SWITCHED_OFF)
            return None
        if notice.kind == "webhook":
            return notice
        *earlier, last = outbox.to_webhook(connection, notice.address, notice.match_id, self._holder, now)
        kinds = dict.fromkeys(kind for each in (*earlier, last) for kind in (each.kind, *each.payload.get(KINDS, ())))
        if earlier:
            told = {**last.payload, KINDS: [kind for kind in kinds if kind != last.kind]}
            outbox.set_payload(connection, last.id, told)
            covering.supersede(connection, [each.id for each in earlier], last.id)
        if last.id != notice_id:
            outbox.make_due(connection, last.id, now)
            return None
        if notice.kind in ("your_turn", "reminder") and not _is_awaited(connection, notice):
            covering.cover(connection, [notice_id], Because.PLAYED)
            return None
        return outbox.held_by(connection, CALLING, self._holder, notice_id)

    def _told(self, notice: Notice) -> CallResult:
        now = self._context.clock()
        assert notice.address is not None
        with self._leases.write() as connection:
            mine = outbox.mark_sent(connection, self._holder, notice, now, CALLING)
            webhooks.note_told(connection, notice.address, now)
        self._leases.replace([notice.id])
        _log.info("webhook.told", notice=notice.id, kind=notice.kind, match=notice.match_id, attempt=notice.attempts)
        return "told" if mine else "lost"

    def _failed(self, item: Charged, notice: Notice, error: str, gone: bool) -> CallResult:
        """Notes why an address could not be told, and switches it off where that has lasted."""
        assert notice.address is not None
        now, is_over = self._context.clock(), gone
        with self._leases.write() as connection:
            known = webhooks.note_failed(connection, notice.address, error, now)
            since = min((each.failing_since for each in known if each.failing_since is not None), default=now)
            is_over = is_over or now - since >= PATIENCE
            if is_over:
                _switch_off(connection, known, notice.address, error, now)
        if not is_over:
            return self.set_aside(item, Raised(error, ""))
        self._context.queue.wake_notices()
        self._leases.replace([item.id])
        _log.warning("webhook.switched_off", notice=item.id, gone=gone, error=error)
        return "off"


def _switch_off(connection: Connection, known: Sequence[webhooks.Webhook], url: str, error: str, now: datetime) -> None:
    """Tells an address nothing any more, and mails that to each player who has entered it."""
    webhooks.switch_off(connection, url, now)
    covering.cover(connection, outbox.untold(connection, url), Because.SWITCHED_OFF)
    place = read_target(url).place
    entered = {each.player_id: each.id for each in known}
    said = UNSTORABLE.sub("\ufffd", error)
    told = [NewNotice("webhook", owner, None, AboutWebhook(own, place, said)) for owner, own in entered.items()]
    gate.write(connection, told, now)


def _is_awaited(connection: Connection, notice: Notice) -> bool:
    mine = (seats.c.match_id == notice.match_id) & (seats.c.seat == notice.seat)
    return bool(connection.scalar(select(seats.c.to_act).where(mine)))
