"""Adds what the handling of incoming mails remembers: which were answered, and what waits for
somebody's word.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the tables."""
    op.create_table(
        "answered_mails",
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("sender", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("did", sa.Text, nullable=False),
        sa.Column("notice_id", sa.Text, nullable=True),
        sa.PrimaryKeyConstraint("key", name="pk_answered_mails"),
    )
    where = sa.text("notice_id IS NOT NULL")
    op.create_index(
        "ix_answered_mails_sender_at", "answered_mails", ["sender", "at"], sqlite_where=where, postgresql_where=where
    )
    op.create_table(
        "held_orders",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("match_id", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Text, nullable=True),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("document", sa.JSON, nullable=False),
        sa.Column("in_reply_to", sa.Text, nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_held_orders"),
        sa.ForeignKeyConstraint(
            ["match_id", "seat"], ["seats.match_id", "seats.seat"], name="fk_held_orders_match_id_seat"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_held_orders_player_id"),
    )
    op.create_index("ix_held_orders_match_id_seat_created_at", "held_orders", ["match_id", "seat", "created_at"])


def downgrade() -> None:
    """Drops the tables."""
    op.drop_table("held_orders")
    op.drop_table("answered_mails")
