"""Adds the scheme of a match's draws; existing matches keep the first one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the column."""
    op.add_column("matches", sa.Column("scheme", sa.Text, nullable=False, server_default=sa.text("'overland/1'")))


def downgrade() -> None:
    """Drops it."""
    op.drop_column("matches", "scheme")
