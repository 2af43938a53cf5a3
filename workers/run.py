"""`overland run`: the whole service on one machine, in one terminal.

1. Lock the data folder, check that the port is free, and migrate the database.
2. Start Valkey, unless OVERLAND_REDIS_URL is set, and wait a moment for the queue.
3. Fork the API, the workers and the sweeper, and wait until the service is ready.
4. Print their logs and fork what exits anew, until Ctrl-C or SIGTERM; then stop them, Valkey last.

This process has imported all that its parts need, and they share its memory
(docs/decisions/0041-one-warm-parent.md). It never has a thread or a connection to the database.
"""

import errno
import http.client
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from types import FrameType
from urllib.parse import urlsplit

import click
from flask import Flask

from service.app import app_of, described
from service.commands.api import serve
from service.commands.backup import not_migrated
from service.commands.databases import Taken, exclusive, settings_or_end, tell
from service.config import Settings
from service.forks import hold, said_by_fork
from service.logs import STANDARD_OUTPUT, dropped_lines
from service.output import Output
from service.queue import BOTS, MESSAGES, NOTICES, TURNS
from service.setting_values import is_mailbox
from service.store.database import database_of
from service.vitals import CALLERS, LISTENERS, SWEEPERS
from service.warming import freeze, preload
from workers.part import work
from workers.supervise import Program, Supervisor
from workers.valkey import NoValkey, own_valkey, refusal

STOP_PATIENCE = 12.0
CONNECT_SECONDS = 3.0
ANSWER_SECONDS = 30.0  # how long an answer of ``/readyz`` is waited for; an API that is starting takes the connection
MESSAGE_WORKERS = 2  # so many children handle mails that come in: one that keeps a child busy stops no other
CALLER_THREADS = 2  # so many webhooks are called at a time: one whose target is slow stops no other
QUEUE_SECONDS = 10.0  # how long the queue is waited for at the start; the service works without it
MAX_CRASHES = 4  # crashes of one program during the start after which the start is given up


class CannotStart(Exception):
    """The service cannot start; the message says why and what to do."""


@click.command()
def run() -> None:
    """Start the whole service on this machine, until Ctrl-C."""
    settings = settings_or_end()
    stop = StopSignals()
    stop.listen()
    log = _Log(settings)
    try:
        with exclusive(settings.data_dir, patience=float(settings.start_seconds)) as lock:
            _check_port("The API", settings.host, settings.port, "OVERLAND_HOST", "OVERLAND_PORT=")
            _check_mail_port(settings)
            hold(lock)
            preload()
            app = described(app_of(settings))
            freeze()
            if sentence := said_by_fork("overland migrate", partial(_migrated, settings)):
                raise CannotStart(sentence)
            supervisor = Supervisor(log.line)
            try:
                _serve(app, settings, supervisor, stop, log)
            finally:
                _stop_all(supervisor, stop)
        log.event("Overland has stopped. Everything is kept in the data folder.")
        log.flush()
    except (CannotStart, NoValkey, Taken) as reason:
        log.flush()
        beside = " Or give this one a folder and a port of its own: OVERLAND_DATA_DIR=./other OVERLAND_PORT=8001."
        tell(f"{reason}{beside if isinstance(reason, Taken) else ''}", err=True)
        raise SystemExit(2) from None


