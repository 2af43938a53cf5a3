"""Adds when a match without a clock was last visited, and when it is looked at to be archived."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the columns. Matches that run count as visited now."""
    op.add_column("matches", sa.Column("visited_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("matches", sa.Column("archive_due_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("matches", sa.Column("archive_mails", sa.Integer, nullable=False, server_default="0"))
    due = sa.text("archive_due_at IS NOT NULL")
    op.create_index("ix_matches_archive_due_at", "matches", ["archive_due_at"], sqlite_where=due, postgresql_where=due)
    op.execute(
        "UPDATE matches SET visited_at = CURRENT_TIMESTAMP, archive_due_at = CURRENT_TIMESTAMP"
        " WHERE status = 'running' AND clock IS NULL"
    )


def downgrade() -> None:
    """Lets archived matches run again, and drops the columns."""
    op.execute("UPDATE matches SET status = 'running' WHERE status = 'archived'")
    op.drop_index("ix_matches_archive_due_at", "matches")
    op.drop_column("matches", "archive_mails")
    op.drop_column("matches", "archive_due_at")
    op.drop_column("matches", "visited_at")
