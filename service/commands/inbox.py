"""``overland inbox``: lists mails that came in, shows one, has kept ones handled again, and deletes
them.

A mail is kept for the operator when it could not be handled: it is malformed in a way that the
service does not know, or it ended the processes that tried.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import get_args

import click

from service.commands.databases import (
    ListingGroup,
    end,
    rows_read,
    rows_written,
    settings_or_end,
    tell,
    tell_done,
    tell_rows,
    with_json,
    with_limit,
)
from service.statuses import MessageStatus
from service.store import messages
from service.store.messages import Message


@click.group(cls=ListingGroup)
def inbox() -> None:
    """List mails that came in, show one, and retry or delete kept ones. Without a command, list."""


@inbox.command("list")
@click.option(
    "--status",
    type=click.Choice(get_args(MessageStatus)),
    default="kept",
    show_default=True,
    help="Only mails of this status.",
)
@with_limit
@with_json
def show_all(status: MessageStatus, limit: int, as_json: bool) -> None:
    """List mails: sender, attempts, and what became of them. Their content is not shown."""
    with rows_read() as connection:
        found = messages.listed(connection, status, limit)
    tell_rows(found, as_json, _document, _lines, f"No mail is {status}.")


@inbox.command()
@click.argument("message")
@click.option("--raw", is_flag=True, help="Write the mail as it came in, and nothing else.")
def show(message: str, raw: bool) -> None:
    """Show what is known of a mail, and its header; with --raw the whole mail."""
    from service.inbox.authenticate import sender_proof

    with rows_read() as connection:
        found = messages.find(connection, message)
    if found is None:
        end(f"There is no mail {message}.")
    if raw:
        if found.raw is None:
            end(f"Of {message} only the key is kept: see OVERLAND_KEEP_MESSAGES_DAYS.")
        sys.stdout.buffer.write(found.raw)
        return
    tell(*_lines(found))
    if found.raw is not None:
        tell(f"  sender authenticated: {sender_proof(found.raw, settings_or_end().trusted_relay)}", "")
        for line in found.raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0].decode("utf-8", "replace").split("\n"):
            tell(f"  {line}")


@inbox.command()
@click.argument("message", nargs=-1)
@click.option("--all-kept", is_flag=True, help="Retry every mail that is kept.")
def retry(message: tuple[str, ...], all_kept: bool) -> None:
    """Have kept mails handled again, each MESSAGE or all of them.

    A worker handles them within seconds, if one runs.
    """
    from service.wiring import utc_now

    if all_kept == bool(message):
        raise click.UsageError("Name the mails, or use --all-kept.")
    with rows_written() as connection:
        queued = messages.queue_again(connection, None if all_kept else message, utc_now())
    tell_done(queued, message, "mail", "due again", "Not kept, or not found")


@inbox.command()
@click.argument("message", nargs=-1, required=True)
def delete(message: tuple[str, ...]) -> None:
    """Delete mails, each MESSAGE, with their keys: one that comes again is a new mail."""
    with rows_written() as connection:
        deleted = messages.remove(connection, message)
    tell_done(deleted, message, "mail", "deleted", "Still to be handled, or not found")


def _document(message: Message) -> dict[str, object]:
    return {
        "id": message.id,
        "status": message.status,
        "received_at": message.received_at,
        "from": message.envelope_from,
        "recipient": message.recipient,
        "message_id": message.message_id,
        "size": message.size,
        "attempts": message.attempts,
        "next_attempt_at": message.next_attempt_at if message.status == "queued" else None,
        "settled_at": message.settled_at,
        "held_by": message.leased_by,
        "reason": message.reason,
    }


def _lines(message: Message) -> Iterator[str]:
    sender = f"from {message.envelope_from}" if message.envelope_from else "from nobody"
    yield (
        f"{message.id}  {sender}, {message.size} bytes: {message.status}, received"
        f" {message.received_at:%Y-%m-%d %H:%M} UTC, attempts {message.attempts}"
    )
    if message.reason:
        yield f"  {message.reason}"
