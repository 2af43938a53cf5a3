"""`overland accept-loss`: lets a service go on with an SQLite database that lacks commits.

The service must not be running.
"""

from __future__ import annotations

import click

from service.commands.backup import ON_POSTGRESQL
from service.commands.databases import end, explained, sqlite_file
from service.commands.lock import Taken, exclusive
from service.commands.settings import settings_or_end


@click.command("accept-loss")
def accept_loss() -> None:
    """Go on with an SQLite database that lacks commits which had been made to it.

    Restore a backup instead, if it has more: see `overland restore`. Turns that were answered and
    are missing have to be submitted again; mails about them may have been sent.
    """
    import sqlite3

    from sqlalchemy.exc import SQLAlchemyError

    from service.store.files import FileLost, require_all_commits, set_mark

    settings = settings_or_end()
    database = sqlite_file(settings)
    if database is None:
        end(ON_POSTGRESQL)
    try:
        with exclusive(settings.data_dir):
            try:
                require_all_commits(database)
            except FileLost as loss:
                set_mark(database)
                click.echo(f"Accepted: {loss.reason}. The next start goes on without what is lost.")
            else:
                click.echo("Nothing is missing.")
    except Taken as error:
        end(str(error))
    except SQLAlchemyError as error:
        end(explained(error))
    except (OSError, sqlite3.Error) as error:
        end(f"The loss could not be accepted: {error}.")
