"""``overland maintenance``: lets the service be read, but accept, judge and send nothing, on all
hosts of one database, until the maintenance is ended.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import click

from service.commands.databases import database_or_end, settings_or_end

if TYPE_CHECKING:
    from service.store.database import Database
    from service.store.maintenance import Maintenance

SENTENCE: Final = (
    "The service is in maintenance: everything can be read, but nothing is accepted. What you submitted before is kept."
)
LONGEST_SENTENCE: Final = 300
QUIET_SECONDS: Final = 5.0
"""After so long every process knows the mark, and what it began to write before is written."""
LEASE_PATIENCE: Final = 30.0


@click.group()
def maintenance() -> None:
    """Refuse writes for a while: on, off, status."""


@maintenance.command()
@click.option("--sentence", default=SENTENCE, help="What is answered to players.")
@click.option(
    "--for", "minutes", type=click.IntRange(1, 7 * 24 * 60), help="How many minutes it will take, for Retry-After."
)
def on(sentence: str, minutes: int | None) -> None:
    """Begin a maintenance, and wait until nothing is written any more."""
    from service.store import maintenance as rows
    from service.wiring import utc_now

    if not 1 <= len(sentence.strip()) <= LONGEST_SENTENCE or not sentence.isprintable():
        raise click.UsageError(f"--sentence must be one line of 1 to {LONGEST_SENTENCE} characters.")
    with database_or_end(settings_or_end()) as database:
        now = utc_now()
        expected_end = None if minutes is None else now + timedelta(minutes=minutes)
        with database.write() as connection:
            present = rows.find(connection)
            since = now if present is None else present.since
            rows.begin(connection, rows.Maintenance(since, expected_end, sentence.strip()))
        quiet = _is_quiet_soon(database, time.monotonic, time.sleep)
    click.echo("The maintenance has begun. End it with `overland maintenance off`; it does not end by itself.")
    if not quiet:
        click.echo("A worker is still sending a mail that it began before.", err=True)


@maintenance.command()
def off() -> None:
    """End the maintenance."""
    from service.store import maintenance as rows

    with database_or_end(settings_or_end()) as database, database.write() as connection:
        ended = rows.end(connection)
    click.echo(
        "The maintenance has ended. Turns and mails that waited are handled within seconds."
        if ended
        else "There was no maintenance."
    )


@maintenance.command()
def status() -> None:
    """Say whether there is a maintenance."""
    from service.store import maintenance as rows

    with database_or_end(settings_or_end()) as database, database.read() as connection:
        found = rows.find(connection)
    click.echo("There is no maintenance." if found is None else _described(found))


def _described(found: Maintenance) -> str:
    expected = "" if found.expected_end is None else f", expected until {found.expected_end:%Y-%m-%d %H:%M} UTC"
    return f"In maintenance since {found.since:%Y-%m-%d %H:%M} UTC{expected}. {found.sentence}"


def _is_quiet_soon(database: Database, timer: Callable[[], float], sleep: Callable[[float], object]) -> bool:
    """Waits until every process knows the mark, and then, for at most ``LEASE_PATIENCE`` seconds,
    until no worker holds a notice or a mail that came in. Returns whether that came about.
    """
    from service.store import messages, outbox
    from service.wiring import utc_now

    sleep(QUIET_SECONDS)
    deadline = timer() + LEASE_PATIENCE
    while True:
        with database.read() as connection:
            now = utc_now()
            if not outbox.LEASING.any_leased(connection, now) and not messages.LEASING.any_leased(connection, now):
                return True
        if timer() > deadline:
            return False
        sleep(0.5)