@dataclass(slots=True)
class StopSignals:
    """Counts the signals to stop: after one the service stops in order, after two at once."""

    asked: int = 0

    def listen(self) -> None:
        """Counts Ctrl-C, SIGTERM and the closing of the terminal from now on."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._note)

    def hurried(self) -> bool:
        """Whether the service is to stop at once."""
        return self.asked > 1

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.asked += 1


def _serve(app: Flask, settings: Settings, supervisor: Supervisor, stop: StopSignals, log: "_Log") -> None:
    if not settings.redis_url:
        valkey = own_valkey(settings.data_dir)
        settings = replace(settings, redis_url=valkey.url)
        supervisor.start(Program("valkey", valkey.become))
    start = _Start(supervisor, stop, log, float(settings.start_seconds))
    _await_queue(settings.redis_url, start)
    if stop.asked:
        return
    for program in programs(app, settings):
        supervisor.start(program)
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)
    start.wait(
        Readiness(host, settings.port, supervisor.timer).reported,
        f"The service was not ready within {settings.start_seconds} s; its log is above. On a busy machine give it"
        f" more time: OVERLAND_START_SECONDS={2 * settings.start_seconds}.",
    )
    if not stop.asked:
        log.welcome(settings, supervisor.memory())
        tell_systemd(os.environ.get("NOTIFY_SOCKET", ""))
    while not stop.asked:
        supervisor.attend(0.5)
        log.pump()


def programs(app: Flask, settings: Settings) -> Iterator[Program]:
    """The API, the processes that judge turns, and one for all other parts."""
    yield Program("api", partial(serve, app, settings))
    for index in range(settings.turn_workers):
        name = TURNS if index == 0 else f"{TURNS}-{index + 1}"
        yield Program(name, partial(work, name, [TURNS], settings))
    mail_in = [*[MESSAGES] * MESSAGE_WORKERS, LISTENERS] if settings.mail_in else []
    parts = [*[NOTICES] * settings.notice_workers, BOTS, *[CALLERS] * CALLER_THREADS, SWEEPERS, *mail_in]
    yield Program("workers", partial(work, "workers", parts, settings))


def tell_systemd(place: str) -> None:
    """Tells who started this program by a socket at ``place``, if any, that it is ready, as a unit
    of ``Type=notify`` has to (sd_notify(3)).
    """
    if place:
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:  # nobody is there any more
            sender.sendto(b"READY=1", f"\0{place[1:]}" if place.startswith("@") else place)


def says_ready(host: str, port: int, patience: float) -> bool:
    """Whether ``/readyz`` at that address answers 200 within ``patience`` seconds."""
    connection = http.client.HTTPConnection(host, port, timeout=patience)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


class Readiness:
    """Asks ``/readyz`` again and again. An API that is still starting lets a request wait; the
    supervisor has to attend to its children meanwhile. ``timer`` gives monotonic seconds.
    """

    def __init__(self, host: str, port: int, timer: Callable[[], float]) -> None:
        self._host, self._port, self._timer = host, port, timer
        self._asked: http.client.HTTPConnection | None = None
        self._until = 0.0

    def reported(self) -> bool:
        """Whether the API has just answered that it is ready; asks again where it has not."""
        try:
            if self._asked is None:
                self._asked = http.client.HTTPConnection(self._host, self._port, timeout=CONNECT_SECONDS)
                self._until = self._timer() + ANSWER_SECONDS
                self._asked.request("GET", "/readyz")
            elif select.select([self._asked.sock], [], [], 0)[0]:
                ready = self._asked.getresponse().status == 200
                self._forget()
                return ready
            elif self._timer() > self._until:
                self._forget()
        except (OSError, http.client.HTTPException):
            self._forget()
        return False

    def _forget(self) -> None:
        if self._asked is not None:
            self._asked.close()
            self._asked = None


@dataclass(frozen=True, slots=True)
class _Start:
    """A start that may take ``patience`` seconds in each of its phases."""

    supervisor: Supervisor
    stop: StopSignals
    log: "_Log"
    patience: float

    def wait(self, good: Callable[[], bool], otherwise: str) -> None:
        """Attends to the children until ``good`` is true. Raises ``CannotStart`` with ``otherwise``
        when it takes too long, or when a child keeps crashing; one that has not ended is starting.
        """
        deadline = self.supervisor.timer() + self.patience
        while not self.stop.asked and not good():
            self.supervisor.attend(0.1)
            self.log.pump()
            for name in self.supervisor.names():
                if self.supervisor.crashes(name) >= MAX_CRASHES and name != "valkey":
                    raise CannotStart(f"{name} keeps ending right after its start; its output is above.")
            if self.supervisor.timer() > deadline or not self.supervisor.names():
                raise CannotStart(otherwise)


def _await_queue(redis_url: str, start: _Start) -> None:
    """Waits until the queue answers; says why it does not after ``QUEUE_SECONDS``."""
    deadline = start.supervisor.timer() + QUEUE_SECONDS
    while not start.stop.asked and (away := refusal(redis_url)) is not None:
        start.supervisor.attend(0.1)
        start.log.pump()
        if start.supervisor.timer() > deadline:
            start.log.event(
                f"The queue {away.trouble.value} ({away}): until it does, turns are judged and mails are sent some"
                " seconds later. `overland check` says how it is."
            )
            return


def _migrated(settings: Settings) -> str:
    """Migrates the database; a sentence where that is not possible."""
    database = database_of(settings)
    try:
        return not_migrated(database) or ""
    finally:
        database.dispose()


def _check_mail_port(settings: Settings) -> None:
    """Raises ``CannotStart`` where the listener could not listen."""
    if settings.mail_in and not is_mailbox(settings.mail_in):
        place = urlsplit(settings.mail_in)
        setting = f"OVERLAND_MAIL_IN={place.scheme}://{place.hostname}:"
        _check_port("The listener", place.hostname or "", place.port or 0, "OVERLAND_MAIL_IN", setting)


def _check_port(what: str, host: str, port: int, host_setting: str, port_setting: str) -> None:
    """Raises ``CannotStart`` where ``what`` could not listen. ``port_setting`` lacks the number."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except socket.gaierror:
        raise CannotStart(f"{host_setting}={host} is not an address of this machine.") from None
    with socket.socket(family, kind, protocol) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except OSError as problem:
            if problem.errno == errno.EADDRINUSE:
                other = port + 1 if port < 65535 else 8000
                raise CannotStart(
                    f"Port {port} on {host} is taken by another program. Stop it, or choose another"
                    f" port: {port_setting}{other}."
                ) from None
            raise CannotStart(f"{what} cannot listen on {host}, port {port}: {problem.strerror}.") from None


