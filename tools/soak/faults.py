"""The faults of a soak, also used by tests; each is over when its context is left. `FAULTS` are
those of the processes and of what they use; those of matches are in `tools.soak.hostile` and
`tools.soak.poison`.
"""

from __future__ import annotations

import random
import signal
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal, TypeAlias

import requests
import sqlalchemy

from service.store import maintenance, survey
from service.store.database import Database, normalised
from service.store.maintenance import Maintenance
from tools.launch import PartKind, Service
from tools.mishap import Mishap
from tools.soak.mail import MailFault, MailServer
from tools.soak.own import OwnMatch
from tools.soak.players import Players

ASK_SECONDS: Final = 30.0
CONNECT_SECONDS: Final = 60.0

Watched: TypeAlias = Literal["verdicts", "deliveries"]


@dataclass(frozen=True, slots=True)
class Target:
    """The service and mail server to break, the players, the match of the soak's own and that of
    ``mishap``; ``stop`` is set when the soak is to end early.
    """

    service: Service
    mail: MailServer
    players: Players
    own: OwnMatch
    mishap: Mishap
    poisoned: OwnMatch
    stop: threading.Event


@dataclass(frozen=True, slots=True)
class SoakFault:
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
def maintained(database_url: str) -> Iterator[None]:
    """Keeps the service in maintenance until the context is left."""
    database = Database(database_url)
    try:
        with database.write() as connection:
            maintenance.begin(connection, Maintenance(datetime.now(UTC), None, "In maintenance."))
        yield
        with database.write() as connection:
            maintenance.end(connection)
    finally:
        database.dispose()


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


@contextmanager
def moved_away(database_url: str, replacement: Path | None = None) -> Iterator[None]:
    """Moves the file of an SQLite database away, and another to its place if there is one, until
    the context is left.
    """
    file = Path(normalised(database_url).database or "")
    aside = file.with_name(f"{file.name}.aside")
    file.rename(aside)
    if replacement is not None:
        replacement.rename(file)
    try:
        yield
    finally:
        aside.rename(file)


@contextmanager
def stalled_reader(service: Service) -> Iterator[None]:
    """Stops whatever reads the service's output (SIGSTOP) until the context is left."""
    for reader in service.readers:
        reader.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        for reader in service.readers:
            reader.send_signal(signal.SIGCONT)


@contextmanager
def crowded(service: Service, connections: int = 300) -> Iterator[None]:
    """Opens connections that send half a header, or half a body, and then nothing more."""
    head = b"POST /v1/players HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n"
    with ExitStack() as stack:
        for number in range(connections):
            client = stack.enter_context(socket.create_connection((service.host, service.port), CONNECT_SECONDS))
            client.sendall(head if number % 2 else head + b"\r\nhalf")
        yield


def choose(faults: tuple[SoakFault, ...], luck: random.Random) -> SoakFault:
    """One of the faults, by weight."""
    return luck.choices(faults, [fault.weight for fault in faults])[0]


def _kill(kind: PartKind) -> Callable[[Target, random.Random], None]:
    def inflict(target: Target, luck: random.Random) -> None:
        target.service.part(kind)  # waits for one that is being restarted
        parts = target.service.parts(kind)
        for part in parts if luck.random() < 0.3 else parts[:1]:
            part.kill()

    return inflict


def _kill_those_there(kind: PartKind) -> Callable[[Target, random.Random], None]:
    """Kills processes that are started when they are needed, if there are any."""

    def inflict(target: Target, luck: random.Random) -> None:
        for part in target.service.parts(kind):
            if luck.random() < 0.5:
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


def _move_database(target: Target, luck: random.Random) -> None:
    """On PostgreSQL, which has no file of ours, this is no fault."""
    if normalised(target.service.database_url).get_backend_name() == "sqlite":
        with moved_away(target.service.database_url):
            target.stop.wait(luck.uniform(0.5, 4))


def _mail(fault: MailFault) -> SoakFault:
    return SoakFault(
        f"mail server {fault}", 1, _lasting(lambda target: failing(target.mail, fault), 3, 10), "deliveries"
    )


def _ask_for_pictures(target: Target, luck: random.Random) -> None:
    """Six clients without a token ask for pictures of one match, always in another width."""
    database = Database(target.service.database_url)
    try:
        match_id = next(survey.match_ids(database, ("running",)), None)
    finally:
        database.dispose()
    end = time.monotonic() + luck.uniform(2, 6)
    threads = [
        threading.Thread(target=_ask, args=(target, match_id, range(200 + client, 2000, 6), end), daemon=True)
        for client in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _ask(target: Target, match_id: str, widths: range, end: float) -> None:
    for width in widths:
        if time.monotonic() > end or target.stop.is_set():
            return
        with suppress(requests.RequestException):
            url = f"{target.service.url}/v1/matches/{match_id}/board.png"
            requests.get(url, {"width": width}, timeout=ASK_SECONDS)


FAULTS: Final[tuple[SoakFault, ...]] = (
    SoakFault("kill -9 api", 4, _kill("api")),
    SoakFault("kill -9 arbiter", 3, _kill("arbiter")),
    SoakFault("kill -9 turns", 6, _kill("turns")),
    SoakFault("kill -9 workers", 6, _kill("workers")),
    SoakFault("kill -9 children that judge or compose", 3, _kill_those_there("child")),
    SoakFault(
        "freeze children that judge or compose", 2, _lasting(lambda target: frozen(target.service, "child"), 1, 5)
    ),
    SoakFault("kill -9 pictures", 2, _kill_those_there("pictures"), "deliveries"),
    SoakFault("ask for pictures", 2, _ask_for_pictures),
    SoakFault("kill -9 valkey", 3, _kill("valkey")),
    SoakFault("kill -9 everything", 1, _kill_everything),
    SoakFault("flush valkey", 3, _flush),
    SoakFault("freeze valkey", 2, _lasting(lambda target: frozen(target.service, "valkey"), 1, 6)),
    SoakFault("slow clients", 2, _lasting(lambda target: crowded(target.service), 3, 10)),
    _mail("unreachable"),
    _mail("deferring"),
    _mail("silent"),
    _mail("dropping"),
    _mail("slow"),
    SoakFault("move the database away", 2, _move_database),
    SoakFault("stall the log's reader", 2, _lasting(lambda target: stalled_reader(target.service), 2, 15)),
    # Sometimes longer than the service waits for a lock.
    SoakFault("maintenance", 2, _lasting(lambda target: maintained(target.service.database_url), 2, 8)),
    SoakFault("lock the database", 3, _lasting(lambda target: locked(target.service.database_url), 1, 8)),
)
