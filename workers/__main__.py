"""``python -m workers turns | notices | sweeper``: one worker process.

It ends cleanly on SIGTERM and Ctrl-C.
"""

from __future__ import annotations

import os
import sys

import click

from service import logs
from service.commands.databases import end_unless_usable
from service.config import ConfigError, keep_files_private, load
from service.garbage import collect_seldom
from service.queue import NOTICES, TURNS
from workers import tasks
from workers.listen import listen
from workers.sweeper import sweep_until


@click.command()
@click.argument("part", type=click.Choice(["turns", "notices", "sweeper"]))
def main(part: str) -> None:
    """Judge turns, deliver notices, or wake the workers for rows without a job."""
    keep_files_private()
    try:
        settings = load(os.environ)
    except ConfigError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    if part != "sweeper" and not settings.redis_url:
        click.echo(
            "OVERLAND_REDIS_URL is missing: workers listen on a queue. `overland run` starts one of its own.", err=True
        )
        sys.exit(2)
    if part == TURNS:  # fork servers, before there are threads and connections
        tasks.rulings()
    if part == NOTICES:
        tasks.sending()
    end_unless_usable(settings)
    logs.configure(settings.log_format, settings.log_level)
    tasks.STOP.listen()
    if part == "sweeper":
        sweep_until(tasks.context(), tasks.STOP)
        return
    if part == TURNS:
        collect_seldom()  # not where mails are made: each leaves cycles with its picture
        tasks.context().queue.wake_turns(missed=True)  # those that an earlier process has left
    listen(part, settings.redis_url, tasks.STOP)


if __name__ == "__main__":
    main()
