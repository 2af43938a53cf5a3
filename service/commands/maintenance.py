"""When the service is out. ``overland maintenance``: lets it be read, but accept, judge and send
nothing, on all hosts of one database, until that is ended. ``overland outage``: lists the outages
that stopped clocks, or adds one that the service could not see, such as of the proxy before it.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Final

import click

from service.commands.databases import (
    ListingGroup,
    context_or_end,
    database_or_end,
    end,
    operator,
    rows_read,
    rows_written,
    settings_or_end,
    tell,
    with_limit,
    with_reason,
)
from service.store import heartbeats, messages, outbox
from service.store import maintenance as rows
from service.store.database import Database
from service.store.maintenance import Maintenance

SENTENCE: Final = (
    "The service is in maintenance: everything can be read, but nothing is accepted. What you submitted before is kept."
)
LONGEST_SENTENCE: Final = 300
QUIET_SECONDS: Final = 5.0
"""After so long every process knows the mark, and what it began to write before is written."""
LEASE_PATIENCE: Final = 30.0
FOLLOWED: Final = {
    "time_up_bot_turn": "a bot played a turn",
    "time_up_bot_hold": "a bot holds the seat until its player is back",
    "time_up_bot_seat": "a bot has the seat for good",
    "time_up_resign": "the seat has resigned",
}


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
    from service.wiring import utc_now

    if not 1 <= len(sentence.strip()) <= LONGEST_SENTENCE or not sentence.isprintable():
        raise click.UsageError(f"--sentence must be one line of 1 to {LONGEST_SENTENCE} characters.")
    with database_or_end(settings_or_end()) as database:
        now = utc_now()
        expected_end = None if minutes is None else now + timedelta(minutes=minutes)
        with database.write() as connection:
            present = rows.find(connection)
            since = now if present is None else present.since
            rows.begin(connection, Maintenance(since, expected_end, sentence.strip()))
        quiet = _is_quiet_soon(database)
    click.echo("The maintenance has begun. End it with `overland maintenance off`; it does not end by itself.")
    if not quiet:
        click.echo("A worker has not ended what it began before: a mail, or the call of a webhook.", err=True)


@maintenance.command()
def off() -> None:
    """End the maintenance."""
    with rows_written() as connection:
        ended = rows.end(connection)
    waited = "The maintenance has ended. Turns and mails that waited are handled within seconds."
    tell(waited if ended else "There was no maintenance.")


@maintenance.command()
def status() -> None:
    """Say whether there is a maintenance."""
    with rows_read() as connection:
        found = rows.find(connection)
    tell("There is no maintenance." if found is None else _described(found))


def _described(found: Maintenance) -> str:
    expected = "" if found.expected_end is None else f", expected until {found.expected_end:%Y-%m-%d %H:%M} UTC"
    return f"In maintenance since {found.since:%Y-%m-%d %H:%M} UTC{expected}. {found.sentence}"


def _is_quiet_soon(database: Database) -> bool:
    """Waits until every process knows the mark, then ``LEASE_PATIENCE`` seconds at most until no
    worker holds a mail, the call of a webhook or a mail that came in. Returns whether that came
    about.
    """
    from service.wiring import utc_now

    time.sleep(QUIET_SECONDS)
    deadline = time.monotonic() + LEASE_PATIENCE
    while True:
        with database.read() as connection:
            now = utc_now()
            if not any(each.any_leased(connection, now) for each in (outbox.LEASING, outbox.CALLING, messages.LEASING)):
                return True
        if time.monotonic() > deadline:
            return False
        time.sleep(0.5)


@click.group(cls=ListingGroup)
def outage() -> None:
    """List outages that stopped clocks, or add one. Without a command, list."""


@outage.command("list")
@with_limit
def show_all(limit: int) -> None:
    """List outages, the latest first, with the part that was out."""
    with rows_read() as connection:
        found = heartbeats.outages_after(connection, datetime.min.replace(tzinfo=UTC), limit)
    for each in found:
        part = "added by an operator" if each.part == heartbeats.OPERATOR else f"{each.part} was out"
        tell(f"{each.start_at:%Y-%m-%d %H:%M:%S} to {each.end_at:%Y-%m-%d %H:%M:%S} UTC  {part}")
    if not found:
        click.echo("No outage is known.")


@outage.command()
@click.argument("start", metavar="FROM")
@click.argument("to", metavar="TO")
@with_reason
def add(start: str, to: str, reason: str) -> None:
    """Credit an outage FROM TO, such as 2026-11-27T18:00+01:00, to all clocks that run since.

    Pages, mails and records say that the service was out then. Turns that were played before this
    command, and time that was up, stay as they are: those are listed.
    """
    from service.heartbeats import add_outage

    began, ended = _moment(start), _moment(to)
    with context_or_end() as context:
        acted = add_outage(context, began, ended, operator(reason))
    tell(f"The outage from {began.isoformat()} to {ended.isoformat()} is credited.")
    for each in acted:
        tell(f"{each.match_id}  seat {each.seat}, {each.at:%Y-%m-%d %H:%M} UTC: {FOLLOWED[each.followed]}")
    if acted:
        click.echo("That followed from time that was up in it or since, and cannot be undone.", err=True)


def _moment(text: str) -> datetime:
    """The moment that a text says, in whole seconds. Ends the command where it has no time zone."""
    try:
        read = datetime.fromisoformat(text)
        moment = read.astimezone(UTC).replace(microsecond=0)
    except (ValueError, OverflowError):
        end(f"{text} is no time. Write it like 2026-11-27T18:00+01:00.")
    if read.tzinfo is None:
        local = read.isoformat(timespec="minutes")
        end(f"{text} has no time zone. Write it like {local}+01:00, or {local}Z for UTC.")
    return moment
