"""Run by Alembic: applies migrations on the connection it is given, inside the transaction of
whoever calls.
"""

from __future__ import annotations

from alembic import context

from service.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, compare_type=True)
with context.begin_transaction():
    context.run_migrations()
