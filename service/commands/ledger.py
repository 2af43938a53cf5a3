"""`overland ledger`: checks in the database that nothing was lost or happened twice.

Exit status 0: all checks pass. 1: breaches, one sentence each. 2: the database or a file cannot be
read.
"""

from __future__ import annotations

from pathlib import Path

import click

from service.commands.databases import end, explained, settings_or_end, tell, tell_json, usable_database
from service.ledger.check import ReportedTurn, UnreadableReport, check_ledger, read_seen
from service.ledger.findings import Breach, Findings, as_document, unsettled
from service.store.files import FileLost

_file = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, for machines.")
@click.option("--settled", is_flag=True, help="Count turns without a verdict and undelivered notices as breaches, too.")
@click.option(
    "--submitted",
    type=_file,
    help="A client's own record: a line for each turn that the API stored for it, its id or {id, status} in JSON.",
)
@click.option(
    "--received",
    type=_file,
    help="A receiver's own record: the id of each notice it got, one per line, repeats included.",
)
def ledger(as_json: bool, settled: bool, submitted: Path | None, received: Path | None) -> None:
    """Check in the database that every turn has one verdict, every log replays, and every notice
    exists once.
    """
    from sqlalchemy.exc import SQLAlchemyError

    seen = _seen(submitted)
    got = None if received is None else _text_of(received).split()
    try:
        with usable_database(settings_or_end()) as database:
            findings = check_ledger(database, seen, got)
    except FileLost as loss:
        findings = Findings(breaches=[Breach("commits_lost", "", str(loss))])
    except SQLAlchemyError as problem:
        end(explained(problem))
    waiting = unsettled(findings)
    sound = not findings.breaches and not (settled and waiting)
    if as_json:
        document = as_document(findings) | {"sound": sound, "settled": findings.settled}
        tell_json(document)
    else:
        tell(*_lines(findings, waiting))
    if not sound:
        raise SystemExit(1)


def _seen(file: Path | None) -> tuple[ReportedTurn, ...]:
    if file is None:
        return ()
    try:
        return read_seen(_text_of(file).split("\n"))
    except UnreadableReport as problem:
        end(f"{file}: {problem}")


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as problem:
        end(f"{file} is not text in UTF-8: byte {problem.start} cannot be read.")


def _lines(findings: Findings, waiting: tuple[str, ...]) -> list[str]:
    judged = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in sorted(findings.turns.items()))
    states = ", ".join(f"{count} {status}" for status, count in sorted(findings.notices.items()))
    return [
        f"{findings.matches} matches with {findings.plies} plies were checked.",
        f"{findings.submitted} turns: {judged or 'none'}.",
        f"{findings.owed} notices owed; in the outbox: {states or 'none'}.",
        f"Pruned: {findings.pruned_notices} notices, the details of {findings.pruned_turns} turns.",
        *waiting,
        *(f"BREACH {breach.code}: {breach.sentence}" for breach in findings.breaches),
        f"{len(findings.breaches)} breaches." if findings.breaches else "Nothing is lost, nothing happened twice.",
    ]
