"""What hosts need: the counts for monitoring, outages of one match, mailboxes, suspended players,
retired keys, what players report, and what operators have done.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from service.store.tables import UtcDateTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds some columns, four tables and an index; every stop of one match so far is a pause."""
    op.create_table(
        "counts",
        sa.Column("what", sa.Text, nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("what", "result", name="pk_counts"),
    )
    op.add_column("pauses", sa.Column("kind", sa.Text, nullable=False, server_default="pause"))
    op.create_table(
        "mailbox_folders",
        sa.Column("mailbox", sa.Text, nullable=False),
        sa.Column("folder", sa.Text, nullable=False),
        sa.Column("uidvalidity", sa.BigInteger, nullable=False),
        sa.Column("next_uid", sa.BigInteger, nullable=False),
        sa.Column("leased_until", UtcDateTime),
        sa.Column("leased_by", sa.Text),
        sa.PrimaryKeyConstraint("mailbox", "folder", name="pk_mailbox_folders"),
    )
    op.create_index("ix_messages_digest", "messages", ["digest"])
    op.add_column(
        "address_confirmations",
        sa.Column("as_primary", sa.Boolean(create_constraint=False), nullable=False, server_default=sa.text("false")),
    )
    op.add_column("confirmations", sa.Column("address", sa.Text))
    op.add_column("players", sa.Column("suspended_at", UtcDateTime))
    op.add_column("players", sa.Column("suspended_for", sa.Text))
    op.add_column("signing_keys", sa.Column("retired_at", UtcDateTime))
    op.create_table(
        "reports",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("reporter_id", sa.Text, sa.ForeignKey("players.id"), nullable=False),
        sa.Column("about_id", sa.Text, sa.ForeignKey("players.id"), nullable=False, index=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("thing", sa.Text, nullable=False),
        sa.Column("match_id", sa.Text, sa.ForeignKey("matches.id")),
        sa.Column("number", sa.Integer),
        sa.Column("read", sa.Text, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("at", UtcDateTime, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("settled_at", UtcDateTime),
        sa.UniqueConstraint("reporter_id", "thing"),
    )
    is_open = sa.text("status = 'open'")
    op.create_index("ix_reports_at", "reports", ["at"], sqlite_where=is_open, postgresql_where=is_open)
    op.create_table(
        "audit",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("at", UtcDateTime, nullable=False, index=True),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("act", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, index=True),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
    )
