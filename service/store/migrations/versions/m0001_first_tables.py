"""The first tables: runs the statements of the file of SQL beside it, as they once were made of
``service.store.tables``.
"""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates the tables, those first that others refer to."""
    connection = op.get_bind()
    file = Path(__file__).with_name(f"m0001_{connection.dialect.name}.sql")
    for statement in file.read_text().split(";\n"):
        if statement.strip():
            connection.exec_driver_sql(statement)
