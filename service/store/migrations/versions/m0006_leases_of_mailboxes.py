"""Who moves mails from a folder of a mailbox."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the columns of the lease."""
    op.add_column("mailbox_folders", sa.Column("leased_until", sa.DateTime(timezone=True)))
    op.add_column("mailbox_folders", sa.Column("leased_by", sa.Text))
