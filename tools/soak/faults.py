"""What a soak does to a service: one of these at a time, at random by weight, each mended before
the next.
"""

from __future__ import annotations

import random
import signal
import sqlite3
import threading
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

import sqlalchemy
from redis.exceptions import RedisError

from service.store.database import normalised
from tools.soak.mail import MailServer, Mood
from tools.soak.processes import Kind, send
from tools.soak.service import NotThere, SoakedService

Watched: TypeAlias = Literal["verdicts", "deliveries"]
BAD_MOODS: Final[tuple[Mood, ...]] = ("away", "busy", "hanging", "dropping", "slow")
KILLED: Final[tuple[Kind, ...]] = get_args(Kind)[:-1]


@dataclass(frozen=True, slots=True)
class Victim:
    """What is soaked, and how it is told to hurry when the soak is to end."""

    service: SoakedService
    mail: MailServer
    stop: threading.Event


@dataclass(frozen=True, slots=True)
class Fault:
    """Something to do: ``inflict`` returns when it is mended.

    ``watched`` is what has to go on afterwards.
    """

    name: str
    weight: int
    inflict: Callable[[Victim, random.Random], None]
    watched: Watched = "verdicts"


def faults() -> tuple[Fault, ...]:
    """All of them."""
    weights: Mapping[Kind, int] = {"api": 4, "arbiter": 3, "turns": 6, "notices": 4, "sweeper": 2, "valkey": 3}
    return (
        *(Fault(f"kill -9 {kind}", weights[kind], _kill(kind)) for kind in KILLED),
        Fault("kill -9 everything", 1, _kill_everything),
        Fault("flush valkey", 3, _flush),
        Fault("freeze valkey", 2, _freeze),
        *(Fault(f"mail server {mood}", 1, _feel(mood), "deliveries") for mood in BAD_MOODS),
        Fault("lock the database", 3, _lock),
    )


def choose(known: tuple[Fault, ...], luck: random.Random) -> Fault:
    """One of them, by weight."""
    return luck.choices(known, [fault.weight for fault in known])[0]


def _kill(kind: Kind) -> Callable[[Victim, random.Random], None]:
    def inflict(victim: Victim, luck: random.Random) -> None:
        victim.service.part(kind)  # waits for one that is on its way back
        parts = victim.service.parts(kind)
        for part in parts if luck.random() < 0.3 else parts[:1]:
            send(part, signal.SIGKILL)

    return inflict


def _kill_everything(victim: Victim, luck: random.Random) -> None:
    victim.service.kill()
    victim.service.start()


def _flush(victim: Victim, luck: random.Random) -> None:
    try:
        victim.service.valkey().flushall()
    except RedisError as error:
        raise NotThere(f"Valkey could not be flushed: {error}") from error


def _freeze(victim: Victim, luck: random.Random) -> None:
    part = victim.service.part("valkey")
    send(part, signal.SIGSTOP)
    victim.stop.wait(luck.uniform(1, 6))
    send(part, signal.SIGCONT)


def _feel(mood: Mood) -> Callable[[Victim, random.Random], None]:
    def inflict(victim: Victim, luck: random.Random) -> None:
        victim.mail.feel(mood)
        victim.stop.wait(luck.uniform(3, 10))
        victim.mail.feel("well")

    return inflict


def _lock(victim: Victim, luck: random.Random) -> None:
    """Somebody else holds the database for a while: longer at times than the service waits for
    it.
    """
    seconds = luck.uniform(1, 8)
    url = normalised(victim.service.database_url)
    if url.get_backend_name() == "sqlite":
        with closing(sqlite3.connect(url.database or "", isolation_level=None, timeout=60)) as other:
            other.execute("BEGIN EXCLUSIVE")
            victim.stop.wait(seconds)
            other.execute("ROLLBACK")
        return
    engine = sqlalchemy.create_engine(url)
    with engine.connect() as connection, connection.begin():
        connection.exec_driver_sql("LOCK TABLE matches, turns, outbox IN ACCESS EXCLUSIVE MODE")
        victim.stop.wait(seconds)
    engine.dispose()
