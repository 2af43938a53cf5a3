"""`overland migrate`: migrates the database to the newest version; safe to repeat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from service.commands.databases import end, explained, settings_or_end

if TYPE_CHECKING:
    from service.store.database import Database


@click.command()
def migrate() -> None:
    """Bring the database to the newest version."""
    from service.store.database import Database

    database = Database(settings_or_end().database_url)
    try:
        if sentence := not_migrated(database):
            end(sentence)
    finally:
        database.dispose()
    click.echo("The database is at the newest version.")


def not_migrated(database: Database) -> str | None:
    """Migrates the database; a sentence where that is not possible, and the database is as it
    was.
    """
    from sqlalchemy.exc import SQLAlchemyError

    from service.store.schema import migrate as to_head
    from service.store.schema import newer

    try:
        if (database.file is None or database.file.exists()) and (sentence := newer(database)):
            return sentence
        to_head(database)
    except SQLAlchemyError as problem:
        return explained(problem)
    except OSError as problem:
        return f"The folder of the database cannot be made: {problem.strerror}: {problem.filename}."
    return None
