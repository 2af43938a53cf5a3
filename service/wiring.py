"""Builds the context of a process: settings, store, queue, clock, entropy, remembered states and
mail.
"""

from __future__ import annotations

import base64
import os
import secrets
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from time import monotonic, sleep
from typing import Final

from service import rates
from service.children import ForkServer, Handler, note_waiting
from service.config import Settings, load
from service.context import Clock, Context, Entropy
from service.guard import ChildGuard
from service.logs import configure
from service.matches.resign import after_resigning
from service.notices.mail.transport import transport_of
from service.pictures.pool import PicturePool
from service.queue import RqQueue
from service.rates import MemoryRates, RedisRates
from service.redis_link import PAUSE_SECONDS, RedisLink
from service.sandbox import ChildSandbox, in_child
from service.signing import service_name
from service.states import States
from service.store.database import Database
from service.turns.trials import document_of, legal_after, preview_of
from service.vitals import RedisVitals

REMEMBERED_MATCHES = 500
QUEUE_SECONDS: Final = 1.0
"""How long Redis may take to answer what is not a limit of requests."""
TRYING_PROCESSES: Final = 2
"""How many child processes try actions for each process that answers requests."""


class SystemEntropy:
    """Random numbers of the operating system."""

    def token(self, length: int) -> str:
        return base64.b32encode(secrets.token_bytes(length * 5 // 8 + 1)).decode().lower()[:length]

    def random_bytes(self, length: int) -> bytes:
        return secrets.token_bytes(length)


@dataclass(frozen=True, slots=True)
class Issuer:
    """What making the keys of the service needs."""

    database: Database
    clock: Clock
    entropy: Entropy


def wire(settings: Settings) -> Context:
    """Builds the context for these settings. Connections are made on first use, after any fork."""
    database = Database(settings.database_url, monotonic, sleep)
    link = link_of(settings, database, QUEUE_SECONDS)
    return Context(
        settings=settings,
        database=database,
        queue=RqQueue(link),
        clock=utc_now,
        entropy=SystemEntropy(),
        states=States(REMEMBERED_MATCHES),
        transport=transport_of(settings.mail_url, settings.data_dir / "mail"),
        timer=monotonic,
        vitals=RedisVitals(link, utc_now),
        pictures=PicturePool(
            [ChildGuard(_start_drawer, monotonic) for _ in range(settings.picture_processes)], monotonic
        ),
        rates=RedisRates(link_of(settings, database, rates.SECONDS, rates.PAUSE_SECONDS))
        if settings.redis_url
        else MemoryRates(),
    )


def link_of(settings: Settings, database: Database, seconds: float, pause: float = PAUSE_SECONDS) -> RedisLink:
    """The way to Redis, where nothing is found but what this service has written."""
    issuer = Issuer(database, utc_now, SystemEntropy())
    return RedisLink(settings.redis_url, lambda: service_name(issuer), monotonic, seconds, pause)


def wire_api(settings: Settings) -> Context:
    """Builds the context of a process that answers requests: it tries actions in child processes,
    for at most half of its threads.
    """
    children = [ChildGuard(_start_trying, monotonic) for _ in range(TRYING_PROCESSES)]
    most_callers = max(1, settings.api_threads // 2)
    return replace(wire(settings), sandbox=ChildSandbox(children, settings.ruling_seconds, most_callers, monotonic))


TRIED: Final = (preview_of, legal_after, document_of, after_resigning)
"""What child processes are asked to try."""


def trying_child() -> Handler:
    """Makes what a child process does that tries actions."""
    settings = load(os.environ)
    configure(settings.log_format, settings.log_level)
    database = Database(settings.database_url, waits=note_waiting)
    return in_child(replace(wire(settings), database=database), TRIED)


def _start_trying() -> ForkServer:
    return ForkServer.started("service.wiring:trying_child")


def _start_drawer() -> ForkServer:
    return ForkServer.started("service.pictures.drawing:background_drawer")


def utc_now() -> datetime:
    """The time of the machine, in UTC."""
    return datetime.now(UTC)
