"""``overland reports``: shows the operator what players have reported, and does what follows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import get_args

import click

from service.commands.databases import (
    ListingGroup,
    context_or_end,
    end,
    operator,
    rows_read,
    tell,
    tell_rows,
    with_json,
    with_limit,
    with_reason,
)
from service.statuses import ReportStatus
from service.store import players
from service.store import reports as rows
from service.store.reports import PlayerReport

with_report = click.argument("report")


@click.group(cls=ListingGroup)
def reports() -> None:
    """List what players report, show it, remove it, answer, or dismiss. Without a command, list."""


@reports.command("list")
@click.option("--status", type=click.Choice(get_args(ReportStatus)), default="open", show_default=True)
@with_limit
@with_json
def show_all(status: ReportStatus, limit: int, as_json: bool) -> None:
    """List reports, oldest first: what was reported, as it read then."""
    with rows_read() as connection:
        found = rows.listed(connection, status, limit)
    tell_rows(found, as_json, asdict, _lines, f"No report is {status}.")


@reports.command()
@with_report
def show(report: str) -> None:
    """Show a report: who reported what of whom, as it read, and why."""
    with rows_read() as connection:
        found = rows.find(connection, report)
        if found is None:
            end(f"There is no report {report}.")
        names = players.names(connection, (found.reporter_id, found.about_id))
    tell(*_lines(found))
    tell(f"of {names[found.about_id]} ({found.about_id})")
    tell(f"by {names[found.reporter_id]} ({found.reporter_id}): {found.words}")
    if found.match_id is not None:
        tell(f"in the match {found.match_id}, {'seat' if found.kind == 'invitation' else 'line'} {found.number}")


@reports.command()
@with_report
@with_reason
def remove(report: str, reason: str) -> None:
    """Remove what was reported: the text of the line, the invitation, or the name.

    Its player is mailed why, and whoever reported it that it is gone.
    """
    from service.matches import reporting

    with context_or_end() as context:
        found = reporting.remove(context, report, operator(reason))
    tell(f"Removed: {found.kind} “{found.read}”.")


@reports.command()
@with_report
@click.argument("words")
def answer(report: str, words: str) -> None:
    """Mail WORDS to whoever made the report, and do nothing else about it."""
    from service.matches import reporting

    with context_or_end() as context:
        reporting.answer(context, report, operator(words, "Say what is mailed: WORDS is empty."))
    click.echo("A mail with these words is on its way.")


@reports.command()
@with_report
@with_reason
def dismiss(report: str, reason: str) -> None:
    """Settle a report of which nothing follows; nobody is told."""
    from service.matches import reporting

    with context_or_end() as context:
        reporting.dismiss(context, report, operator(reason))
    click.echo("Dismissed.")


def _lines(report: PlayerReport) -> Iterator[str]:
    yield f"{report.id}  {report.at:%Y-%m-%d %H:%M} UTC, {report.kind}: “{report.read}”, {report.status}"
