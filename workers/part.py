"""A process of workers: each part that it does has a thread of its own, and ends with the others.

What a part does by itself is bounded (``service.loop``), and what may hang or crash is done by
children (``service.children``), so parts can share a process, and its memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from service import logs, parts
from service.children import ForkServer
from service.commands.databases import end_unless_usable
from service.config import Settings
from service.context import Context
from service.garbage import collect_seldom
from service.inbox.listener import listen_until
from service.inbox.mailbox import take_until
from service.mailbox_url import is_mailbox
from service.parts import Part
from service.queue import NOTICES
from service.redis_link import RedisLink
from service.rowless import records_of_parts
from service.store.database import reason_of
from service.vitals import LISTENERS, SWEEPERS
from service.wiring import QUEUE_SECONDS, fork_server, link_of, wire
from workers import tasks
from workers.listen import Poller, listen
from workers.regular import CALLERS, call_until, sweep_until
from workers.stop import StopRequest

PARTS = (*tasks.WORK, CALLERS, SWEEPERS, LISTENERS)
STOP_SECONDS: Final = 10.0
"""For how long a process that is asked to stop waits for its parts."""
_log = structlog.get_logger("workers")


ALIVE_SECONDS: Final = 10.0
"""From one sign of life of a process to the next, for whoever checks its health."""


def work(name: str, names: Sequence[str], settings: Settings, alive: Path | None = None) -> None:
    """Does these of ``PARTS``, some perhaps more than once, until SIGTERM or Ctrl-C, in a process
    of that ``name``, which must have no thread and no connection yet. It touches the file ``alive``
    every ``ALIVE_SECONDS`` while none of its threads is down.
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