def _stop_all(supervisor: Supervisor, stop: StopSignals) -> None:
    """Stops Valkey last, since the others use it while they stop."""
    supervisor.stop([name for name in supervisor.names() if name != "valkey"], STOP_PATIENCE, stop.hurried)
    supervisor.stop(["valkey"], STOP_PATIENCE)


class _Log:
    """The output: lines for a terminal, or JSON for a log collector."""

    def __init__(self, settings: Settings) -> None:
        self._json = settings.log_format == "json"
        self._output = Output(STANDARD_OUTPUT, self._dropped, background=False)
        self.pump, self.flush = self._output.pump, self._output.flush
        self._colours = sys.stdout.isatty() and not os.environ.get("NO_COLOR")

    def line(self, name: str, line: str) -> None:
        """Writes a line of output of a program; "overland" is the supervisor itself."""
        if name == "valkey" and "vm.overcommit_memory" in line:
            return  # advice for large servers, and alarming as the very first line
        self._output.write(self._format(name, line))

    def event(self, sentence: str) -> None:
        self.line("overland", sentence)

    def welcome(self, settings: Settings, memory: int | None) -> None:
        """Writes the addresses, the bytes of memory in use, and three things to try next."""
        if self._json:
            return self.event(f"Overland is running at {settings.base_url}")
        used = "" if memory is None else f"\n  Memory  {memory / 1e6:.0f} MB"
        mails = settings.mail_url.split(":", 1)[0] if settings.in_production else f"{settings.base_url}/dev/mail"
        return self._output.write(
            _WELCOME.format(url=settings.base_url, data=settings.data_dir, mails=mails, used=used)
        )

    def _format(self, name: str, line: str) -> str:
        if not self._json:
            label = f"{name:<9}"
            return f"\x1b[2m{label}\x1b[0m {line}" if self._colours else f"{label} {line}"
        return json.dumps({"event": line, "level": "info", "logger": name}) if name in ("overland", "valkey") else line

    def _dropped(self, number: int) -> str:
        return self._format("overland", dropped_lines(number))


_WELCOME = """
Overland is running.

  API     {url}/v1/games
  Docs    {url}/docs
  Mails   {mails}
  Data    {data}{used}

A whole match over HTTP, in another terminal:   make demo
Ctrl-C stops it; nothing is lost.

Open this and play:   {url}/
"""
