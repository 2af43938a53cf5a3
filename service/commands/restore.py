"""``overland restore FILE``: replaces the SQLite database by a backup, migrated to the newest
version.

The service must not be running.
"""

from __future__ import annotations

from pathlib import Path

import click

from service.commands.backup import ON_POSTGRESQL
from service.commands.databases import end, sqlite_file
from service.commands.lock import Taken, exclusive
from service.commands.settings import settings_or_end


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False, readable=True))
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
    database = sqlite_file(settings)
    if database is None:
        end(ON_POSTGRESQL)
    aside = database.with_name(f"{database.name}.before-{utc_now():%Y%m%dT%H%M%SZ}") if replace else None
    try:
        with exclusive(settings.data_dir):
            kept = to_place(file, database, aside)
    except (BackupError, Taken) as error:
        end(str(error))
    click.echo(f"{kept.file}: {kept.matches} matches, {kept.turns} turns, at the newest version.")
    if aside is not None and aside.exists():
        click.echo(f"The database that was there is now {aside}.")
