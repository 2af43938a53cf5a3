"""How requests wait for events: one thread of a process looks for all of them.

Each names the match or player whose events it waits for, and the number of the latest that it
knows. The thread looks whether there are later ones when it hears that there may be
(``service.queue``), and every ``LONGEST_SILENCE`` seconds, so nothing is missed, whatever is heard.
It ends when nobody waits.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from service import parts
from service.announcements import Hearing
from service.errors import TooMany
from service.store.database import Database
from service.store.events import EventsOwner, last_numbers
from service.store.files import FileLost
from service.waits import Signal, signal

LONGEST_SILENCE: Final = 1.5  # seconds after which the thread looks though it has heard nothing
SHORTEST_PAUSE: Final = 0.05  # seconds between two looks: however much happens, looking for it costs no more
MOST_OF_ONE: Final = 10  # so many requests of one caller wait in a process at the same time

Hear = Callable[[], AbstractContextManager[Hearing]]
log = structlog.get_logger(__name__)


@dataclass(eq=False, slots=True)
class _Waiting:
    """A request that waits for events of its subject after the number ``seen``."""

    subject: EventsOwner
    seen: int
    signal: Signal


class Following:
    """The requests of a process that wait for events."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: set[_Waiting] = set()
        self._of_caller: Counter[str] = Counter()
        self._looks = False

    @contextmanager
    def admitted(self, caller: str) -> Iterator[None]:
        """Counts a request of a caller that may wait. Raises ``TooMany`` (``too_many_waiting``)."""
        with self._lock:
            if self._of_caller[caller] >= MOST_OF_ONE:
                raise TooMany(
                    f"{MOST_OF_ONE} of your requests wait for events already, which is the most. One is enough for all"
                    " your matches: GET /v1/events; or ask without `wait`.",
                    retry_after=5,
                    code="too_many_waiting",
                )
            self._of_caller[caller] += 1
        try:
            yield
        finally:
            with self._lock:
                self._of_caller[caller] -= 1
                if not self._of_caller[caller]:
                    del self._of_caller[caller]

    def wait(self, database: Database, hear: Hear, subject: EventsOwner, seen: int, seconds: float) -> bool:
        """Waits at most ``seconds`` for an event after the number ``seen``. Returns whether there
        may be one.
        """
        own = _Waiting(subject, seen, signal())
        with self._lock:
            self._waiting.add(own)
            begins = not self._looks
            self._looks = True
        try:
            if begins:
                parts.start(parts.Part.NEWS, partial(self._look, database, hear))
            return own.signal.wait(seconds)
        finally:
            with self._lock:
                self._waiting.discard(own)

    def _look(self, database: Database, hear: Hear) -> None:
        pause = threading.Event()
        with hear() as wait:
            while True:
                with self._lock:
                    waiting = tuple(self._waiting)
                    self._looks = bool(waiting)
                if not waiting:
                    return
                try:
                    with database.read() as connection:
                        latest = last_numbers(connection, {each.subject for each in waiting})
                except (SQLAlchemyError, FileLost) as error:
                    log.warning("events.cannot_look", error=type(error).__name__)
                    latest = {}
                for each in waiting:
                    if latest.get(each.subject, 0) > each.seen:
                        each.signal.set()
                pause.wait(SHORTEST_PAUSE)
                wait(LONGEST_SILENCE)
