"""``overland keys``: lists the keys that sign reply addresses and links in mails, adds one that
signs from now on, or retires one. Until then the earlier ones verify what they signed.
"""

from __future__ import annotations

import click

from service.commands.databases import ListingGroup, context_or_end, operator, rows_read, tell, with_reason
from service.store import tokens


@click.group(cls=ListingGroup)
def keys() -> None:
    """List the keys that sign addresses and links, rotate them, or retire one.

    Without a command, list.
    """


@keys.command("list")
def show() -> None:
    """List the keys by number, and since when each signs. Their secrets are not shown."""
    from service.wiring import utc_now

    with rows_read() as connection:
        found = tokens.every_signing_key(connection)
    signing = max((key.number for key in found if key.signs_from <= utc_now()), default=0)
    for key in found:
        does = "signs and verifies" if key.number == signing else "verifies"
        if key.retired_at is not None:
            does = f"retired on {key.retired_at:%Y-%m-%d %H:%M:%S} UTC"
        tell(f"{key.number}  {does}, signing from {key.signs_from:%Y-%m-%d %H:%M:%S} UTC")
    if not found:
        click.echo("There is no key yet: the first is made with the first mail.")


@keys.command()
def rotate() -> None:
    """Add a key, which signs from one minute after. Addresses and links that are out stay valid."""
    from service import signing

    with context_or_end() as context:
        key = signing.rotate(context)
    tell(f"Key {key.number} signs from {key.signs_from:%Y-%m-%d %H:%M:%S} UTC on; the earlier ones verify.")


@keys.command()
@click.argument("number", type=int)
@with_reason
@click.option("--yes", is_flag=True, help="Do not ask back.")
def retire(number: int, reason: str, yes: bool) -> None:
    """Have the key NUMBER verify nothing any more, as where its secret has got about.

    Replies to mails that it signed are not for their match any more, and their links lead nowhere.
    """
    from service import signing

    with context_or_end() as context:
        by = operator(reason)
        if not yes:
            click.confirm(f"Retire key {number} for good? Mails that it signed cannot be answered then.", abort=True)
        retired = signing.retire(context, number, by)
    tell(
        f"Key {retired.number} is retired. It signed from {retired.since:%Y-%m-%d %H:%M} to"
        f" {retired.until:%Y-%m-%d %H:%M} UTC: {retired.mails} mails of that time, which were sent, cannot be answered"
        " any more. Players get a new one by the word list to the service, or on the page of a match."
    )
