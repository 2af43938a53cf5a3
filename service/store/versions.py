"""Detects a database that is newer than this code."""

from __future__ import annotations

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from service.store.database import MIGRATIONS, Database


def unknown_migrations(database: Database) -> tuple[str, ...]:
    """The migrations of a database that this code does not have: it was migrated by a newer
    version.
    """
    known = {script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions()}
    with database.read() as connection:
        heads = MigrationContext.configure(connection).get_current_heads()
    return tuple(sorted(set(heads) - known))
