"""Adds the calendars of players: the hashes of their secret addresses, and what they have shown."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the tables."""
    op.create_table(
        "calendars",
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("secret_hash", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("player_id", name="pk_calendars"),
        sa.UniqueConstraint("secret_hash", name="uq_calendars_secret_hash"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_calendars_player_id"),
    )
    op.create_table(
        "calendar_entries",
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("uid", sa.Text, nullable=False),
        sa.Column("match_id", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sequence", sa.Integer, nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("is_gone", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "uid", name="pk_calendar_entries"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_calendar_entries_player_id"),
    )


def downgrade() -> None:
    """Drops the tables: everybody subscribes again."""
    op.drop_table("calendar_entries")
    op.drop_table("calendars")
