"""The context of the use cases: everything that comes from outside a process.

Built in ``service.wiring``; tests build their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from typing import Final, Protocol, TypeAlias

from service.config import Settings
from service.guard import Guard
from service.kept import KeptAnswer, SizedCache
from service.pictures.pool import DrawnHere, Pictures
from service.queue import Queue
from service.rates import MemoryRates, Rates
from service.sandbox import InProcess, Sandbox
from service.states import States
from service.store.batched import BatchedStore
from service.store.database import Database
from service.store.maintenance import Maintenance, MaintenanceMark
from service.vitals import MemoryVitals, Vitals

MOST_KEPT_BYTES: Final = 16 * 1024 * 1024
"""Of the answers that a process keeps."""

Clock: TypeAlias = Callable[[], datetime]
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

    def send(self, message: EmailMessage) -> None:
        """Returns when the recipient's side has accepted responsibility for the message.

        Raises ``TransportError``, or ``CannotCompose`` where the message cannot be serialised
        faithfully (``service.notices.mail.errors``).
        """
        ...

    def check(self) -> None:
        """Returns where mails could be sent now. Raises ``TransportError``."""
        ...


class Stored(Protocol):
    """For use cases that read or write rows."""

    @property
    def database(self) -> Database: ...


class Checked(Stored, Protocol):
    """For looking whether the service can work."""

    @property
    def clock(self) -> Clock: ...

    @property
    def queue(self) -> Queue: ...


class Replaying(Protocol):
    """For replaying a match from the states that this process remembers."""

    @property
    def states(self) -> States: ...


class Readable(Stored, Replaying, Protocol):
    """For use cases that show a position."""


class Marking(Readable, Protocol):
    """For use cases that mark a match whose log they could not read."""

    @property
    def clock(self) -> Clock: ...


class Drawing(Readable, Protocol):
    """For use cases that show a position as a picture."""

    @property
    def pictures(self) -> Pictures: ...


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
    """For use cases that write notices and wake the worker that sends them."""

    @property
    def queue(self) -> Queue: ...


class Looking(Stored, Protocol):
    """For use cases that note that somebody has looked at something."""

    @property
    def clock(self) -> Clock: ...

    def maintenance(self) -> Maintenance | None: ...


class Judging(Readable, Protocol):
    """For use cases that append to a log and wake the threads that wait for verdicts."""

    @property
    def settings(self) -> Settings: ...

    @property
    def clock(self) -> Clock: ...

    @property
    def queue(self) -> Queue: ...

    @property
    def timer(self) -> Timer: ...


class Hosting(Judging, Notifying, Protocol):
    """For use cases that create a match or seat a player, which may start the match."""


class Submitting(Hosting, Batched, Protocol):
    """For use cases that try actions, or store a turn and wait for its verdict."""

    @property
    def sandbox(self) -> Sandbox: ...


class Keeping(Stored, Protocol):
    """For use cases that remove what is no longer needed."""

    @property
    def clock(self) -> Clock: ...

    @property
    def timer(self) -> Timer: ...


class Composing(Marking, Issuing, Protocol):
    """For use cases that compose a mail, with the position and signed addresses in it."""

    @property
    def settings(self) -> Settings: ...


class Mailing(Composing, Drawing, Protocol):
    """For use cases that make a mail, with its picture."""

    @property
    def composer(self) -> Guard | None: ...


class Sending(Mailing, Notifying, Protocol):
    """For use cases that deliver notices."""

    @property
    def timer(self) -> Timer: ...

    @property
    def transport(self) -> Transport: ...


@dataclass(frozen=True, slots=True)
class Context:
    """Everything that comes from outside a process, for API, workers and commands.

    A use case takes it as one of the protocols above, which names what the use case needs. Without
    a ``composer`` mails are composed in this process.
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
    pictures: Pictures = field(default_factory=DrawnHere)
    composer: Guard | None = None
    sandbox: Sandbox = field(default_factory=InProcess)
    rates: Rates = field(default_factory=MemoryRates)
    kept: SizedCache[KeptAnswer] = field(default_factory=lambda: SizedCache(MOST_KEPT_BYTES))
    mark: MaintenanceMark = field(default_factory=MaintenanceMark)

    def maintenance(self) -> Maintenance | None:
        """The present maintenance, as known for at most a second."""
        return self.mark.present(self.database, self.timer)

    def close(self) -> None:
        """Closes the connections of this process, and ends the processes that work for it."""
        self.batched.answers.record(self.database, self.clock)
        self.sandbox.close()
        self.pictures.close()
        self.queue.close()
        self.database.dispose()
