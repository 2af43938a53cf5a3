"""``overland game``: lists the games that can be played, and checks one against the contract.

Exit code of ``check``: 0 if all checks pass, 1 if one fails, 2 if there is no such game.
"""

from __future__ import annotations

import secrets
from random import Random

import click

from engine import registry
from engine.conformance.checks import results
from engine.conformance.subject import subject_of
from engine.errors import UnknownGame
from engine.wording import amount
from service.commands.databases import ListingGroup, tell


@click.group(cls=ListingGroup)
def game() -> None:
    """List the games, or check one of them. Without a command, list."""


@game.command("list")
def list_games() -> None:
    """List each game with its numbers of players, the version of its rules, and its package."""
    rows = [("NAME", "SEATS", "RULES", "FROM")]
    for name, found in registry.games().items():
        seats = ", ".join(map(str, found.info.seats))
        rows.append((name, seats, str(found.info.rules_version), registry.package(name).origin or "Overland"))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        tell("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    for each in registry.refused():
        tell(f"REFUSED  {each.name} of {each.origin}: {each.reason}", err=True)


@game.command()
@click.argument("name")
@click.option(
    "--matches",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    help="How many matches to play for each number of seats.",
)
@click.option("--seed", default=None, help="A text that determines every match; random and printed by default.")
def check(name: str, matches: int, seed: str | None) -> None:
    """Check that the game NAME keeps the contract, and report where it does not."""
    seed = seed or secrets.token_hex(4)
    try:
        subject = subject_of(name, Random, seed)
    except UnknownGame as error:
        for each in (each for each in registry.refused() if each.name == name):
            tell(f"REFUSED  {each.name} of {each.origin}: {each.reason}", err=True)
            raise SystemExit(1) from None
        raise click.BadParameter(str(error), param_hint="NAME") from None
    failed = 0
    tell(f"{subject.game.info.title}, version {subject.game.info.rules_version} of the rules, seed {seed}")
    for result in results(subject, matches):
        tell(f"  {'FAIL' if result.findings else 'ok  '}  {result.check}")
        for finding in result.findings:
            tell(f"        {finding}")
        failed += bool(result.findings)
    if failed:
        tell(f"{amount(failed, 'check')} failed. Again: overland game check {name} --matches {matches} --seed {seed}")
        raise SystemExit(1)
    click.echo("The game keeps the contract.")
