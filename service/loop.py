"""How the service works through what waits: one loop, whatever the items are.

1. Items that are due are leased and charged: their attempts are counted, and committed, before
   anything of theirs is read, so that the items at which a process ended are known.
2. They are sorted: read, and some of them may be left out.
3. Each is done, within bounds of time, and settled.

Whatever an item does or raises at any of these places concerns that item alone: it is set aside,
tried again after growing pauses, and kept for the operator in the end. An item that ended its
process, or stopped it for longer than its bounds (``parts.ended_after``), waits in the slow lane:
it is tried alone, where no other item waits, or in every ``SLOW_EVERY``-th round. What may hang or
crash by what players or strangers have written is done in a child (``service.guard``).
"""

from __future__ import annotations

import random
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from queue import Empty, SimpleQueue
from types import MappingProxyType
from typing import Any, Final, Protocol, TypeVar

import structlog
from sqlalchemy import Connection

from service import parts
from service.children import Handler
from service.guard import Died, Failure, OutOfTime, Raised, Waited, facts, sentence
from service.store.database import Database, reason_of
from service.store.failures import MOST_LOCKED, is_blameless, is_locked
from service.store.leasing import Charged, Leasing
from service.store.outbox import QUICK_ATTEMPTS
from service.store.turns import MOST_TRIED

LEASE: Final = timedelta(seconds=6)  # how long the items of a killed process stay leased after its last heartbeat
HEARTBEAT_SECONDS: Final = 1.5
HOLDER_LENGTH: Final = 16
SLOW_EVERY: Final = 8

Item = TypeVar("Item")
Result = TypeVar("Result")
Name = TypeVar("Name", bound=str)
NameOf = TypeVar("NameOf", bound=str, covariant=True)
_log = structlog.get_logger("service.loop")


class Loop(StrEnum):
    """The loops of the service, by what their items are."""

    TURNS = "turns"
    NOTICES = "notices"
    WEBHOOKS = "webhooks"
    MESSAGES = "messages"
    BOTS = "bots"
    SWEEPS = "sweeps"
    """The kinds of sweeps, which are the following."""
    RULES = "rules"
    CLOCKS = "clocks"
    OFFERS = "offers"
    REMINDERS = "reminders"
    ARCHIVE = "archive"
    LEAVING = "leaving"
    UNSTARTED = "unstarted"
    BROWSERS = "browsers"
    SENT_TEXTS = "sent_texts"
    QUOTAS = "quotas"
    KEYED_REQUESTS = "keyed_requests"
    PLAYER_EVENTS = "player_events"
    OLD_NOTICES = "old_notices"
    OLD_TURNS = "old_turns"
    OLD_MESSAGES = "old_messages"
    PARTS = "parts"
    """Threads that are down (``service.parts``)."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What an item of a loop may do: after ``most_attempts`` that failed, or ``most_crashes`` in a
    row that ended or stopped a process, it is kept for the operator.

    The first ``quick`` pauses are ``first_pause``, the others twice the one before, up to
    ``last_pause``. ``seconds`` bounds an item, or the sorting of a batch, in this process.
    """

    most_attempts: int = 12
    most_crashes: int = 3
    quick: int = 1
    first_pause: timedelta = timedelta(seconds=4)
    last_pause: timedelta = timedelta(minutes=30)
    seconds: float = 120.0


TERMS: Final[Mapping[Loop, Terms]] = MappingProxyType(
    {loop: Terms() for loop in Loop}  # about two hours
    | {
        Loop.TURNS: Terms(most_attempts=MOST_TRIED),
        Loop.NOTICES: Terms(most_attempts=54, quick=QUICK_ATTEMPTS),  # about 20 hours
        Loop.WEBHOOKS: Terms(most_attempts=200, quick=QUICK_ATTEMPTS),  # more than 3 days, after which one is off
    }
)


@dataclass(frozen=True, slots=True)
class Again:
    """Try again after a ``pause``. The attempt is ``counted``; it ended or stopped a process."""

    pause: timedelta
    counted: bool
    crashed: bool


@dataclass(frozen=True, slots=True)
class Kept:
    """The item is kept for the operator, for the reason in a sentence."""

    reason: str


