"""Work whose items have no rows of their own, such as the matches of a sweep. What is at work, or
failed, has a row meanwhile (``service.store.leasing``).
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Generic, TypeVar

import structlog

from service import parts
from service.context import Context
from service.guard import Answered, ChildOutcome, Failure, sentence
from service.loop import Kept, Loop, give_back, what_follows
from service.store import leasing
from service.store.failures import is_blameless
from service.store.leasing import Aside, Charged

AT_WORK: Final = timedelta(seconds=30)  # so long nobody else takes items of a process that may have ended
Name = TypeVar("Name", bound=str)
_log = structlog.get_logger("service.loop")


@dataclass(frozen=True, slots=True)
class Kind(Generic[Name]):
    """A loop: the ids of what is due, and what is done with one. What does not answer is
    ``failed``.
    """

    loop: Loop
    due: Callable[[], Collection[str]]
    act: Callable[[str], ChildOutcome[Name]]
    failed: Name
    at_once: int = 50


class RowlessWork(Generic[Name]):
    """The work of one loop, once: each item that is due when it begins. Unless ``charged``, the
    attempts of the usual lane are not written, but where they fail.
    """

    def __init__(self, context: Context, kind: Kind[Name], charged: bool = True) -> None:
        self.loop = kind.loop
        self._context, self._kind, self._charged = context, kind, charged
        self._todo: list[str] | None = None
        self._aside: Collection[str] = ()
        self._done: set[str] = set()

    def lease(self, slow: bool) -> Sequence[Charged]:
        items = self._again() if slow else self._next()
        if not items:
            return ()
        if not slow and not self._charged:
            return [Charged(item, 1, 1) for item in items]
        with self._context.database.write() as connection:
            return leasing.charge_items(connection, self.loop, items, self._context.clock() + AT_WORK)

    @contextmanager
    def held(self, ids: Collection[str]) -> Iterator[None]:
        self._done = done = set(ids)
        written = self._charged or self._slow

        def uncharge() -> None:
            with self._context.database.write() as connection:
                leasing.uncharge_items(connection, self.loop, done, self._context.clock())

        try:
            yield
            if written:
                with self._context.database.write() as connection:
                    leasing.clear_items(connection, self.loop, done)
        except Exception as error:
            if written and is_blameless(error):
                give_back(uncharge)
            raise

    def sort(self, charged: Sequence[Charged]) -> Sequence[Charged]:
        return charged

    def do(self, item: Charged) -> Name:
        outcome = self._kind.act(item.id)
        return outcome.answer if isinstance(outcome, Answered) else self.set_aside(item, outcome)

    def set_aside(self, item: Charged, failure: Failure) -> Name:
        now, follows = self._context.clock(), what_follows(self.loop, item, failure)
        if isinstance(follows, Kept):
            failed = Aside(self.loop, item.id, item.attempts, item.crashes, now, follows.reason, True)
        else:
            attempts = item.attempts if follows.counted else item.attempts - 1
            crashes = item.crashes if follows.crashed else 0
            failed = Aside(self.loop, item.id, attempts, crashes, now + follows.pause, sentence(failure), False)
        with self._context.database.write() as connection:
            leasing.set_aside(connection, failed)
        self._done.discard(item.id)
        log = _log.error if failed.kept else _log.warning
        log("item.set_aside", loop=self.loop, item=item.id, attempt=item.attempts, kept=failed.kept, error=failed.error)
        return self._kind.failed

    def _next(self) -> Collection[str]:
        self._slow = False
        if self._todo is None:
            with self._context.database.look() as connection:
                self._aside = leasing.items_of(connection, self.loop)
            self._todo = [item for item in dict.fromkeys(self._kind.due()) if item not in self._aside]
        most = self._kind.at_once
        items, self._todo = self._todo[:most], self._todo[most:]
        return items

    def _again(self) -> Collection[str]:
        self._slow = True
        if not self._aside:
            return ()
        with self._context.database.look() as connection:
            item = leasing.next_item(connection, self.loop, self._context.clock())
        return () if item is None else (item,)


def records_of_parts(context: Context) -> parts.Teller:
    """What records the parts of this process that are down, for all others to see."""
    process = f"{socket.gethostname()}:{os.getpid()}"

    def told(part: parts.Part, down: parts.Down | None) -> None:
        item = part if part is parts.Part.MAILBOX else f"{part} of {process}"  # of which there is one
        with context.database.write() as connection:
            leasing.forget_items(connection, Loop.PARTS, context.clock())  # those of processes that have ended
            if down is None:
                leasing.clear_items(connection, Loop.PARTS, [item])
            else:
                until = context.clock() + timedelta(seconds=down.pause)
                leasing.set_aside(connection, Aside(Loop.PARTS, item, down.deaths, 0, until, down.error, False))

    return told
