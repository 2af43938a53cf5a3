"""``python -m workers turns | notices | sweeper``: one worker process.

It ends cleanly on SIGTERM and Ctrl-C.
"""

from __future__ import annotations

import os
import sys

import click

from service import logs
from service.config import ConfigError, load
from workers import tasks
from workers.listen import Stop, listen
from workers.sweeper import sweep_until


@click.command()
@click.argument("part", type=click.Choice(["turns", "notices", "sweeper"]))
def main(part: str) -> None:
    """Judge turns, deliver notices, or wake the workers for rows without a job."""
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
    logs.configure(settings.log_format, settings.log_level)
    stop = Stop()
    stop.listen()
    if part == "sweeper":
        sweep_until(tasks.context(), stop)
    else:
        listen(part, settings.redis_url, stop)


if __name__ == "__main__":
    main()
