"""The context of the use cases, built in ``service.wiring``; tests build their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from typing import Final, Protocol, TypeAlias

from service.config import Settings
from service.counts import Counts
from service.following import Following
from service.guard import Guard
from service.kept import KeptAnswer, SizedCache, States
from service.pictures.pool import Pictures
from service.queue import RqQueue
from service.rates import MemoryRates, Rates
from service.sandbox import InProcess, Sandbox
from service.store.batched import BatchedStore
from service.store.database import Database
from service.store.maintenance import Maintenance
from service.vitals import Vitals

MOST_KEPT_BYTES: Final = 16 * 1024 * 1024  # of the answers that a process keeps

WallClock: TypeAlias = Callable[[], datetime]
"""Returns the current time, timezone-aware, in UTC."""
Timer: TypeAlias = Callable[[], float]
"""Returns monotonic seconds since an arbitrary moment, to measure durations and deadlines."""


class Entropy(Protocol):
    """Source of unpredictable ids and secrets."""

    def token(self, length: int) -> str:
        """Returns ``length`` lower-case base32 characters of 5 random bits each."""
        ...

    def random_bytes(self, length: int) -> bytes:
        """Returns ``length`` random bytes."""
        ...


class Transport(Protocol):
    """Sends mails."""

    def send(self, message: EmailMessage) -> str:
        """Returns what the server answered that has accepted the message. Raises
        ``TransportError``, or ``CannotCompose`` where it cannot be serialised faithfully.
        """
        ...

    def check(self) -> str:
        """Returns what was answered where mails could be sent now. Raises ``TransportError``."""
        ...


class Replaying(Protocol):
    """What replaying a match takes: a context, or the judge's child."""

    @property
    def states(self) -> States: ...


class Issuing(Protocol):
    """What making keys and ids takes: a context, or what makes one."""

    @property
    def database(self) -> Database: ...

    @property
    def clock(self) -> WallClock: ...

    @property
    def entropy(self) -> Entropy: ...


@dataclass(frozen=True, slots=True)
class Context:
    """All that comes from outside a process. Without a ``composer`` mails are composed in it."""

    settings: Settings
    database: Database
    queue: RqQueue
    clock: WallClock
    entropy: Entropy
    states: States
    transport: Transport
    timer: Timer
    vitals: Vitals
    counts: Counts = field(default_factory=Counts)
    batched: BatchedStore = field(default_factory=BatchedStore)
    following: Following = field(default_factory=Following)
    pictures: Pictures = field(default_factory=Pictures)
    composer: Guard | None = None
    sandbox: Sandbox = field(default_factory=InProcess)
    rates: Rates = field(default_factory=MemoryRates)
    kept: SizedCache[KeptAnswer] = field(default_factory=lambda: SizedCache(MOST_KEPT_BYTES))

    def maintenance(self) -> Maintenance | None:
        """The present maintenance, as known for at most a second."""
        return self.batched.maintenance(self.database, self.timer)

    def close(self) -> None:
        """Closes the connections of this process, and ends the processes that work for it."""
        self.batched.answers.record(self.database, self.clock)
        self.sandbox.close()
        self.pictures.close()
        self.queue.close()
        self.database.dispose()
