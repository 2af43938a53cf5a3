"""``overland move --to URL``: copies the database into an empty one, from SQLite to PostgreSQL or
back, and proves that both hold the same.

Exit code 0: moved. 2: nothing was changed. Everything is copied and compared in one transaction of
the target, so an interrupted move leaves it empty.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import click
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from service.commands.databases import Taken, database_or_end, end, exclusive, settings_or_end, tell
from service.setting_values import database_url, hidden
from service.store import moving
from service.store.database import Database, normalised, reason_of

PROGRESS_SECONDS = 2.0


@click.command()
@click.option("--to", "to", required=True, metavar="URL", help="The new database, which must be empty.")
@click.option(
    "--ledger/--no-ledger",
    default=True,
    show_default=True,
    help="Whether the ledger checks both sides, beside the comparison of all rows.",
)
def move(to: str, ledger: bool) -> None:
    """Copy the database into the empty one at URL, and prove that both hold the same.

    The service must be stopped. The database that is copied from is not changed.
    """
    settings = settings_or_end()
    target = _target(to, settings.database_url)
    try:
        with exclusive(settings.data_dir), database_or_end(settings) as source:
            lines = _attempted(source, target, ledger)
    except Taken as taken:
        end(str(taken))
    except moving.InUse as reason:
        end(f"{reason} Stop every program of the service first.")
    finally:
        target.dispose()
    tell(*lines)
    tell(f"Next: set OVERLAND_DATABASE_URL to {hidden(to)}, and start the service.")
    click.echo("The database that was copied is as it was. Never start the service with it again.")


def _target(to: str, from_url: str) -> Database:
    try:
        target = Database(database_url(to))
    except ValueError as problem:
        end(f"--to {problem}")
    if target.url == normalised(from_url):
        end("--to names the database that is in use.")
    return target


def _attempted(source: Database, target: Database, ledger: bool) -> list[str]:
    """Moves, or ends the command with the reason why not."""
    import psycopg

    try:
        return _moved(source, target, ledger)
    except (SQLAlchemyError, psycopg.Error, OSError) as problem:
        end(f"The move failed: {reason_of(problem)}. Nothing was moved: correct the cause, and repeat it.")


def _moved(source: Database, target: Database, ledger: bool) -> list[str]:
    """Copies and compares. Returns what is to be told; ends the command where the sides differ."""
    from service.store.schema import migrate

    moving.check_unused(source)
    if sentence := moving.unfit(target):
        end(f"{sentence} Nothing was changed.")
    migrate(target)
    with source.write() as reading, target.write() as writing:
        moving.hold(reading)
        moving.hold(writing)
        if moving.filled(writing):
            end("Another program has written to the database at --to meanwhile. Nothing was moved.")
        copied = moving.copy(reading, writing, _progress("copied"))
        found = moving.contents(writing, _progress("compared"))
        differing = [name for name in copied if copied[name] != found[name]]
        if differing:
            end(f"The copies of {', '.join(differing)} differ from what was copied. Nothing was moved.")
        proof = _proof(reading, writing) if ledger else []
    tables = [f"{name}: {each.rows} rows, {each.digest[:16]}" for name, each in copied.items()]
    return [*tables, "Both databases have the same rows.", *proof]


def _proof(reading: Connection, writing: Connection) -> list[str]:
    """What the ledger says of both sides; ends the command where that differs."""
    from service.ledger.check import check_rows
    from service.ledger.findings import as_document, unsettled

    before, after = check_rows(reading), check_rows(writing)
    if _comparable(as_document(before)) != _comparable(as_document(after)):
        end("The ledger finds something else in the copy. Nothing was moved.")
    breaches = f"{len(after.breaches)} breaches, as before" if after.breaches else "no breach"
    checked = f"{after.matches} matches, {after.submitted} turns, {after.owed} notices owed: {breaches}."
    return [f"The ledger finds the same in both: {checked}", *unsettled(after)]


def _comparable(document: dict[str, object]) -> dict[str, object]:
    """The findings without their order, in which the two kinds of databases may differ."""
    return {name: sorted(map(str, value)) if isinstance(value, list) else value for name, value in document.items()}


def _progress(what: str) -> Callable[[str, int], None]:
    """Writes the number of rows to standard error every ``PROGRESS_SECONDS``."""
    told = time.monotonic()

    def progress(table: str, rows: int) -> None:
        nonlocal told
        if time.monotonic() - told >= PROGRESS_SECONDS:
            told = time.monotonic()
            tell(f"{table}: {rows} rows {what}", err=True)

    return progress
