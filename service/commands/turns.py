"""``overland turns``: lists turns that could not be judged, and has them judged again.

A turn that ends its judge or takes too long, three times, is quarantined: its player gets the
verdict ``judge_failed``. When the cause is mended, ``retry`` submits it again for the player.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from service.commands.databases import database_or_end, end
from service.commands.settings import settings_or_end

if TYPE_CHECKING:
    from service.turns.submit import FailedTurn


@click.group(invoke_without_command=True)
@click.pass_context
def turns(ctx: click.Context) -> None:
    """List turns that could not be judged, and have them judged again. Without a command, list."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(show)


@turns.command("list")
@click.option("--limit", type=click.IntRange(1, 10_000), default=100, show_default=True, help="How many at most.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document per line.")
def show(limit: int, as_json: bool) -> None:
    """List the turns at which judging failed, the newest first. Their content is not shown."""
    from service.turns.submit import failed_turns

    with database_or_end(settings_or_end()) as database:
        found = failed_turns(database, limit)
    for each in found:
        click.echo(json.dumps(_document(each)) if as_json else _line(each))
    if not found and not as_json:
        click.echo("Every turn could be judged.")


@turns.command()
@click.argument("turn", nargs=-1, required=True)
def retry(turn: tuple[str, ...]) -> None:
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


def _document(failed: FailedTurn) -> dict[str, object]:
    turn = failed.turn
    return {
        "id": turn.id,
        "match": turn.match_id,
        "seat": turn.seat,
        "player": turn.player_id,
        "ply": turn.ply,
        "status": "quarantined" if failed.quarantined else "queued",
        "attempts": turn.attempts,
        "submitted_at": turn.submitted_at.isoformat(),
    }


def _line(failed: FailedTurn) -> str:
    turn = failed.turn
    return (
        f"{turn.id}  match {turn.match_id}, seat {turn.seat}, ply {turn.ply}:"
        f" {'quarantined' if failed.quarantined else 'waits'}, submitted {turn.submitted_at:%Y-%m-%d %H:%M} UTC,"
        f" attempts {turn.attempts}"
    )
