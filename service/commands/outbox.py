"""``overland outbox``: lists pending and dead notices, and retries dead ones.

A notice is dead when the mail server refused it permanently or for hours, or when it has no
recipient. It stays in the database until an operator has fixed what ``error`` says and runs
``retry``. It is sent with the same id as before.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, get_args

import click

from service.commands.databases import database_or_end, end
from service.commands.settings import settings_or_end
from service.statuses import NoticeStatus

if TYPE_CHECKING:
    from service.store.outbox import Notice


@click.group(invoke_without_command=True)
@click.pass_context
def outbox(ctx: click.Context) -> None:
    """List pending and dead notices, and retry dead ones. Without a command, list."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(show)


@outbox.command("list")
@click.option(
    "--status",
    type=click.Choice(get_args(NoticeStatus)),
    default="dead",
    show_default=True,
    help="Only notices of this status.",
)
@click.option("--limit", type=click.IntRange(1, 10_000), default=100, show_default=True, help="How many at most.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document per line.")
def show(status: NoticeStatus, limit: int, as_json: bool) -> None:
    """List notices: recipient, attempts, and the last error. Their content is not shown."""
    from service.store import outbox as rows

    with database_or_end(settings_or_end()) as database, database.read() as connection:
        found = rows.listed(connection, status, limit)
    for notice in found:
        click.echo(json.dumps(_document(notice)) if as_json else "\n".join(_lines(notice)))
    if not found and not as_json:
        click.echo(f"No notice is {status}.")


@outbox.command()
@click.argument("notice", nargs=-1)
@click.option("--all-dead", is_flag=True, help="Retry every notice that was given up.")
def retry(notice: tuple[str, ...], all_dead: bool) -> None:
    """Make dead notices due again, each NOTICE or all of them.

    A worker sends them within seconds, if one runs.
    """
    from service.store import outbox as rows
    from service.wiring import utc_now

    if all_dead == bool(notice):
        raise click.UsageError("Name the notices, or use --all-dead.")
    settings = settings_or_end()
    with database_or_end(settings) as database, database.write() as connection:
        revived = rows.revive(connection, None if all_dead else notice, utc_now())
    for notice_id in revived:
        click.echo(notice_id)
    click.echo(f"{len(revived)} {'notice is' if len(revived) == 1 else 'notices are'} due again.", err=True)
    left = [each for each in notice if each not in revived]
    if left:
        end(f"Not dead, or not found: {', '.join(left)}.")


@outbox.command()
@click.option("--limit", type=click.IntRange(1, 10_000), default=100, show_default=True, help="How many at most.")
def bounced(limit: int) -> None:
    """List the players whose address bounces for good, latest first, with the reason."""
    from service.store import addresses as rows

    with database_or_end(settings_or_end()) as database, database.read() as connection:
        found = rows.bounced(connection, limit)
    for address in found:
        since = f" since {address.bounced_at:%Y-%m-%d %H:%M} UTC" if address.bounced_at else ""
        click.echo(f"player {address.player_id}: bounces{since}\n  {address.bounce_reason}")
    if not found:
        click.echo("No address bounces.")


def _document(notice: Notice) -> dict[str, object]:
    from service.store.covering import format_reason

    return {
        "id": notice.id,
        "kind": notice.kind,
        "status": notice.status,
        "player": notice.player_id,
        "match": notice.match_id,
        "attempts": notice.attempts,
        "created_at": notice.created_at.isoformat(),
        "next_attempt_at": notice.next_attempt_at.isoformat() if notice.status == "pending" else None,
        "sent_at": None if notice.sent_at is None else notice.sent_at.isoformat(),
        "held_by": notice.leased_by,
        "error": notice.last_error,
        "lane": notice.lane,
        "not_before": None if notice.not_before is None else notice.not_before.isoformat(),
        "superseded_by": notice.superseded_by,
        "covered_by": None if notice.covered_by is None else format_reason(notice.covered_by),
        "event": notice.event_id,
    }


def _lines(notice: Notice) -> Iterator[str]:
    from service.store.covering import format_reason

    reader = f"player {notice.player_id}" if notice.player_id else "an invited address"
    about = f", match {notice.match_id}" if notice.match_id else ""
    yield (
        f"{notice.id}  {notice.kind} for {reader}{about}: {notice.status}, written {notice.created_at:%Y-%m-%d %H:%M}"
        f" UTC, attempts {notice.attempts}"
    )
    if notice.superseded_by:
        yield f"  told by the later notice {notice.superseded_by}"
    if notice.covered_by:
        yield f"  covered by {format_reason(notice.covered_by)}"
    if notice.last_error:
        yield f"  {notice.last_error}"
