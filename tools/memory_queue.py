"""A queue and heartbeats in memory, for tools and tests."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, nullcontext

from service.announcements import Announced, Hearing, Waiter, Waiters
from service.queue import Attendance, Claimed, Heard, RqQueue
from service.vitals import QUEUES, Activity, Vitals


class Absent(Attendance):
    """The attendance of a worker that never waits."""

    def __init__(self) -> None:
        """Needs no Redis."""

    def begin(self) -> None:
        """Does nothing."""

    def wait(self, seconds: float) -> Heard:
        return "unavailable"

    def leave(self) -> bool:
        return False


class MemoryQueue(RqQueue):
    """Counts wake-ups, and calls ``judge`` and ``deliver`` where they are given."""

    def __init__(self, judge: Callable[[], object] | None = None, deliver: Callable[[], object] | None = None) -> None:
        self.judge = judge
        self.deliver = deliver
        self.turns = 0
        self.notices = 0
        self.messages = 0
        self.bots = 0
        self.announced: set[str] = set()
        self._waiters = Waiters()
        self._news = threading.Condition()

    def check(self) -> None:
        """Does nothing: no wake-up is lost here."""

    def wake_turns(self) -> None:
        self.turns += 1
        if self.judge is not None:
            self.judge()

    def wake_notices(self) -> None:
        self.notices += 1
        with self._news:
            self._news.notify_all()
        if self.deliver is not None:
            self.deliver()

    def hear_news(self) -> AbstractContextManager[Hearing]:
        return nullcontext(self._hear)

    def wake_messages(self) -> None:
        self.messages += 1

    def wake_bots(self) -> None:
        self.bots += 1

    def acknowledge(self, queue: str) -> None:
        """Does nothing, as nothing is suppressed here."""

    def attend(self, queue: str) -> Attendance:
        return Absent()

    def claim(self, turn_ids: Sequence[str]) -> Claimed:
        return Claimed(frozenset(turn_ids))

    def release(self, turn_ids: Collection[str]) -> None:
        """Does nothing, as nothing is claimed here."""

    def announce_verdicts(self, judged: Sequence[Announced]) -> None:
        self.announced.update(each.turn_id for each in judged)
        self._waiters.tell({each.turn_id: each.telling for each in judged if each.awaited_by is not None})

    def expecting(self, turn_id: str) -> AbstractContextManager[Waiter]:
        return self._waiters.expecting(turn_id)

    def close(self) -> None:
        """Does nothing."""

    def _hear(self, seconds: float) -> None:
        with self._news:
            self._news.wait(seconds)


class MemoryVitals(Vitals):
    """The heartbeats of this process alone."""

    def __init__(self) -> None:
        self.alive: Counter[str] = Counter()

    def beat(self, part: str) -> None:
        self.alive[part] = 1

    def activity(self) -> Activity:
        return Activity(dict(self.alive), dict.fromkeys(QUEUES, 0))
