"""``overland restore FILE``: a backup in the place of the SQLite database, at the newest version.

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
@click.option("--replace", is_flag=True, help="Put the database that is there aside; it is kept beside the new one.")
def restore(file: Path, replace: bool) -> None:
    """Make the backup in FILE the SQLite database of this data folder, and bring it to the newest
    version.

    What was committed after the backup is lost to the service. Notices that had gone out since are
    sent again, with the ids they had.
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
