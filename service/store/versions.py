"""Whether a database is older or newer than this code."""

from __future__ import annotations

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from service.store.database import MIGRATIONS, Database


def unknown_migrations(database: Database) -> tuple[str, ...]:
    """The migrations a database has seen that this code does not know: a newer version has been
    there.
    """
    known = {script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions()}
    with database.read() as connection:
        heads = MigrationContext.configure(connection).get_current_heads()
    return tuple(sorted(set(heads) - known))
