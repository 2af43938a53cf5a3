"""What the workers do, and the jobs by which RQ calls for it: by name, without arguments.

The work is in the rows: a job may come twice, late or for nothing. A worker is a thread that does
one kind of work, which ``begin`` gives to its jobs.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, ClassVar, Final

import structlog
from sqlalchemy import Connection

from service import heartbeats
from service.bots.choosing import choosing_in
from service.bots.playing import play_due
from service.children import ForkServer, Role
from service.context import Context
from service.counts import BOT_TURNS, DELIVERIES, HANDLINGS
from service.guard import ChildGuard, Guard
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

    pulse: Pulse | None = None

    def __init__(self, context: Context, stop: StopRequest) -> None:
        self.context, self.stop = context, stop

    @abstractmethod
    def do(self) -> None:
        """Does what is due, unless there is a maintenance: what follows has to be stored."""

    @abstractmethod
    def waits(self, connection: Connection, now: datetime, age: timedelta) -> bool:
        """Whether rows wait for it, turns from an ``age`` on."""

    def save_counts(self) -> None:
        """Saves what was counted where that is due, unless there is a maintenance. Raises
        SQLAlchemy's errors.
        """
        counts, now = self.context.counts, self.context.timer()
        if counts.is_due(now) and self.context.maintenance() is None:
            counts.save_due(self.context.database, now)

    def _milliseconds(self, started: float) -> float:
        return round((self.context.timer() - started) * 1000, 1)


class Judging(ProcessWork):
    """Judges the pending turns."""

    def __init__(self, context: Context, stop: StopRequest, rulings: Rulings) -> None:
        super().__init__(context, stop)
        self._rulings, self._heart = rulings, Pulse(context, heartbeats.JUDGE)
        self.pulse = self._heart

    def do(self) -> None:
        started = self.context.timer()
        judged = pending.judge_pending(self.context, self._rulings, self._stopping)
        if judged:
            _log.info("turns.judged", turns=judged, milliseconds=self._milliseconds(started))

    def waits(self, connection: Connection, now: datetime, age: timedelta) -> bool:
        return survey.turns_wait(connection, now, age)

    def _stopping(self) -> bool:
        """Whether no further turn is to be judged; asked often, also while nothing is to be
        judged.
        """
        self._heart.beat()
        return bool(self.stop) or self.context.maintenance() is not None


class Counted(ProcessWork):
    """Work that comes to results, which are counted."""

    queue: ClassVar[str]
    counter: ClassVar[str]
    done: ClassVar[str]
    left: ClassVar[str]
    """What the log says of work that was done, and of work that was left for a maintenance."""

    def do(self) -> None:
        started = self.context.timer()
        self.context.queue.acknowledge(self.queue)
        if self.context.maintenance() is not None:
            _log.info(self.left, reason="maintenance")
            return
        results = self.results()
        self.context.counts.add(self.counter, {str(result): number for result, number in results.items()})
        if results:
            _log.info(self.done, results=dict(results), milliseconds=self._milliseconds(started))

    @abstractmethod
    def results(self) -> Counter[Any]:
        """Does what is due. Returns the number of rows by result."""


class Delivering(Counted):
    """Delivers the notices."""

    queue, counter, done, left = NOTICES, DELIVERIES, "notices.handled", "notices.kept"

    def __init__(self, context: Context, stop: StopRequest) -> None:
        super().__init__(context, stop)
        self._heart = self.pulse = Pulse(context, heartbeats.MAIL)

    def results(self) -> Counter[Any]:
        delivered = delivery.deliver_due(self.context)
        if self._heart.is_due and not delivered["waiting"] and (delivered["sent"] or self._could_send()):
            self._heart.beat()
        return delivered

    def waits(self, connection: Connection, now: datetime, age: timedelta) -> bool:
        return outbox.LEASING.any_due(connection, now)

    def _could_send(self) -> bool:
        try:
            self.context.transport.check()
        except TransportError as error:
            _log.warning("mail_server.down", error=str(error))
            return False
        return True


class Handling(Counted):
    """Handles the mails that came in."""

    queue, counter, done, left = MESSAGES, HANDLINGS, "messages.handled", "messages.left"

    def __init__(self, context: Context, stop: StopRequest, guard: Guard) -> None:
        super().__init__(context, stop)
        self._guard = guard

    def results(self) -> Counter[Any]:
        return handle_due(self.context, self._guard)

    def waits(self, connection: Connection, now: datetime, age: timedelta) -> bool:
        return messages.LEASING.any_due(connection, now)


class Playing(Counted):
    """Plays for the bots that are awaited."""

    queue, counter, done, left = BOTS, BOT_TURNS, "bots.played", "bots.left"

    def __init__(self, context: Context, stop: StopRequest, guard: Guard) -> None:
        super().__init__(context, stop)
        self._choosing = choosing_in(guard)

    def results(self) -> Counter[Any]:
        return play_due(self.context, self._choosing, lambda: self.stop)

    def waits(self, connection: Connection, now: datetime, age: timedelta) -> bool:
        return bool(match_lists.awaited_bots(connection, 1))


WORK: Final[Mapping[str, Callable[[Context, ForkServer, StopRequest], ProcessWork]]] = MappingProxyType(
    {
        TURNS: lambda context, server, stop: Judging(
            context, stop, ChildRulings(server, context.timer, context.settings.ruling_seconds)
        ),
        NOTICES: lambda context, server, stop: Delivering(with_mail_processes(context, server), stop),
        MESSAGES: lambda context, server, stop: Handling(
            context, stop, ChildGuard(server, Role.HANDLING, context.timer)
        ),
        BOTS: lambda context, server, stop: Playing(context, stop, ChildGuard(server, Role.CHOOSING, context.timer)),
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
