"""What the use cases are given: everything that arrives from outside a process.

Joined once, in ``service.wiring``; tests join their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, TypeAlias

from service.config import Settings
from service.matches.states import States
from service.notices.mail.transport import Transport
from service.queue import Queue
from service.store.batched import BatchedStore
from service.store.database import Database
from service.vitals import MemoryVitals, Vitals

Clock: TypeAlias = Callable[[], datetime]
"""The time, in UTC and aware of it."""
Timer: TypeAlias = Callable[[], float]
"""Seconds since some moment, never going back: what durations and deadlines are measured with."""


class Entropy(Protocol):
    """Where unpredictable ids and secrets come from."""

    def token(self, length: int) -> str:
        """So many lower-case base32 characters, 5 bits each."""
        ...

    def bytes(self, length: int) -> bytes:
        """So many bytes."""
        ...


class Stored(Protocol):
    """For use cases that read or write rows."""

    @property
    def database(self) -> Database: ...


class Replaying(Protocol):
    """For replaying a match from the state that this process remembers."""

    @property
    def states(self) -> States: ...


class Readable(Stored, Replaying, Protocol):
    """For use cases that show a position."""


class Batched(Stored, Protocol):
    """For use cases whose reads or inserts are batched with those of other threads."""

    @property
    def batched(self) -> BatchedStore: ...


class Issuing(Stored, Protocol):
    """For use cases that make ids or secrets, or record a time."""

    @property
    def clock(self) -> Clock: ...

    @property
    def entropy(self) -> Entropy: ...


class Notifying(Issuing, Protocol):
    """For use cases that write notices, and wake the worker that sends them."""

    @property
    def queue(self) -> Queue: ...


class Judging(Readable, Protocol):
    """For use cases that append to a log, and wake those who wait for it."""

    @property
    def clock(self) -> Clock: ...

    @property
    def queue(self) -> Queue: ...

    @property
    def timer(self) -> Timer: ...


class Hosting(Judging, Notifying, Protocol):
    """For use cases that make a match, or seat a player, which may start it."""


class Submitting(Hosting, Batched, Protocol):
    """For use cases that take a turn in and wait for its verdict."""


class Composing(Readable, Protocol):
    """For use cases that compose a mail, with the position in it."""

    @property
    def settings(self) -> Settings: ...


class Sending(Composing, Notifying, Protocol):
    """For use cases that deliver notices."""

    @property
    def timer(self) -> Timer: ...

    @property
    def transport(self) -> Transport: ...


@dataclass(frozen=True, slots=True)
class Context:
    """The service as its interfaces use it: everything that is handed in.

    A use case takes it as one of the protocols above, which says what it needs.
    """

    settings: Settings
    database: Database
    queue: Queue
    clock: Clock
    entropy: Entropy
    states: States
    transport: Transport
    timer: Timer
    vitals: Vitals = field(default_factory=MemoryVitals)
    batched: BatchedStore = field(default_factory=BatchedStore)

    def close(self) -> None:
        """Lets go of the connections of this process."""
        self.queue.close()
        self.database.dispose()
