"""``python -m workers turns | notices | messages | bots | sweeper | listener``: one worker process.

It ends cleanly on SIGTERM and Ctrl-C.
"""

from __future__ import annotations

import asyncio
import os
import sys

import click

from service import logs, parts
from service.commands.databases import end_unless_usable
from service.config import ConfigError, Settings, keep_files_private, load
from service.garbage import collect_seldom
from service.inbox.listener import listen_until
from service.queue import BOTS, MESSAGES, NOTICES, TURNS
from service.rowless import records_of_parts
from service.vitals import BEATING, LISTENERS, SWEEPERS
from service.wiring import QUEUE_SECONDS, link_of
from workers import tasks
from workers.listen import listen
from workers.poller import WORK, Poller
from workers.sweeper import sweep_until


@click.command()
@click.argument("part", type=click.Choice(["turns", "notices", "messages", "bots", "sweeper", "listener"]))
def main(part: str) -> None:
    """Judge turns, deliver notices, handle mails that came in, play for bots, act on clocks and
    keep the database small, or take mails in.
    """
    keep_files_private()
    try:
        settings = load(os.environ)
    except ConfigError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    if part == LISTENERS and not settings.mail_in:
        click.echo("OVERLAND_MAIL_IN is off: there is nothing to listen at.", err=True)
        return
    if part not in BEATING and not settings.redis_url:
        click.echo(
            "OVERLAND_REDIS_URL is missing: workers listen on a queue. `overland run` starts one of its own.", err=True
        )
        sys.exit(2)
    if part == TURNS:  # fork servers, before there are threads and connections
        tasks.rulings()
    if part == NOTICES:
        tasks.sending()
    if part == MESSAGES:
        tasks.handling()
    if part == BOTS:
        tasks.choosing()
    end_unless_usable(settings)
    logs.configure(settings.log_format, settings.log_level)
    tasks.STOP.listen()
    parts.tell(records_of_parts(tasks.context()))
    if part == SWEEPERS:
        sweep_until(tasks.context(), tasks.STOP)
        return
    if part == LISTENERS:
        _listen_for_mails(settings)
        return
    if part == TURNS:
        collect_seldom()  # not where mails are made: each leaves cycles with its picture
    context = tasks.context()
    link = link_of(settings, context.database, QUEUE_SECONDS)
    listen(part, link, tasks.STOP, Poller(context, WORK[part]).poll, context.timer)


def _listen_for_mails(settings: Settings) -> None:
    try:
        asyncio.run(listen_until(tasks.context(), lambda: bool(tasks.STOP)))
    except OSError as error:
        click.echo(f"OVERLAND_MAIL_IN: the listener cannot listen at {settings.mail_in}: {error.strerror}.", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
