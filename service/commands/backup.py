"""``overland backup FILE``: copies the SQLite database into one new file, also while the service
runs.
"""

from __future__ import annotations

from pathlib import Path

import click

from service.commands.databases import end, explained, sqlite_file
from service.commands.settings import settings_or_end

ON_POSTGRESQL = (
    "The database is PostgreSQL, which has its own tools: pg_dump and pg_restore. docs/operations.md says how."
)


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def backup(file: Path) -> None:
    """Copy the SQLite database into FILE, also while the service runs.

    A database that lacks commits is not copied: see `overland check`. FILE must not exist. It
    contains the secrets of running matches and the addresses of players: keep it where only you can
    read it.
    """
    from sqlalchemy.exc import SQLAlchemyError

    from service.store.backups import BackupError, back_up
    from service.store.files import require_all_commits

    database = sqlite_file(settings_or_end())
    if database is None:
        end(ON_POSTGRESQL)
    try:
        require_all_commits(database)
        kept = back_up(database, file)
    except SQLAlchemyError as problem:
        end(explained(problem))
    except BackupError as error:
        end(str(error))
    click.echo(f"{kept.file}: {kept.matches} matches, {kept.turns} turns, {kept.size} bytes, and sound.")
    click.echo("The queue needs no backup.", err=True)