def pause_after(loop: Loop, attempts: int, luck: float = 0.5) -> timedelta:
    """The pause after so many failed attempts, changed by ``luck`` (0 to 1) by up to a quarter."""
    terms = TERMS[loop]
    doubled = terms.first_pause.total_seconds() * 2.0 ** max(0, attempts - terms.quick)
    return timedelta(seconds=min(doubled, terms.last_pause.total_seconds()) * (0.75 + luck / 2))


def what_follows(loop: Loop, charged: Charged, failure: Failure, luck: float = 0.5) -> Again | Kept:
    """What becomes of an item whose attempt, counted in ``charged``, has failed."""
    terms, crashed = TERMS[loop], isinstance(failure, Died | OutOfTime)
    if isinstance(failure, Waited):
        return Again(pause_after(loop, 1, luck), counted=False, crashed=False)
    if charged.attempts >= terms.most_attempts or (crashed and charged.crashes >= terms.most_crashes):
        return Kept(f"{sentence(failure).rstrip('.')}. This was attempt {charged.attempts}.")
    return Again(pause_after(loop, charged.attempts, luck), counted=True, crashed=crashed)


def failure_of(error: Exception) -> Failure:
    """What the error that an item raised in this process means."""
    if is_blameless(error):
        return Waited(f"the database is not available: {type(error).__name__}")
    return Raised(f"{type(error).__name__}: {error}", "".join(traceback.format_exception(error)))


def answering(handle: Handler) -> Handler:
    """What a child answers by ``handle``: an error of the database is no fault of the request."""

    def answer(request: Any) -> Any:
        try:
            return handle(request)
        except Exception as error:
            return failure_of(error)

    return answer


def isolated(connection: Connection, act: Callable[[], Result]) -> Result | Raised:
    """The result of what is done for one item of a transaction; where it raises, it alone is
    undone.
    """
    try:
        with connection.begin_nested():
            return act()
    except Exception as error:
        if is_blameless(error):
            raise
        _log.exception("item.failed")
        return Raised(f"{type(error).__name__}: {error}", traceback.format_exc())


def together(
    items: Sequence[Item],
    act: Callable[[Sequence[Item]], Sequence[Result]],
    failed: Callable[[Item, Exception], Sequence[Result]],
) -> list[Result]:
    """The results of what is done for several items at once; one by one where that raises, so that
    the item that is the cause fails alone. ``act`` undoes what it did where it raises. One of which
    somebody keeps rows locked is left out, and tried again as if it were new. Raises other errors
    of the database.
    """
    results: list[Result] = []
    todo, locked = [items] if items else [], 0
    while todo and locked < MOST_LOCKED:
        some, *todo = todo
        try:
            results += act(some)
        except Exception as error:
            if is_locked(error):
                locked += 1
                _log.warning("items.locked", items=len(some), error=reason_of(error))
            elif is_blameless(error):
                raise
            elif len(some) == 1:
                results += failed(some[0], error)
            if len(some) > 1:
                # In another order each time, or some that are locked would always keep back others.
                todo = [[each] for each in (random.sample(some, len(some)) if is_locked(error) else some)]
    return results


class Work(Protocol[NameOf]):
    """What a loop does with its items, which are known by their ids, outside of any transaction.
    The names of results are counted.
    """

    @property
    def loop(self) -> Loop: ...

    def lease(self, slow: bool) -> Sequence[Charged]:
        """Leases items that are due, and commits their attempts; in the slow lane one of them."""
        ...

    def held(self, ids: Collection[str]) -> AbstractContextManager[object]:
        """Holds leased items until the block ends, and releases those that were not done."""
        ...

    def sort(self, charged: Sequence[Charged]) -> Sequence[Charged]:
        """Reads leased items. Returns those to be done, in order."""
        ...

    def do(self, item: Charged) -> NameOf | None:
        """Does and settles an item. Returns the result; ``None`` where nothing is to be counted."""
        ...

    def set_aside(self, item: Charged, failure: Failure) -> NameOf:
        """Settles an item that failed. Returns the result."""
        ...


def run(work: Work[Name], results: Counter[Name], goes_on: Callable[[], object]) -> bool:
    """Works through what waits until nothing does, or ``goes_on`` is false. Counts the ``results``.
    Returns whether there may be more. Raises errors of the database, and no others.
    """
    rounds = 0
    while goes_on():
        rounds += 1
        found = _batch(work, False, results, goes_on)
        if not found or rounds % SLOW_EVERY == 0:
            found = _batch(work, True, results, goes_on) or found
        if not found:
            return False
    return True


