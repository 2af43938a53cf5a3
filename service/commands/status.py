"""`overland status`: how the service is, on one screen: what is wrong first, with what to run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from service.commands.databases import settings_or_end, sqlite_file, with_json

if TYPE_CHECKING:
    from service.commands.standing import Room, Standing, StoredStanding

GIGABYTE = 1024**3


@click.command()
@with_json
def status(as_json: bool) -> None:
    """Say how the service is, what is wrong first; ends with status 1 where something is."""
    from service.commands.standing import standing_of
    from service.wiring import wire

    settings = settings_or_end()
    file = sqlite_file(settings)
    if file is not None and not file.exists():
        click.echo("There is no database yet: `overland run` makes it, or `overland migrate`.", err=True)
        raise SystemExit(1)
    context = wire(settings)
    try:
        standing = standing_of(context)
    finally:
        context.close()
    if as_json:
        click.echo(json.dumps(asdict(standing), default=str))
    else:
        click.echo("\n".join(_lines(standing)))  # which takes colours out where it is no terminal
    if standing.troubles:
        raise SystemExit(1)


def _lines(standing: Standing) -> Iterator[str]:
    head = f"Overland {standing.version}, {standing.at:%Y-%m-%d %H:%M} UTC: "
    if standing.troubles:
        yield head + click.style("something is wrong.", fg="red", bold=True)
        for trouble in standing.troubles:
            yield f"  {click.style('!', fg='red', bold=True)} {trouble.sentence}"
            yield f"    {click.style(trouble.run, bold=True)}"
    else:
        yield head + click.style("all is well.", fg="green")
    yield ""
    if standing.rows is None:
        yield _line("Database", "not read: see above")
    else:
        yield from _of_rows(standing, standing.rows)
    if standing.processes is not None:
        yield _line("Processes", _listed(standing.processes))
    yield _line("Disk", f"{_of(standing.disk)} at {standing.folder}")
    if standing.memory is not None:
        yield _line("Memory", _of(standing.memory))


def _of_rows(standing: Standing, rows: StoredStanding) -> Iterator[str]:
    from service.commands.standing import ago, span

    hearts = ", ".join(f"{part} {ago(standing.at, at)} ago" for part, at in sorted(rows.hearts.items()))
    yield _line("Last signs", hearts or "none yet")
    waiting = [
        f"{kind} {due.number}{f' (oldest {span(due.oldest_seconds)})' if due.number and due.oldest_seconds else ''}"
        for kind, due in rows.due.items()
    ]
    yield _line("Waiting", ", ".join(waiting))
    numbers = rows.numbers
    yield _line("Today", f"{numbers.mails_out} mails out, {numbers.mails_in} mails in, since 0:00 UTC")
    yield _line("Matches", f"{numbers.running} running, {numbers.open} open, {numbers.archived} archived")
    yield _line("Players", f"{numbers.active} in running matches, {numbers.players} in all")


def _line(what: str, said: str) -> str:
    return f"{what:<12}{said}"


def _listed(numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in numbers.items())


def _of(space: Room) -> str:
    return f"{space.free / GIGABYTE:.1f} of {space.total / GIGABYTE:.1f} GB free"
