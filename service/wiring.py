"""Builds the contexts of the processes."""

from __future__ import annotations

import base64
import os
import secrets
import signal
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from time import monotonic, sleep
from typing import Final

from service import rates
from service.bots.playing import choice
from service.children import ForkServer, Handler, Make, Role, note_waiting
from service.config import Settings
from service.context import Context, Entropy, WallClock
from service.guard import Guard, GuardPool
from service.inbox.act import dispatch
from service.kept import States
from service.logs import configure
from service.loop import answering
from service.matches.resign import after_resigning
from service.notices.mail.compose import composing
from service.notices.mail.transport import transport_of
from service.pictures.picture import NICENESS, drawer
from service.pictures.pool import PicturePool
from service.queue import RqQueue
from service.rates import MemoryRates, RedisRates
from service.redis_link import PAUSE_SECONDS, RedisLink
from service.sandbox import ChildSandbox, in_child
from service.signing import service_name
from service.store.database import Database, database_of
from service.turns.judge import OwnRulings
from service.turns.judge import in_child as ruling_by
from service.turns.submit import document_of
from service.turns.trials import legal_after, preview_of
from service.vitals import Vitals
from service.webhooks.calling import calling
from service.webhooks.targets import WebhookNetwork

utc_now: Final[WallClock] = partial(datetime.now, UTC)
"""The time of the machine, in UTC."""
REMEMBERED_MATCHES = 500
QUEUE_SECONDS: Final = 1.0  # how long Redis may take to answer what is not a limit of requests
TRYING_PROCESSES: Final = 2  # how many child processes try actions for each process that answers requests


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
    clock: WallClock
    entropy: Entropy


def wire(settings: Settings) -> Context:
    """The context for these settings, which connects on first use, after any fork."""
    database = database_of(settings, timer=monotonic, sleep=sleep)
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
        vitals=Vitals(link, utc_now),
        rates=RedisRates(link_of(settings, database, rates.SECONDS, rates.PAUSE_SECONDS))
        if settings.redis_url
        else MemoryRates(),
    )


def link_of(settings: Settings, database: Database, seconds: float, pause: float = PAUSE_SECONDS) -> RedisLink:
    """The way to Redis, where nothing is found but what this service has written."""
    issuer = Issuer(database, utc_now, SystemEntropy())
    return RedisLink(settings.redis_url, lambda: service_name(issuer), monotonic, seconds, pause)


def wire_api(settings: Settings, server: ForkServer) -> Context:
    """The context of a process that answers requests: it draws, and tries actions, in child
    processes; the latter for at most half of its threads.
    """
    drawers = _children(server, Role.SHOWING, settings.picture_processes)
    trying = _children(server, Role.TRYING, TRYING_PROCESSES)
    sandbox = ChildSandbox(trying, settings.ruling_seconds, max(1, settings.api_threads // 2), monotonic)
    return replace(wire(settings), pictures=PicturePool(drawers, monotonic), sandbox=sandbox)


def with_mail_processes(context: Context, server: ForkServer) -> Context:
    """The context of a thread that sends mails, which are composed and drawn in child processes."""
    pictures = PicturePool(_children(server, Role.DRAWING, 1), monotonic)
    return replace(context, pictures=pictures, composer=Guard(server, Role.COMPOSING, monotonic))


def _children(server: ForkServer, role: Role, number: int) -> GuardPool:
    return GuardPool([Guard(server, role, monotonic) for _ in range(number)])


TRIED: Final = (preview_of, legal_after, document_of, after_resigning)
"""What child processes are asked to try."""


def fork_server(part: str, settings: Settings) -> ForkServer:
    """Forks what forks the children of this process, the ``part``: before it has threads and
    connections. Where the fork server is lost, this process ends, and is started again.
    """

    def wired() -> Context:
        """The context of a child, which says when it waits for the database."""
        configure(settings.log_format, settings.log_level)
        return replace(wire(settings), database=database_of(settings, waits=note_waiting))

    def ruling() -> Handler:
        context = wired()
        return ruling_by(OwnRulings(context.database, context.states))

    makes: Mapping[Role, Make] = {
        Role.RULING: ruling,
        Role.TRYING: lambda: in_child(wired(), TRIED),
        Role.COMPOSING: lambda: answering(composing(wired())),
        Role.HANDLING: lambda: answering(partial(dispatch, wired())),
        Role.CHOOSING: lambda: answering(partial(choice, wired())),
        Role.CALLING: lambda: answering(calling(wired(), WebhookNetwork())),
        Role.DRAWING: drawer,
        Role.SHOWING: partial(drawer, NICENESS),
    }
    return ForkServer(part, makes, partial(os.kill, os.getpid(), signal.SIGTERM))
