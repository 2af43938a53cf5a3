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


@dataclass(frozen=True, slots=True)
class Context:
    """The service as its use cases see it: everything that arrives from outside."""

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
