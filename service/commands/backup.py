"""Copies of the SQLite database: ``overland backup`` makes one, also while the service runs,
``restore`` puts one in its place while it is stopped. ``accept-loss`` goes on with a database that
lacks commits; ``migrate`` brings any to the newest version, and is safe to repeat.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

import click
from sqlalchemy.exc import SQLAlchemyError

from service.commands.databases import Taken, end, exclusive, explained, settings_or_end, sqlite_file, tell
from service.config import Settings
from service.store.database import Database, database_of
from service.store.files import FileLost, require_all_commits, set_mark


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def backup(file: Path) -> None:
    """Copy the SQLite database into FILE, also while the service runs.

    A database that lacks commits is not copied: see `overland check`. FILE must not exist. It
    contains the secrets of running matches and the addresses of players: keep it where only you can
    read it.
    """
    from service.store.backups import BackupError, back_up

    database = _own_file(settings_or_end())
    try:
        require_all_commits(database)
        kept = back_up(database, file)
    except SQLAlchemyError as problem:
        end(explained(problem))
    except BackupError as error:
        end(str(error))
    tell(f"{kept.file}: {kept.matches} matches, {kept.turns} turns, {kept.size} bytes, and sound.")
    click.echo("The queue needs no backup.", err=True)


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--replace", is_flag=True, help="Rename the existing database and keep it beside the new one.")
def restore(file: Path, replace: bool) -> None:
    """Replace the SQLite database of this data folder by the backup in FILE, migrated to the newest
    version.

    What was committed after the backup is lost. Notices that were sent since are sent again, with
    the same ids.
    """
    from service.store.backups import BackupError
    from service.store.backups import restore as to_place
    from service.wiring import utc_now

    settings = settings_or_end()
    database = _own_file(settings)
    aside = database.with_name(f"{database.name}.before-{utc_now():%Y%m%dT%H%M%SZ}") if replace else None
    try:
        with exclusive(settings.data_dir):
            kept = to_place(file, database, aside)
    except (BackupError, Taken) as error:
        end(str(error))
    tell(f"{kept.file}: {kept.matches} matches, {kept.turns} turns, at the newest version.")
    if aside is not None and aside.exists():
        tell(f"The database that was there is now {aside}.")


@click.command("accept-loss")
def accept_loss() -> None:
    """Go on with an SQLite database that lacks commits which had been made to it.

    Restore a backup instead, if it has more: see `overland restore`. Turns that were answered and
    are missing have to be submitted again; mails about them may have been sent.
    """
    settings = settings_or_end()
    database = _own_file(settings)
    try:
        with exclusive(settings.data_dir):
            try:
                require_all_commits(database)
            except FileLost as loss:
                set_mark(database)
                tell(f"Accepted: {loss.reason}. The next start goes on without what is lost.")
            else:
                click.echo("Nothing is missing.")
    except Taken as error:
        end(str(error))
    except SQLAlchemyError as error:
        end(explained(error))
    except (OSError, sqlite3.Error) as error:
        end(f"The loss could not be accepted: {error}.")


def _own_file(settings: Settings) -> Path:
    """The file of the SQLite database. Ends the command where it is PostgreSQL."""
    database = sqlite_file(settings)
    if database is None:
        end("The database is PostgreSQL, which has its own tools: pg_dump and pg_restore. docs/operations.md says how.")
    return database


@click.command()
def migrate() -> None:
    """Bring the database to the newest version."""
    database = database_of(settings_or_end())
    try:
        if sentence := not_migrated(database):
            end(sentence)
    finally:
        database.dispose()
    click.echo("The database is at the newest version.")


def not_migrated(database: Database) -> str | None:
    """Migrates the database; a sentence where that is not possible, and nothing was changed."""
    from service.store.schema import migrate as to_head
    from service.store.schema import newer

    try:
        if (database.file is None or database.file.exists()) and (sentence := newer(database)):
            return sentence
        to_head(database)
    except SQLAlchemyError as problem:
        return explained(problem)
    except OSError as problem:
        where = "OVERLAND_DATA_DIR, or OVERLAND_DATABASE_URL, says where it is"
        return f"The folder of the database cannot be made: {problem.strerror}: {problem.filename}. {where}."
    return None
