"""Counts the attempts to judge a turn, allows a seat one waiting turn, and marks matches whose log
cannot be read.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the columns and their indexes. Waiting turns of before have no slot."""
    op.add_column("turns", sa.Column("attempts", sa.Integer, nullable=False, server_default=sa.text("0")))
    op.add_column("turns", sa.Column("slot", sa.Text, nullable=True))
    op.add_column("matches", sa.Column("unreadable_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("matches", sa.Column("unreadable_reason", sa.Text, nullable=True))
    _index("turns", "attempts", "attempts > 0")
    _index("turns", "slot", "slot IS NOT NULL", unique=True)
    _index("matches", "unreadable_at", "unreadable_at IS NOT NULL")


def downgrade() -> None:
    """Drops them."""
    for table, column in (("turns", "attempts"), ("turns", "slot"), ("matches", "unreadable_at")):
        op.drop_index(f"ix_{table}_{column}", table)
        op.drop_column(table, column)
    op.drop_column("matches", "unreadable_reason")


def _index(table: str, column: str, where: str, unique: bool = False) -> None:
    condition = sa.text(where)
    op.create_index(
        f"ix_{table}_{column}", table, [column], unique=unique, sqlite_where=condition, postgresql_where=condition
    )
