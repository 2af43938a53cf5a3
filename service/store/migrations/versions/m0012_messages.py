"""Adds mails that came in, and what bounced."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the table of messages, and when and why a notice bounced."""
    op.create_table(
        "messages",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("peer", sa.Text, nullable=False),
        sa.Column("envelope_from", sa.Text, nullable=False),
        sa.Column("recipient", sa.Text, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("raw", sa.LargeBinary),
        sa.Column("message_id", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False, server_default=sa.text("''")),
        sa.Column("attempts", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("crashes", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("next_attempt_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True)),
        sa.Column("leased_until", sa.DateTime(timezone=True)),
        sa.Column("leased_by", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_messages"),
    )
    op.create_index("ix_messages_status_next_attempt_at", "messages", ["status", "next_attempt_at"])
    where = sa.text("raw IS NOT NULL AND settled_at IS NOT NULL")
    op.create_index("ix_messages_settled_at", "messages", ["settled_at"], sqlite_where=where, postgresql_where=where)
    op.add_column("outbox", sa.Column("bounced_at", sa.DateTime(timezone=True)))
    op.add_column("outbox", sa.Column("bounce_reason", sa.Text))


def downgrade() -> None:
    """Drops them."""
    op.drop_column("outbox", "bounce_reason")
    op.drop_column("outbox", "bounced_at")
    op.drop_table("messages")
