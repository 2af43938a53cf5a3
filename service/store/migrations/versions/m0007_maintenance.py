"""Adds the mark of a maintenance."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the table, which has one row while a maintenance lasts."""
    op.create_table(
        "maintenance",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expected_end", sa.DateTime(timezone=True), nullable=True),
        sa.Column("sentence", sa.Text, nullable=False),
        sa.CheckConstraint("id = 1", name="ck_maintenance_one_row"),
    )


def downgrade() -> None:
    """Drops it."""
    op.drop_table("maintenance")
