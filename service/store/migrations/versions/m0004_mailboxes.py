"""How far mailboxes have been looked through; mails that came in are found by their bodies."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates the table, and the index."""
    op.create_table(
        "mailbox_folders",
        sa.Column("mailbox", sa.Text, nullable=False),
        sa.Column("folder", sa.Text, nullable=False),
        sa.Column("uidvalidity", sa.BigInteger, nullable=False),
        sa.Column("next_uid", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("mailbox", "folder", name="pk_mailbox_folders"),
    )
    op.create_index("ix_messages_digest", "messages", ["digest"])