def _batch(work: Work[Name], slow: bool, results: Counter[Name], goes_on: Callable[[], object]) -> bool:
    """Leases and does one batch. Returns whether any item was due."""
    settle_owed()
    charged, terms = work.lease(slow), TERMS[work.loop]
    if not charged:
        return False

    def failed(item: Charged, error: Exception) -> tuple[Charged, ...]:
        results[_failed(work, item, error)] += 1
        return ()

    with work.held([each.id for each in charged]):
        fresh = []
        for each in charged:
            if each.crashes > terms.most_crashes:  # each process ended during its own attempt
                results[work.set_aside(each, Died("every process that tried it ended meanwhile"))] += 1
            else:
                fresh.append(each)
        with parts.ended_after(terms.seconds):
            todo = together(fresh, work.sort, failed)
        for each in todo:
            if not goes_on():
                break
            with parts.ended_after(terms.seconds):
                try:
                    result = work.do(each)
                except Exception as error:
                    result = _failed(work, each, error)
            if result is not None:
                results[result] += 1
    return True


_owed: Final = SimpleQueue[Callable[[], object]]()


def give_back(charges: Callable[[], object]) -> None:
    """Takes back the charges of items whose batch the database has broken off: they ended no
    process. Where it is away, that is done before the next batch, and its error is raised.
    """
    try:
        charges()
    except Exception:
        _owed.put(charges)
        raise


def settle_owed() -> None:
    """Takes back what could not be before. Raises errors of the database."""
    with suppress(Empty):
        while True:
            give_back(_owed.get_nowait())


def _failed(work: Work[Name], item: Charged, error: Exception) -> Name:
    failure = failure_of(error)
    _log.error("item.failed", loop=work.loop, item=item.id, **facts(failure))
    return work.set_aside(item, failure)


class Leases:
    """Leases of ``holder``, extended by a thread until each is dropped or the block ends.

    Then those left are released, and the attempts that were ``begun`` and not done are not counted;
    after an outage of the database, as soon as that is over. After another exception they expire
    instead, as when the process is killed; so do those that could not be extended in time: another
    process may have such an item, and this one must not touch it.
    """

    def __init__(
        self, database: Database, clock: Callable[[], datetime], rows: Leasing, holder: str, ids: Collection[str]
    ) -> None:
        self._database, self._clock, self._rows, self.holder = database, clock, rows, holder
        self._held, self.begun = set(ids), set[str](ids)
        self._lock, self._writing, self._done = threading.Lock(), threading.Lock(), threading.Event()

    def __enter__(self) -> Leases:
        self._heartbeat = parts.start(parts.Part.LEASES, self._beat)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        self._done.set()
        self._heartbeat.join()
        if self._held and (error is None or is_blameless(error)):
            give_back(self._release)

    def _release(self) -> None:
        with self.write() as connection:
            self._rows.charge(connection, self.holder, self._held & self.begun, -1)
            self._rows.release(connection, self.holder, self._held)

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction, one at a time: two would lock the same rows in different orders."""
        with self._writing, self._database.write() as connection:
            yield connection

    @property
    def ids(self) -> frozenset[str]:
        """The ids that were held at the last heartbeat and are not dropped."""
        with self._lock:
            return frozenset(self._held)

    def replace(self, before: Collection[str], after: Collection[str] = (), begun: Collection[str] = ()) -> None:
        """Holds other items than before, if any. Of the new ones the attempts of ``begun`` are
        counted.
        """
        with self._lock:
            self._held = (self._held - set(before)) | set(after)
            self.begun = (self.begun - set(before)) | set(begun)

    def extend(self) -> None:
        """Extends the leases that are held, and drops those that another process has taken."""
        held = self.ids
        if not held:
            return
        try:
            with self.write() as connection:
                kept = self._rows.extend(connection, self.holder, held, self._clock() + LEASE)
        except Exception as error:
            _log.warning("leases.not_extended", items=len(held), error=type(error).__name__)
            return
        with self._lock:
            self._held -= held - kept

    def _beat(self) -> None:
        while not self._done.wait(HEARTBEAT_SECONDS):
            self.extend()
