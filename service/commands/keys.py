"""``overland keys``: lists the keys that sign reply addresses and links in mails, or adds one that
signs from now on. The earlier ones verify what they signed for good.
"""

from __future__ import annotations

import click

from service.commands.databases import database_or_end, settings_or_end


@click.group(invoke_without_command=True)
@click.pass_context
def keys(ctx: click.Context) -> None:
    """List the keys that sign addresses and links, or rotate them. Without a command, list."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(show)


@keys.command("list")
def show() -> None:
    """List the keys by number, and since when each signs. Their secrets are not shown."""
    from service.store import tokens as rows
    from service.wiring import utc_now

    with database_or_end(settings_or_end()) as database, database.read() as connection:
        found = rows.every_signing_key(connection)
    signing = max((key.number for key in found if key.signs_from <= utc_now()), default=0)
    for key in found:
        does = "signs and verifies" if key.number == signing else "verifies"
        click.echo(f"{key.number}  {does}, signing from {key.signs_from:%Y-%m-%d %H:%M:%S} UTC")
    if not found:
        click.echo("There is no key yet: the first is made with the first mail.")


@keys.command()
def rotate() -> None:
    """Add a key, which signs from one minute after. Addresses and links that are out stay valid."""
    from service import signing
    from service.wiring import wire

    settings = settings_or_end()
    with database_or_end(settings):
        context = wire(settings)
        try:
            key = signing.rotate(context)
        finally:
            context.close()
    click.echo(f"Key {key.number} signs from {key.signs_from:%Y-%m-%d %H:%M:%S} UTC on; the earlier ones verify.")
