"""``python -m workers PART…``: a process of workers, which ends cleanly on SIGTERM and Ctrl-C."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from setproctitle import setproctitle

from service.commands.databases import settings_or_end
from service.config import keep_files_private
from service.vitals import BEATING, LISTENERS
from service.warming import freeze, preload
from workers.part import PARTS, work


@click.command()
@click.argument("parts", nargs=-1, required=True, type=click.Choice(PARTS))
@click.option(
    "--alive",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A file that is touched every 10 seconds while none of these parts is down.",
)
def main(parts: tuple[str, ...], alive: Path | None) -> None:
    """Judge turns, deliver notices, handle mails that came in, play for bots, act on clocks and
    keep the database small, or take mails in.
    """
    keep_files_private()
    settings = settings_or_end()
    if LISTENERS in parts and not settings.mail_in:
        click.echo("OVERLAND_MAIL_IN is off: there is nothing to listen at.", err=True)
        return
    if not set(BEATING).issuperset(parts) and not settings.redis_url:
        click.echo(
            "OVERLAND_REDIS_URL is missing: workers listen on a queue. `overland run` starts one of its own.", err=True
        )
        sys.exit(2)
    name = " ".join(parts)
    setproctitle(f"overland {name}")
    preload()
    freeze()
    work(name, parts, settings, alive)


if __name__ == "__main__":
    main()
