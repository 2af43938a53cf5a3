"""``overland verify FILE``: checks the record of a finished match offline.

Exit code 0: all checks pass. 1: the record is wrong, or not what a player noted; a failing ply is
named. 2: the file is not a record, or an option is no digest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import click

from engine import record as records
from engine.choices import json_of
from engine.errors import DocumentError, RecordError
from engine.record import NOT_COVERED, Record, Verified
from engine.types import Outcome
from service.clocks.recorded import ClocksVerified, verify_clocks
from service.commands.databases import end, tell


def _digest(context: click.Context, option: click.Parameter, text: str | None) -> str | None:
    """A digest that was typed or pasted."""
    if text is None:
        return None
    read = text.strip().lower()
    if not re.fullmatch("[0-9a-f]{64}", read):
        raise click.BadParameter(f"{text!r} is not a digest of 64 hexadecimal digits.", context, option)
    return read


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--commitment", "committed", metavar="DIGEST", callback=_digest, help="The one you noted before the match began."
)
@click.option(
    "--nonces", metavar="DIGEST", callback=_digest, help="The digest of all nonces that you noted when it began."
)
def verify(file: Path, committed: str | None, nonces: str | None) -> None:
    """Check the record in FILE: its commitment, nonces, every entry, every draw and the outcome.

    With the values that you noted, it is checked as well that nothing was exchanged since.
    """
    record = _read(file)
    tell(f"Match {record.match}: {record.game}, {len(record.players)} seats, {len(record.log)} plies, {record.scheme}")
    try:
        records.check_noted(record, committed, nonces)
        verified = records.verify(record)
        clocks = verify_clocks(record)
    except RecordError as error:
        tell(f"REFUSED. {error}", err=True)
        raise SystemExit(1) from error
    noted = [name for name, value in (("commitment", committed), ("nonces", nonces)) if value is not None]
    tell(*_report(record, verified, clocks, noted))


def _read(file: Path) -> Record:
    try:
        return records.read_record(json_of(file.read_bytes()))
    except (ValueError, RecursionError) as error:
        end(f"{file} is not JSON: {error}")
    except DocumentError as error:
        tell(f"{file} is not a record:", err=True)
        for pointer, sentence in error.problems:
            tell(f"  {pointer or 'the document'}: {sentence}", err=True)
    raise SystemExit(2)


def _report(record: Record, verified: Verified, clocks: ClocksVerified | None, noted: Sequence[str]) -> list[str]:
    commitment = "covers scheme, match, game, rules version, number of seats, options and components"
    played = verified.plies - verified.draws
    early = ", ".join(record.players[seat] for seat in record.early_end.seats) if record.early_end else ""
    moved = ", ".join(f"seat {each.seat} at ply {each.ply} from {each.by} to {each.to}" for each in record.handovers)
    resigned = ", ".join(f"{record.players[each.seat]} at ply {each.ply}" for each in record.resignations)
    return [
        f"  ok  commitment   the secret is the one committed to; it {commitment}",
        f"  ok  nonces       one from each of the {verified.seats} seats, mixed into every draw",
        f"  ok  draws        {verified.draws} recomputed from the secret, the nonces and the ply",
        f"  ok  actions      {played} legal by the rules of {verified.game}, version {record.rules_version}",
        f"  ok  outcome      {_outcome(record, verified.outcome)}",
        *([f"  ok  early end    {record.early_end.how}, by {early}"] if record.early_end else []),
        *([f"  ok  handovers    {moved}"] if record.handovers else []),
        *([f"  ok  resignations {resigned}"] if resigned else []),
        *([] if clocks is None else [f"  ok  clocks       {_clocks(record, clocks)}"]),
        *([f"  ok  noted        {' and '.join(noted)}: nothing was exchanged since you noted it"] if noted else []),
        f"  --  not covered  {', '.join(_not_covered(record))}: nothing in a record can prove them",
        "Verified. Compare the commitment with the one you saw before you sent your nonce, the digest of the nonces",
        "with the one in the mail that told you that the match had begun, and the nonce of your seat with your own:",
        f"  commitment  {record.commitment}",
        f"  nonces      {verified.nonces_digest}",
        *(
            f"  seat {seat:<6} {nonce}{', made by the service from the secret' if seat in verified.made else ''}"
            for seat, nonce in enumerate(record.nonces)
        ),
    ]


def _not_covered(record: Record) -> list[str]:
    """What nothing in the record proves."""
    agreed = ["that these players agreed"] if record.early_end or record.handovers else []
    abandoned = record.early_end is not None and record.early_end.how == "abandoned"
    return [*NOT_COVERED, *agreed, *(["that the others were mailed twice before"] if abandoned else [])]


def _outcome(record: Record, outcome: Outcome | None) -> str:
    if outcome is None:
        abandoned = record.early_end is not None and record.early_end.how == "abandoned"
        return f"none, the match was {'abandoned' if abandoned else 'called off'}"
    ranked = zip(record.players, outcome.scores, outcome.ranks, strict=True)
    return ", ".join(f"{player} {score} (rank {rank})" for player, score, rank in ranked)


def _clocks(record: Record, clocks: ClocksVerified) -> str:
    late = ", ".join(f"{name} {number} times" for name, number in clocks.timed_out.items())
    return f"{clocks.steps} steps and every deadline recomputed; time was up for {late or 'nobody'}"
