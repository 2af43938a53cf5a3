"""``overland outage``: lists the outages that stopped clocks, or adds one that the service could
not see, such as of the proxy in front of it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import click

from service.commands.databases import (
    context_or_end,
    database_or_end,
    end,
    operator,
    settings_or_end,
    with_limit,
    with_reason,
)

FOLLOWED: Final = {
    "time_up_bot_turn": "a bot played a turn",
    "time_up_bot_hold": "a bot holds the seat until its player is back",
    "time_up_bot_seat": "a bot has the seat for good",
    "time_up_resign": "the seat has resigned",
}


@click.group(invoke_without_command=True)
@click.pass_context
def outage(ctx: click.Context) -> None:
    """List outages that stopped clocks, or add one. Without a command, list."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(show_all)


@outage.command("list")
@with_limit
def show_all(limit: int) -> None:
    """List outages, the latest first, with the part that was out."""
    from service.store import heartbeats
    from service.store.heartbeats import OPERATOR

    with database_or_end(settings_or_end()) as database, database.read() as connection:
        found = heartbeats.outages_after(connection, datetime.min.replace(tzinfo=UTC), limit)
    for each in found:
        part = "added by an operator" if each.part == OPERATOR else f"{each.part} was out"
        click.echo(f"{each.start_at:%Y-%m-%d %H:%M:%S} to {each.end_at:%Y-%m-%d %H:%M:%S} UTC  {part}")
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
    click.echo(f"The outage from {began.isoformat()} to {ended.isoformat()} is credited.")
    for each in acted:
        click.echo(f"{each.match_id}  seat {each.seat}, {each.at:%Y-%m-%d %H:%M} UTC: {FOLLOWED[each.followed]}")
    if acted:
        click.echo("That followed from time that was up in it or since, and cannot be undone.", err=True)


def _moment(text: str) -> datetime:
    """The moment that a text says, in whole seconds. Ends the command where it has no time zone."""
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        end(f"{text} is no time. Write it like 2026-11-27T18:00+01:00.")
    if read.tzinfo is None:
        end(f"{text} has no time zone. Write it like {text}+01:00, or {text}Z for UTC.")
    return read.astimezone(UTC).replace(microsecond=0)
