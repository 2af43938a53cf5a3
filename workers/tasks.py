"""What the workers do, and the jobs by which RQ calls for it, which may come twice, late or for
nothing, as the work is in the rows. A worker is a thread that does one kind of work, which
``begin`` gives to its jobs.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from types import MappingProxyType
from typing import Any, Final

import structlog
from sqlalchemy import Connection

from service import heartbeats
from service.bots.playing import play_due
from service.children import ForkServer, Role
from service.context import Context
from service.counts import BOT_TURNS, DELIVERIES, HANDLINGS
from service.guard import Guard
from service.heartbeats import Pulse
from service.inbox.handling import handle_due
from service.notices import delivery
from service.notices.mail.errors import TransportError
from service.queue import BOTS, MESSAGES, NOTICES, TURNS
from service.store import match_lists, messages, outbox, survey
from service.turns import pending
from service.turns.rulings import ChildRulings, Rulings
from service.wiring import with_mail_processes
from workers.stop import StopRequest

_log = structlog.get_logger("workers")


class ProcessWork(ABC):
    """The work of one worker. ``pulse`` is its heartbeat, for which it is done, too."""

    def __init__(self, context: Context, pulse: Pulse | None) -> None:
        self.context, self.pulse = context, pulse

    @abstractmethod
    def do(self) -> None:
        """Does what is due, unless there is a maintenance: what follows has to be stored."""

    @abstractmethod
    def waits(self, connection: Connection, now: datetime, age: timedelta) -> bool:
        """Whether rows wait for it, turns from an ``age`` on."""

    def save_counts(self) -> None:
        """Saves counts where that is due, but in a maintenance. Raises SQLAlchemy's errors."""
        counts, now = self.context.counts, self.context.timer()
        if counts.is_due(now) and self.context.maintenance() is None:
            counts.save_due(self.context.database, now)

    def _milliseconds(self, started: float) -> float:
        return round((self.context.timer() - started) * 1000, 1)


class Judging(ProcessWork):
    """Judges the pending turns."""

    def __init__(self, context: Context, stop: StopRequest, rulings: Rulings) -> None:
        self._heart = Pulse(context, heartbeats.JUDGE)
        super().__init__(context, self._heart)
        self._stop, self._rulings = stop, rulings

    def do(self) -> None:
        started = self.context.timer()
        judged = pending.judge_pending(self.context, self._rulings, self._stopping)
        if judged:
            _log.info("turns.judged", turns=judged, milliseconds=self._milliseconds(started))

    def waits(self, connection: Connection, now: datetime, age: timedelta) -> bool:
        return survey.turns_wait(connection, now, age)

    def _stopping(self) -> bool:
        """Whether no further turn is to be judged; asked often, also while none is there."""
        self._heart.beat()
        return bool(self._stop) or self.context.maintenance() is not None


class Counted(ProcessWork):
    """Work whose results are counted by ``counter``. The log says that it is ``done``, or ``left``
    for a maintenance. ``act`` does what is ``due``, and returns the number of rows by result.
    """

    def __init__(
        self,
        context: Context,
        queue: str,
        counter: str,
        done: str,
        left: str,
        act: Callable[[], Counter[Any]],
        due: Callable[[Connection, datetime], bool],
        pulse: Pulse | None = None,
    ) -> None:
        super().__init__(context, pulse)
        self._queue, self._counter, self._done, self._left = queue, counter, done, left
        self._act, self._due = act, due

    def do(self) -> None:
        started = self.context.timer()
        self.context.queue.acknowledge(self._queue)
        if self.context.maintenance() is not None:
            _log.info(self._left, reason="maintenance")
            return
        results = self._act()
        self.context.counts.add(self._counter, {str(result): number for result, number in results.items()})
        if results:
            _log.info(self._done, results=dict(results), milliseconds=self._milliseconds(started))

    def waits(self, connection: Connection, now: datetime, age: timedelta) -> bool:
        return self._due(connection, now)


def delivering(context: Context) -> ProcessWork:
    """Delivers the notices, and beats where mails could be sent."""
    pulse = Pulse(context, heartbeats.MAIL)

    def deliver() -> Counter[Any]:
        delivered = delivery.deliver_due(context)
        if pulse.is_due and not delivered["waiting"] and (delivered["sent"] or _could_send(context)):
            pulse.beat()
        return delivered

    due = outbox.LEASING.any_due
    return Counted(context, NOTICES, DELIVERIES, "notices.handled", "notices.kept", deliver, due, pulse)


def _could_send(context: Context) -> bool:
    try:
        context.transport.check()
    except TransportError as error:
        _log.warning("mail_server.down", error=str(error))
        return False
    return True


def handling(context: Context, guard: Guard) -> ProcessWork:
    """Handles the mails that came in."""
    handle, due = partial(handle_due, context, guard), messages.LEASING.any_due
    return Counted(context, MESSAGES, HANDLINGS, "messages.handled", "messages.left", handle, due)


def playing(context: Context, stop: StopRequest, guard: Guard) -> ProcessWork:
    """Plays for the bots that are awaited."""
    play = partial(play_due, context, guard, lambda: stop)

    def due(connection: Connection, now: datetime) -> bool:
        return bool(match_lists.awaited_bots(connection, 1))

    return Counted(context, BOTS, BOT_TURNS, "bots.played", "bots.left", play, due)


WORK: Final[Mapping[str, Callable[[Context, ForkServer, StopRequest], ProcessWork]]] = MappingProxyType(
    {
        TURNS: lambda context, server, stop: Judging(
            context, stop, ChildRulings(server, context.timer, context.settings.ruling_seconds)
        ),
        NOTICES: lambda context, server, stop: delivering(with_mail_processes(context, server)),
        MESSAGES: lambda context, server, stop: handling(context, Guard(server, Role.HANDLING, context.timer)),
        BOTS: lambda context, server, stop: playing(context, stop, Guard(server, Role.CHOOSING, context.timer)),
    }
)
"""Makes the work of a worker, by the queue whose wake-ups are for the same rows."""

_own = threading.local()


def begin(work: ProcessWork) -> None:
    """Has the jobs of this thread do that work."""
    _own.work = work


def do() -> None:
    """The job of every queue."""
    _own.work.do()
    _own.work.save_counts()
