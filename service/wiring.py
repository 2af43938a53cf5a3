"""Joins what the use cases are given: settings, store, queue, time, chance, memory and mail.

The only place that chooses them.
"""

from __future__ import annotations

import base64
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol, TypeAlias

from service.config import Settings
from service.matches.memory import States
from service.notices.mail.transport import Transport, transport_of
from service.queue import Queue, RqQueue
from service.store.database import Database
from service.store.desk import Desk
from service.vitals import MemoryVitals, RedisVitals, Vitals

Clock: TypeAlias = Callable[[], datetime]
"""The time, in UTC and aware of it."""

REMEMBERED_MATCHES = 500


class Entropy(Protocol):
    """Where unpredictable ids and secrets come from."""

    def token(self, length: int) -> str:
        """So many lower-case base32 characters, 5 bits each."""
        ...

    def bytes(self, length: int) -> bytes:
        """So many bytes."""
        ...


class SystemEntropy:
    """The operating system's."""

    def token(self, length: int) -> str:
        return base64.b32encode(secrets.token_bytes(length * 5 // 8 + 1)).decode().lower()[:length]

    def bytes(self, length: int) -> bytes:
        return secrets.token_bytes(length)


@dataclass(frozen=True, slots=True)
class Overland:
    """The service as its use cases see it: everything that arrives from outside."""

    settings: Settings
    database: Database
    queue: Queue
    clock: Clock
    entropy: Entropy
    memory: States
    transport: Transport
    vitals: Vitals = field(default_factory=MemoryVitals)
    desk: Desk = field(default_factory=Desk)

    def close(self) -> None:
        """Lets go of the connections of this process."""
        self.queue.close()
        self.database.dispose()


def wire(settings: Settings) -> Overland:
    """The service as the settings describe it.

    Opens nothing yet: connections are made on first use, after any fork.
    """
    return Overland(
        settings=settings,
        database=Database(settings.database_url),
        queue=RqQueue(settings.redis_url),
        clock=utc_now,
        entropy=SystemEntropy(),
        memory=States(REMEMBERED_MATCHES),
        transport=transport_of(settings.mail_url, settings.data_dir / "mail"),
        vitals=RedisVitals(settings.redis_url),
    )


def utc_now() -> datetime:
    """The time of the machine."""
    return datetime.now(UTC)
