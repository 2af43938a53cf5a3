"""``overland aside``: lists what is set aside of loops whose items have no lists of their own, such
as the matches of a sweep, and has it tried again.

Turns, mails and mails that came in are listed by ``overland turns``, ``outbox`` and ``inbox``.
"""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from service.commands.databases import database_or_end, end
from service.commands.settings import settings_or_end


@click.group(invoke_without_command=True)
@click.pass_context
def aside(ctx: click.Context) -> None:
    """List what failed and is tried again later, or kept, and retry it. Without a command, list."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(show)


@aside.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document per line.")
def show(as_json: bool) -> None:
    """List what is set aside, by loop: attempts, when it is tried again, and what went wrong."""
    from service.store import leasing as rows

    with database_or_end(settings_or_end()) as database, database.read() as connection:
        found = rows.items_set_aside(connection)
    for each in found:
        if as_json:
            click.echo(json.dumps(asdict(each) | {"not_before": each.not_before.isoformat()}))
            continue
        when = "kept" if each.kept else f"again at {each.not_before:%Y-%m-%d %H:%M:%S} UTC"
        click.echo(f"{each.loop} {each.item}: {when}, attempts {each.attempts}")
        click.echo(f"  {each.error or 'The process ended meanwhile.'}")
    if not found and not as_json:
        click.echo("Nothing is set aside.")


@aside.command()
@click.argument("loop")
@click.argument("item")
def retry(loop: str, item: str) -> None:
    """Have the ITEM of a LOOP tried again with the next sweep, with no attempts counted."""
    from service.store import leasing as rows
    from service.wiring import utc_now

    with database_or_end(settings_or_end()) as database, database.write() as connection:
        if not rows.retry_item(connection, loop, item, utc_now()):
            end(f"{item} of {loop} is not set aside.")
    click.echo(f"{item} of {loop} is due again.", err=True)
