"""What failed, and is retried by an operator: ``overland outbox``, notices; ``overland turns``,
turns at which judging failed; ``overland aside``, the items of other loops.

A turn that ends its judge or takes too long, three times, is quarantined: its player gets the
verdict ``judge_failed``. When the cause is mended, ``retry`` submits it again for the player.

A notice is dead when the mail server refused it permanently or for hours, or when it has no
recipient. It stays in the database until an operator has fixed what ``error`` says and runs
``retry``. It is sent with the same id as before.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, get_args

import click

from service.commands.databases import database_or_end, end, settings_or_end, tell_done, with_json, with_limit
from service.statuses import NoticeStatus

if TYPE_CHECKING:
    from service.store.outbox import Notice
    from service.store.turns import StoredTurn


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
@with_limit
@with_json
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
    with database_or_end(settings_or_end()) as database, database.write() as connection:
        revived = rows.revive(connection, None if all_dead else notice, utc_now())
    tell_done(revived, notice, "notice", "due again", "Not dead, or not found")


@outbox.command()
@with_limit
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


@click.group(invoke_without_command=True)
@click.pass_context
def turns(ctx: click.Context) -> None:
    """List turns that could not be judged, and have them judged again. Without a command, list."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(show_turns)


@turns.command("list")
@with_limit
@with_json
def show_turns(limit: int, as_json: bool) -> None:
    """List the turns at which judging failed, the newest first. Their content is not shown."""
    from service.store import turns as rows

    with database_or_end(settings_or_end()) as database, database.read() as connection:
        found = rows.with_attempts(connection, limit)
    for each in found:
        click.echo(json.dumps(_turns_document(each)) if as_json else _turns_line(each))
    if not found and not as_json:
        click.echo("Every turn could be judged.")


@turns.command("retry")
@click.argument("turn", nargs=-1, required=True)
def retry_turns(turn: tuple[str, ...]) -> None:
    """Submit each quarantined TURN again for its player. A worker judges it within seconds, if one
    runs.
    """
    from service.errors import ServiceError
    from service.turns.submit import retry as submit_again
    from service.wiring import SystemEntropy, utc_now

    refused = []
    with database_or_end(settings_or_end()) as database:
        for turn_id in turn:
            try:
                click.echo(submit_again(database, SystemEntropy(), turn_id, utc_now()))
            except ServiceError as error:
                refused.append(str(error))
    if refused:
        end(" ".join(refused))


def _turns_document(turn: StoredTurn) -> dict[str, object]:
    return {
        "id": turn.id,
        "match": turn.match_id,
        "seat": turn.seat,
        "player": turn.player_id,
        "ply": turn.ply,
        "status": "queued" if turn.status == "queued" else "quarantined",
        "attempts": turn.attempts,
        "submitted_at": turn.submitted_at.isoformat(),
    }


def _turns_line(turn: StoredTurn) -> str:
    return (
        f"{turn.id}  match {turn.match_id}, seat {turn.seat}, ply {turn.ply}:"
        f" {'waits' if turn.status == 'queued' else 'quarantined'}, submitted {turn.submitted_at:%Y-%m-%d %H:%M} UTC,"
        f" attempts {turn.attempts}"
    )


@click.group(invoke_without_command=True)
@click.pass_context
def aside(ctx: click.Context) -> None:
    """List what failed and is tried again later, or kept, and retry it. Without a command, list."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(show_aside)


@aside.command("list")
@with_json
def show_aside(as_json: bool) -> None:
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


@aside.command("retry")
@click.argument("loop")
@click.argument("item")
def retry_aside(loop: str, item: str) -> None:
    """Have the ITEM of a LOOP tried again with the next sweep, with no attempts counted."""
    from service.store import leasing as rows
    from service.wiring import utc_now

    with database_or_end(settings_or_end()) as database, database.write() as connection:
        if not rows.retry_item(connection, loop, item, utc_now()):
            end(f"{item} of {loop} is not set aside.")
    click.echo(f"{item} of {loop} is due again.", err=True)
