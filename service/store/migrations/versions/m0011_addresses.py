"""Adds addresses of players, signing keys, conversations, and the texts of sent mails."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the tables; every player has one address so far, the one that mails go to."""
    op.create_table(
        "signing_keys",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("signs_from", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "player_addresses",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("player_id", sa.Text, sa.ForeignKey("players.id"), nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("folded", sa.Text, nullable=False),
        sa.Column("is_primary", sa.Boolean(create_constraint=False), nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("soft_bounces", sa.Integer, nullable=False, server_default="0"),
        sa.Column("last_bounce_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("bounced_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("bounce_reason", sa.Text, nullable=True),
        sa.UniqueConstraint("player_id", "folded", name="uq_player_addresses_player_id_folded"),
    )
    for name, column, condition in (
        ("ix_player_addresses_folded", "folded", "confirmed_at IS NOT NULL"),
        ("ix_player_addresses_player_id", "player_id", "is_primary"),
    ):
        where = sa.text(condition)
        op.create_index(name, "player_addresses", [column], unique=True, sqlite_where=where, postgresql_where=where)
    bounced = sa.text("bounced_at IS NOT NULL")
    op.create_index(
        "ix_player_addresses_bounced_at",
        "player_addresses",
        ["bounced_at"],
        sqlite_where=bounced,
        postgresql_where=bounced,
    )
    op.create_table(
        "address_confirmations",
        sa.Column("token_hash", sa.Text, primary_key=True),
        sa.Column(
            "address_id", sa.Text, sa.ForeignKey("player_addresses.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
    )
    op.create_table(
        "conversations",
        sa.Column("match_id", sa.Text, sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("thread", sa.Text, primary_key=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("mails", sa.Integer, nullable=False),
    )
    op.create_table(
        "sent_texts",
        sa.Column("notice_id", sa.Text, primary_key=True),
        sa.Column("match_id", sa.Text, nullable=True),
        sa.Column("recipient", sa.Text, nullable=False),
        sa.Column("texts", sa.LargeBinary, nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_sent_texts_recipient_match_id_sent_at", "sent_texts", ["recipient", "match_id", "sent_at"])
    op.create_index("ix_sent_texts_sent_at", "sent_texts", ["sent_at"])
    op.add_column("outbox", sa.Column("conversation", sa.Text, nullable=True))
    op.execute(
        "INSERT INTO player_addresses (id, player_id, address, folded, is_primary, added_at, confirmed_at)"
        " SELECT id, id, email, email, true, created_at, confirmed_at FROM players"
    )


def downgrade() -> None:
    """Drops them, with all addresses but those that mails go to."""
    op.drop_column("outbox", "conversation")
    for table in ("sent_texts", "conversations", "address_confirmations", "player_addresses", "signing_keys"):
        op.drop_table(table)
