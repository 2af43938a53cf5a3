"""`overland migrate`: migrates the database to the newest version; safe to repeat."""

import click

from service.commands.settings import settings_or_end


@click.command()
def migrate() -> None:
    """Bring the database to the newest version."""
    from service.store.database import Database
    from service.store.database import migrate as to_head

    database = Database(settings_or_end().database_url)
    to_head(database)
    database.dispose()
    click.echo("The database is at the newest version.")
