"""The database of a command: if it is missing or not of this version, the command ends with a
sentence instead of a traceback.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from service.config import Settings

if TYPE_CHECKING:
    from service.store.database import Database


@contextmanager
def database_or_end(settings: Settings) -> Iterator[Database]:
    """The database at the version of this code; otherwise ends the command with status 2, also for
    a database error in the block.
    """
    from sqlalchemy.exc import SQLAlchemyError

    from service.store.database import Database, missing_migrations
    from service.store.versions import unknown_migrations

    database = Database(settings.database_url)
    file = sqlite_file(settings)
    if file is not None and not file.exists():
        end(f"There is no database: {file} does not exist. `overland run` makes it, or `overland migrate`.")
    try:
        unknown = unknown_migrations(database)
        if unknown:
            end(
                f"The database is of a newer version than this code: it has the migration {', '.join(unknown)}."
                " Install that version."
            )
        missing = missing_migrations(database)
        if missing:
            end(
                f"The database lacks the migration {', '.join(missing)}. If an earlier version is using it,"
                " check a copy: `overland backup`, then with this code and a data folder of its own"
                " `overland restore`. Otherwise: `overland migrate`."
            )
        yield database
    except SQLAlchemyError as problem:
        end(f"The database cannot be used: {str(getattr(problem, 'orig', None) or problem).strip().splitlines()[0]}")
    finally:
        database.dispose()


def sqlite_file(settings: Settings) -> Path | None:
    """The file of the database; ``None`` for PostgreSQL."""
    from service.store.database import normalised

    url = normalised(settings.database_url)
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def end(sentence: str) -> NoReturn:
    """Ends the command with a sentence and status 2: nothing was done."""
    click.echo(sentence, err=True)
    raise SystemExit(2)
