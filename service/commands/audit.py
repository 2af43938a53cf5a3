"""``overland audit``: lists what operators have done."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from service.commands.databases import database_or_end, printable, settings_or_end, with_json, with_limit


@click.command()
@click.option("--player", help="Only what was done about the player with this id.")
@with_limit
@with_json
def audit(player: str | None, limit: int, as_json: bool) -> None:
    """List what operators have done about players and the service, newest first."""
    from service.store import audit as rows

    with database_or_end(settings_or_end()) as database, database.read() as connection:
        found = rows.listed(connection, player, limit)
    for each in found:
        about = " ".join(part for part in (each.player_id or "", each.subject) if part)
        line = f"{each.at:%Y-%m-%d %H:%M:%S} UTC  {each.by}: {each.act} {about}".rstrip()
        reason = f": {each.reason}" if each.reason else ""
        document = json.dumps(asdict(each) | {"at": each.at.isoformat()})
        click.echo(document if as_json else printable(line + reason))
    if not found and not as_json:
        click.echo("Nothing was done yet.")
