"""The counts for monitoring, which were in Redis before."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates their table."""
    op.create_table(
        "counts",
        sa.Column("what", sa.Text, nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("what", "result", name="pk_counts"),
    )
