"""Adds the holder of the lease on a notice, and an index to find recent verdicts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the column and the index."""
    op.add_column("outbox", sa.Column("leased_by", sa.Text, nullable=True))
    judged = sa.text("judged_at IS NOT NULL")
    op.create_index("ix_turns_judged_at", "turns", ["judged_at"], sqlite_where=judged, postgresql_where=judged)


def downgrade() -> None:
    """Drops them."""
    op.drop_index("ix_turns_judged_at", "turns")
    op.drop_column("outbox", "leased_by")
