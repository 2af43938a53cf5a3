"""A process of workers: each part that it does has a thread of its own, and ends with the others.
They can share a process, since what a part does by itself is bounded (``service.loop``), and what
may hang or crash is done by children (``service.children``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from service import logs, parts
from service.children import ForkServer, Role
from service.commands.databases import end_unless_usable
from service.config import Settings
from service.context import Context
from service.guard import Guard
from service.heartbeats import MAILBOX, SWEEPER, Pulse
from service.inbox.listener import listen_until
from service.inbox.mailbox import take_until
from service.parts import Part
from service.queue import NOTICES
from service.redis_link import RedisLink
from service.rowless import records_of_parts
from service.setting_values import is_mailbox
from service.store import heartbeats
from service.store.database import reason_of
from service.sweeps import prompt, sweep
from service.vitals import BEATING, CALLERS, LISTENERS, QUEUES, SWEEPERS
from service.warming import collect_seldom
from service.webhooks.delivery import call_due
from service.wiring import QUEUE_SECONDS, fork_server, link_of, wire
from workers import tasks
from workers.listen import LogThrottle, Poller, listen
from workers.stop import StopRequest

PARTS: Final = (*QUEUES, *BEATING)
STOP_SECONDS: Final = 10.0  # for how long a process that is asked to stop waits for its parts
ALIVE_SECONDS: Final = 10.0  # from one sign of life of a process to the next, for whoever checks its health
CALL_SECONDS: Final = 5.0
SELDOM_SECONDS: Final = 60.0  # from one sweep of every kind to the next; those between are of the prompt kinds
_log = structlog.get_logger("workers")


def work(name: str, names: Sequence[str], settings: Settings, alive: Path | None = None) -> None:
    """Does these of ``PARTS``, some perhaps more than once, until SIGTERM or Ctrl-C, in a process
    of that ``name``, which must have no thread and no connection yet. It touches the file ``alive``
    while none of its threads is down.
    """
    stop = StopRequest()
    server = fork_server(name, settings)
    context = wire(settings)
    end_unless_usable(context.database)
    logs.configure(settings.log_format, settings.log_level)
    stop.listen()
    parts.tell(records_of_parts(context))
    if NOTICES not in names:
        collect_seldom()  # each mail leaves cycles with its picture
    link = link_of(settings, context.database, QUEUE_SECONDS)
    threads = [parts.start(Part(each), partial(_do, each, context, server, link, stop)) for each in names]
    if alive is not None:
        parts.start(Part.HEARTBEAT, partial(show_life, alive, stop))
    stop.wait()
    ended = context.timer() + STOP_SECONDS
    for thread in threads:
        thread.join(max(0.0, ended - context.timer()))
    try:
        if context.maintenance() is None:
            context.counts.save(context.database)
    except SQLAlchemyError as error:
        _log.warning("counts.lost", error=reason_of(error))


def show_life(file: Path, stop: StopRequest) -> None:
    """Touches a file until the stop is requested, while no thread of this process is down."""
    while not stop:
        if not parts.down():
            file.touch()
        stop.wait(ALIVE_SECONDS)


def _do(part: str, context: Context, server: ForkServer, link: RedisLink, stop: StopRequest) -> None:
    if part == CALLERS:
        call_until(context, server, stop)
    elif part == SWEEPERS:
        sweep_until(context, stop)
    elif part == LISTENERS:
        if is_mailbox(context.settings.mail_in):
            take_until(context, stop.wait)
        else:
            asyncio.run(listen_until(context, lambda: bool(stop)))
    else:
        made = tasks.WORK[part](context, server, stop)
        tasks.begin(made)
        listen(part, link, stop, Poller(made).poll, context.timer)


def sweep_until(context: Context, stop: StopRequest) -> None:
    """Sweeps: what somebody waits for every ``sweep_seconds``, all every ``SELDOM_SECONDS``."""
    pulse, whole = Pulse(context, SWEEPER), None

    def swept() -> None:
        nonlocal whole
        if whole is None and not is_mailbox(context.settings.mail_in):
            with context.database.write() as connection:
                heartbeats.forget(connection, MAILBOX, context.clock())  # else no time would be up any more
        now = context.timer()
        if whole is None or now - whole >= SELDOM_SECONDS:
            sweep(context, whole is None)
            whole = now
        else:
            sweep(context, False, prompt(context))

    def beat() -> None:
        pulse.beat()
        context.vitals.beat(SWEEPERS)

    _do_every(context.settings.sweep_seconds, SWEEPERS, context, stop, swept, beat)


def call_until(context: Context, server: ForkServer, stop: StopRequest) -> None:
    """Tells webhooks what is due every ``CALL_SECONDS`` until the stop is requested."""
    guard = Guard(server, Role.CALLING, context.timer)
    beat = partial(context.vitals.beat, CALLERS)
    _do_every(CALL_SECONDS, CALLERS, context, stop, lambda: call_due(context, guard, lambda: not stop), beat)
    guard.close()


def _do_every(
    seconds: float,
    part: str,
    context: Context,
    stop: StopRequest,
    do: Callable[[], object],
    beat: Callable[[], object],
) -> None:
    """Does it again and again until the stop is requested, whatever it raises; not in a
    maintenance.
    """
    throttle = LogThrottle(context.timer)
    _log.info(f"{part}.started", every_seconds=seconds)
    while not stop:
        beat()
        try:
            if context.maintenance() is None:
                do()
            throttle.reset("database")
        except SQLAlchemyError as error:
            if throttle.allows("database"):
                _log.warning(f"{part}.unavailable", error=reason_of(error))
        except Exception:
            _log.exception(f"{part}.failed")
        stop.wait(seconds)
    _log.info(f"{part}.stopped")
