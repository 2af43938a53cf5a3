"""Adds the browsers in which players are signed in."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the table."""
    op.create_table(
        "browsers",
        sa.Column("secret_hash", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("signed_in_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("secret_hash", name="pk_browsers"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_browsers_player_id"),
    )
    op.create_index("ix_browsers_player_id", "browsers", ["player_id"])
    op.create_index("ix_browsers_expires_at", "browsers", ["expires_at"])


def downgrade() -> None:
    """Drops the table: everybody signs in again."""
    op.drop_table("browsers")
