"""What failed, and is retried by an operator: ``overland outbox``, notices; ``overland turns``,
turns at which judging failed; ``overland aside``, the items of other loops.

A turn that ends its judge or takes too long, three times, is quarantined: its player gets the
verdict ``judge_failed``. When the cause is mended, ``retry`` submits it again for the player.

A notice is dead when the mail server refused it permanently or for hours, or when it has no
recipient. Once an operator has fixed what ``error`` says, ``retry`` sends it with the same id.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import get_args

import click

from service.commands.databases import (
    ListingGroup,
    database_or_end,
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
from service.statuses import NoticeStatus
from service.store import addresses, leasing
from service.store import outbox as notices
from service.store import turns as turn_rows
from service.store.covering import format_reason
from service.store.leasing import Aside
from service.store.outbox import Notice
from service.store.turns import StoredTurn


@click.group(cls=ListingGroup)
def outbox() -> None:
    """List pending and dead notices, and retry dead ones. Without a command, list."""


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
    with rows_read() as connection:
        found = notices.listed(connection, status, limit)
    tell_rows(found, as_json, _document, _lines, f"No notice is {status}.")


@outbox.command()
@click.argument("notice", nargs=-1)
@click.option("--all-dead", is_flag=True, help="Retry every notice that was given up.")
def retry(notice: tuple[str, ...], all_dead: bool) -> None:
    """Make dead notices due again, each NOTICE or all of them.

    A worker sends them within seconds, if one runs.
    """
    from service.wiring import utc_now

    if all_dead == bool(notice):
        raise click.UsageError("Name the notices, or use --all-dead.")
    with rows_written() as connection:
        revived = notices.revive(connection, None if all_dead else notice, utc_now())
    tell_done(revived, notice, "notice", "due again", "Not dead, or not found")


@outbox.command()
@with_limit
def bounced(limit: int) -> None:
    """List the players whose address bounces for good, latest first, with the reason."""
    with rows_read() as connection:
        found = addresses.bounced(connection, limit)
    for address in found:
        since = f" since {address.bounced_at:%Y-%m-%d %H:%M} UTC" if address.bounced_at else ""
        tell(f"player {address.player_id}: bounces{since}", f"  {address.bounce_reason}")
    if not found:
        click.echo("No address bounces.")


def _document(notice: Notice) -> dict[str, object]:
    return {
        "id": notice.id,
        "kind": notice.kind,
        "status": notice.status,
        "player": notice.player_id,
        "match": notice.match_id,
        "attempts": notice.attempts,
        "created_at": notice.created_at,
        "next_attempt_at": notice.next_attempt_at if notice.status == "pending" else None,
        "sent_at": notice.sent_at,
        "held_by": notice.leased_by,
        "error": notice.last_error,
        "lane": notice.lane,
        "not_before": notice.not_before,
        "superseded_by": notice.superseded_by,
        "covered_by": None if notice.covered_by is None else format_reason(notice.covered_by),
        "event": notice.event_id,
    }


def _lines(notice: Notice) -> Iterator[str]:
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


@click.group(cls=ListingGroup)
def turns() -> None:
    """List turns that could not be judged, and have them judged again. Without a command, list."""


@turns.command("list")
@with_limit
@with_json
def show_turns(limit: int, as_json: bool) -> None:
    """List the turns at which judging failed, the newest first. Their content is not shown."""
    with rows_read() as connection:
        found = turn_rows.with_attempts(connection, limit)
    tell_rows(found, as_json, _turns_document, _turns_lines, "Every turn could be judged.")


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
                tell(submit_again(database, SystemEntropy(), turn_id, utc_now()))
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
        "submitted_at": turn.submitted_at,
    }


def _turns_lines(turn: StoredTurn) -> Iterator[str]:
    yield (
        f"{turn.id}  match {turn.match_id}, seat {turn.seat}, ply {turn.ply}:"
        f" {'waits' if turn.status == 'queued' else 'quarantined'}, submitted {turn.submitted_at:%Y-%m-%d %H:%M} UTC,"
        f" attempts {turn.attempts}"
    )


@click.group(cls=ListingGroup)
def aside() -> None:
    """List what failed and is tried again later, or kept, and retry it. Without a command, list."""


@aside.command("list")
@with_json
def show_aside(as_json: bool) -> None:
    """List what is set aside, by loop: attempts, when it is tried again, and what went wrong."""
    with rows_read() as connection:
        found = leasing.items_set_aside(connection)
    tell_rows(found, as_json, asdict, _aside_lines, "Nothing is set aside.")


@aside.command("retry")
@click.argument("loop")
@click.argument("item")
def retry_aside(loop: str, item: str) -> None:
    """Have the ITEM of a LOOP tried again with the next sweep, with no attempts counted."""
    from service.wiring import utc_now

    with rows_written() as connection:
        if not leasing.retry_item(connection, loop, item, utc_now()):
            end(f"{item} of {loop} is not set aside.")
    tell(f"{item} of {loop} is due again.", err=True)


def _aside_lines(aside: Aside) -> Iterator[str]:
    when = "kept" if aside.kept else f"again at {aside.not_before:%Y-%m-%d %H:%M:%S} UTC"
    yield f"{aside.loop} {aside.item}: {when}, attempts {aside.attempts}"
    yield f"  {aside.error or 'The process ended meanwhile.'}"
