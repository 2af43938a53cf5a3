"""``overland verify FILE``: checks the record of a finished match offline.

Exit code 0: all checks pass. 1: the record is wrong; the failing ply is named. 2: the file is not a
record.
"""

from __future__ import annotations

import json
from pathlib import Path

import click

from engine import record as records
from engine.errors import DocumentError, RecordError
from engine.record import NOT_COVERED, Record, Verified


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False, readable=True))
def verify(file: Path) -> None:
    """Check the record in FILE: its commitment, every entry, every draw and the outcome."""
    record = _read(file)
    click.echo(f"Match {record.match}: {record.game}, {len(record.players)} seats, {len(record.log)} plies")
    try:
        verified = records.verify(record)
    except RecordError as error:
        click.echo(f"REFUSED. {error}", err=True)
        raise SystemExit(1) from error
    click.echo("\n".join(_report(record, verified)))


def _read(file: Path) -> Record:
    try:
        return records.read_record(json.loads(file.read_bytes()))
    except (ValueError, RecursionError) as error:
        click.echo(f"{file} is not JSON: {error}", err=True)
    except DocumentError as error:
        click.echo(f"{file} is not a record:", err=True)
        for pointer, sentence in error.problems:
            click.echo(f"  {pointer or 'the document'}: {sentence}", err=True)
    raise SystemExit(2)


def _report(record: Record, verified: Verified) -> list[str]:
    commitment = "covers match, game, rules version, number of seats, options and components"
    played = verified.plies - verified.draws
    outcome = ", ".join(
        f"{player} {score} (rank {rank})"
        for player, score, rank in zip(record.players, verified.outcome.scores, verified.outcome.ranks, strict=True)
    )
    resigned = ", ".join(f"{record.players[each.seat]} at ply {each.ply}" for each in record.resignations)
    return [
        f"  ok  commitment   the secret is the one committed to; it {commitment}",
        f"  ok  nonces       one from each of the {verified.seats} seats, mixed into every draw",
        f"  ok  draws        {verified.draws} recomputed from the secret, the nonces and the ply",
        f"  ok  actions      {played} legal by the rules of {verified.game}, version {record.rules_version}",
        f"  ok  outcome      {outcome}",
        *([f"  ok  resignations {resigned}"] if resigned else []),
        f"  --  not covered  {', '.join(NOT_COVERED)}: nothing in a record can prove them",
        "Verified. Compare the commitment with the one you were sent before the match, and the nonce with your own:",
        f"  {record.commitment}",
    ]
