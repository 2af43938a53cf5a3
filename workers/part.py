"""One worker process, from its start to its end."""

from __future__ import annotations

import asyncio
import sys

import click

from service import logs, parts
from service.commands.databases import end_unless_usable
from service.config import Settings
from service.context import Context
from service.garbage import collect_seldom
from service.inbox.listener import listen_until
from service.queue import TURNS
from service.rowless import records_of_parts
from service.vitals import LISTENERS, SWEEPERS
from service.wiring import QUEUE_SECONDS, fork_server, link_of, wire
from workers import tasks
from workers.listen import listen
from workers.poller import Poller
from workers.stop import Stop
from workers.sweeper import sweep_until

PARTS = (*tasks.WORK, SWEEPERS, LISTENERS)


def work(part: str, settings: Settings) -> None:
    """Does one of ``PARTS``, until SIGTERM or Ctrl-C. The process must have no thread and no
    connection yet.
    """
    stop = Stop()
    if part in tasks.WORK:
        server = fork_server(part, settings)
        _begin(settings, stop)
        made = tasks.WORK[part](settings, server, stop)
        parts.tell(records_of_parts(made.context))
        tasks.begin(made)
        if part == TURNS:
            collect_seldom()  # not where mails are made: each leaves cycles with its picture
        link = link_of(settings, made.context.database, QUEUE_SECONDS)
        listen(part, link, stop, Poller(made).poll, made.context.timer)
        return
    _begin(settings, stop)
    context = wire(settings)
    parts.tell(records_of_parts(context))
    if part == SWEEPERS:
        sweep_until(context, stop)
    else:
        _listen_for_mails(context, stop)


def _begin(settings: Settings, stop: Stop) -> None:
    end_unless_usable(settings)
    logs.configure(settings.log_format, settings.log_level)
    stop.listen()


def _listen_for_mails(context: Context, stop: Stop) -> None:
    try:
        asyncio.run(listen_until(context, lambda: bool(stop)))
    except OSError as error:
        click.echo(
            f"OVERLAND_MAIL_IN: the listener cannot listen at {context.settings.mail_in}: {error.strerror}.", err=True
        )
        sys.exit(2)
