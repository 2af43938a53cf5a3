"""Adds the record of upgrades, and lets only a turn that waits occupy the slot of its seat.

Processes of version 0.1.0 leave the slot of a turn that they judge as it is.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the table and replaces the index."""
    op.create_table(
        "upgrades",
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("from_revision", sa.Text, nullable=False),
        sa.Column("to_revision", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("at", name="pk_upgrades"),
    )
    _replace("slot IS NOT NULL AND judged_at IS NULL")


def downgrade() -> None:
    """Drops the table; slots of judged turns are emptied before the earlier index is created."""
    op.execute("UPDATE turns SET slot = NULL WHERE judged_at IS NOT NULL AND slot IS NOT NULL")
    _replace("slot IS NOT NULL")
    op.drop_table("upgrades")


def _replace(condition: str) -> None:
    op.drop_index("ix_turns_slot", "turns")
    where = sa.text(condition)
    op.create_index("ix_turns_slot", "turns", ["slot"], unique=True, sqlite_where=where, postgresql_where=where)
