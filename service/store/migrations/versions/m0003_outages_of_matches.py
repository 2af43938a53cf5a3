"""What stops the clocks of one match: a pause, or an outage of that match alone."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Every stop so far is a pause."""
    op.add_column("pauses", sa.Column("kind", sa.Text, nullable=False, server_default="pause"))
