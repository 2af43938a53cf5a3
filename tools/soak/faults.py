"""The faults of a soak, also used by tests; each is over when its context is left. `FAULTS` are
those that a soak chooses from, by weight.
"""

from __future__ import annotations

import random
import signal
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import sqlalchemy

from service.store.database import normalised
from tools.launch import PartKind, Service
from tools.soak.mail import MailFault, MailServer

Watched: TypeAlias = Literal["verdicts", "deliveries"]


@dataclass(frozen=True, slots=True)
class Target:
    """The service and mail server to break; ``stop`` is set when the soak is to end early."""

    service: Service
    mail: MailServer
    stop: threading.Event


@dataclass(frozen=True, slots=True)
class Fault:
    """``inflict`` returns when the fault is over; ``watched`` must continue afterwards."""

    name: str
    weight: int
    inflict: Callable[[Target, random.Random], None]
    watched: Watched = "verdicts"


@contextmanager
def frozen(service: Service, kind: PartKind) -> Iterator[None]:
    """Stops the processes of this kind (SIGSTOP) until the context is left."""
    parts = service.parts(kind)
    for part in parts:
        part.send(signal.SIGSTOP)
    try:
        yield
    finally:
        for part in parts:
            part.send(signal.SIGCONT)


@contextmanager
def failing(mail: MailServer, fault: MailFault) -> Iterator[None]:
    """Sets this fault of the mail server until the context is left."""
    mail.set_fault(fault)
    try:
        yield
    finally:
        mail.set_fault("none")


@contextmanager
def locked(database_url: str) -> Iterator[None]:
    """Locks the whole database by another connection."""
    url = normalised(database_url)
    if url.get_backend_name() == "sqlite":
        with closing(sqlite3.connect(url.database or "", isolation_level=None, timeout=60)) as other:
            other.execute("BEGIN EXCLUSIVE")
            yield
            other.execute("ROLLBACK")
        return
    engine = sqlalchemy.create_engine(url)
    with engine.connect() as connection, connection.begin():
        connection.exec_driver_sql("LOCK TABLE matches, turns, outbox IN ACCESS EXCLUSIVE MODE")
        yield
    engine.dispose()


def choose(faults: tuple[Fault, ...], luck: random.Random) -> Fault:
    """One of the faults, by weight."""
    return luck.choices(faults, [fault.weight for fault in faults])[0]


def _kill(kind: PartKind) -> Callable[[Target, random.Random], None]:
    def inflict(target: Target, luck: random.Random) -> None:
        target.service.part(kind)  # waits for one that is being restarted
        parts = target.service.parts(kind)
        for part in parts if luck.random() < 0.3 else parts[:1]:
            part.kill()

    return inflict


def _kill_everything(target: Target, luck: random.Random) -> None:
    target.service.kill()
    target.service.start()


def _flush(target: Target, luck: random.Random) -> None:
    target.service.valkey().flushall()


def _lasting(
    begin: Callable[[Target], AbstractContextManager[None]], least: float, most: float
) -> Callable[[Target, random.Random], None]:
    """Inflicts the fault of ``begin`` for a random number of seconds."""

    def inflict(target: Target, luck: random.Random) -> None:
        seconds = luck.uniform(least, most)
        with begin(target):
            target.stop.wait(seconds)

    return inflict


def _mail(fault: MailFault) -> Fault:
    return Fault(f"mail server {fault}", 1, _lasting(lambda target: failing(target.mail, fault), 3, 10), "deliveries")


FAULTS: Final[tuple[Fault, ...]] = (
    Fault("kill -9 api", 4, _kill("api")),
    Fault("kill -9 arbiter", 3, _kill("arbiter")),
    Fault("kill -9 turns", 6, _kill("turns")),
    Fault("kill -9 notices", 4, _kill("notices")),
    Fault("kill -9 sweeper", 2, _kill("sweeper")),
    Fault("kill -9 valkey", 3, _kill("valkey")),
    Fault("kill -9 everything", 1, _kill_everything),
    Fault("flush valkey", 3, _flush),
    Fault("freeze valkey", 2, _lasting(lambda target: frozen(target.service, "valkey"), 1, 6)),
    _mail("unreachable"),
    _mail("deferring"),
    _mail("silent"),
    _mail("dropping"),
    _mail("slow"),
    # Sometimes longer than the service waits for a lock.
    Fault("lock the database", 3, _lasting(lambda target: locked(target.service.database_url), 1, 8)),
)
