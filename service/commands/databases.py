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
    from sqlalchemy.exc import SQLAlchemyError

    from service.store.database import Database


@contextmanager
def database_or_end(settings: Settings) -> Iterator[Database]:
    """The database at the version of this code; otherwise ends the command with status 2, also for
    a database error in the block.
    """
    from sqlalchemy.exc import SQLAlchemyError

    from service.store.database import Database
    from service.store.files import require_all_commits
    from service.store.schema import missing_migrations, newer

    database = Database(settings.database_url)
    file = database.file
    try:
        if file is not None and not file.exists():
            require_all_commits(file)
            end(f"There is no database: {file} does not exist. `overland run` makes it, or `overland migrate`.")
        if sentence := newer(database):
            end(sentence)
        missing = missing_migrations(database)
        if missing:
            end(
                f"The database lacks the migration {', '.join(missing)}. If an earlier version is using it,"
                " check a copy: `overland backup`, then with this code and a data folder of its own"
                " `overland restore`. Otherwise: `overland migrate`."
            )
        yield database
    except SQLAlchemyError as problem:
        end(explained(problem))
    finally:
        database.dispose()


def end_unless_usable(settings: Settings) -> None:
    """Ends a program that is started on a database of another version, or one that lacks commits.

    A database that does not answer ends nothing: the program waits for it.
    """
    from sqlalchemy.exc import SQLAlchemyError

    from service.store.database import Database
    from service.store.files import FileLost
    from service.store.schema import unusable

    database = Database(settings.database_url)
    try:
        if sentence := unusable(database):
            end(sentence)
    except FileLost as loss:
        end(str(loss))
    except SQLAlchemyError as problem:
        click.echo(explained(problem), err=True)
    finally:
        database.dispose()


def explained(problem: SQLAlchemyError) -> str:
    """An error of the database as a sentence that says what to do."""
    from service.readiness import is_full
    from service.store.files import FileLost

    if isinstance(problem, FileLost):
        return str(problem)
    reason = str(getattr(problem, "orig", None) or problem).strip().splitlines()[0]
    if is_full(problem):
        return f"The disk of the database is full ({reason}). Nothing was changed: make room, then repeat this."
    return f"The database cannot be used: {reason}"


def sqlite_file(settings: Settings) -> Path | None:
    """The file of the database; ``None`` for PostgreSQL."""
    from service.store.database import Database

    return Database(settings.database_url).file


def end(sentence: str) -> NoReturn:
    """Ends the command with a sentence and status 2: nothing was done."""
    click.echo(sentence, err=True)
    raise SystemExit(2)
