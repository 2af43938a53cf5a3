"""Adds the number of attempts in a row that ended a process, to notices."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the column."""
    op.add_column("outbox", sa.Column("crashes", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    """Drops it."""
    op.drop_column("outbox", "crashes")
